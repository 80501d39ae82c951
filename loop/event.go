package loop

import (
	"time"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// Event is something that happened: the input of Step. The set is closed.
type Event interface {
	apply(*Loop) // changes the state, and notes what became of the event
}

// Stamped is an event with its place in the order of events and in time.
type Stamped struct {
	Seq   uint64        // 1, 2, 3, … without gaps
	At    time.Duration // since the study started; a clock that went backwards is read as standing still
	Event Event
}

// WorkerJoined says that a worker offers slots: places in which an evaluation can run.
type WorkerJoined struct{ Worker, Slots int }

// WorkerLeft says that a worker is gone. Its evaluations start again elsewhere.
type WorkerLeft struct {
	Worker int
	Reason string
}

// Proposed answers an Ask.
type Proposed struct {
	Ask       int
	Proposals []policies.Proposal
	Trouble   Trouble // what the model needed
}

// ProposeFailed says that the policy could not answer an Ask; a point that fills the space takes its place.
type ProposeFailed struct {
	Ask    int
	Reason string
}

// Fitted answers a Fit with new hyperparameters, which hold from the next query on.
type Fitted struct {
	Fit         int
	Hyper       []float64 // of the kernel, in the order of its parameters, not logarithms
	Noise       float64   // variance, in the model's units
	LogEvidence float64   // nats
	Kernel      string    // name of the kernel that was chosen; empty: the one that there was
	Warp        float64   // scale of the warp of the values that was chosen, in their units; 0: none
}

// FitFailed says that a Fit has no result; the hyperparameters stay.
type FitFailed struct {
	Fit    int
	Reason string
}

// FeedbackArrived brings the value of an evaluation, in the user's units and sense. A value that is not finite is a
// failed evaluation. One that is infeasible, by word or by a constraint above zero, keeps its value in the record; the
// model of the values does not see it.
type FeedbackArrived struct {
	Evaluation, Attempt int
	outcome.Outcome
	Told     bool // by somebody else than the worker that evaluates it, which may still be at it
	Suffices bool // the value is as good as anybody wants: if it counts, the study ends
}

// AnswerFollows says that the worker is done with an evaluation though its value has not come: the slot is free again
// and the value will follow.
type AnswerFollows struct {
	Evaluation, Attempt int
	Retire              bool // the slot is not free but gone, and a worker without slots with it
}

// EvaluationFailed says that an attempt ended without a value. One that was lost is tried again up to MaxLost times.
type EvaluationFailed struct {
	Evaluation, Attempt int
	outcome.Failure
	Told bool // by somebody else than the worker that evaluates it, which may still be at it
}

// About returns which attempt at which evaluation an event names, and false where it names none. Who cancels an evaluation names
// no attempt: that is 0.
func About(e Event) (evaluation, attempt int, names bool) {
	switch e := e.(type) {
	case FeedbackArrived:
		return e.Evaluation, e.Attempt, true
	case AnswerFollows:
		return e.Evaluation, e.Attempt, true
	case EvaluationFailed:
		return e.Evaluation, e.Attempt, true
	case LeaseRenewed:
		return e.Evaluation, e.Attempt, true
	case WorkerFreed:
		return e.Evaluation, e.Attempt, true
	case CancelRequested:
		return e.Evaluation, 0, true
	}
	return 0, 0, false
}

// Answered is the event that an answer amounts to: FeedbackArrived, EvaluationFailed, AnswerFollows or WorkerFreed. It was told
// where somebody else gives it than the worker of the attempt.
func Answered(a outcome.Answer, told bool) Event {
	switch {
	case a.Returned:
		return WorkerFreed{Evaluation: a.Evaluation, Attempt: a.Attempt}
	case a.Follows:
		return AnswerFollows{Evaluation: a.Evaluation, Attempt: a.Attempt}
	case a.Failed():
		return EvaluationFailed{Evaluation: a.Evaluation, Attempt: a.Attempt, Failure: a.Failure, Told: told}
	}
	return FeedbackArrived{Evaluation: a.Evaluation, Attempt: a.Attempt, Outcome: a.Outcome, Told: told}
}

// LeaseRenewed says that whoever evaluates an attempt whose answer follows is still at it: its lease starts anew.
type LeaseRenewed struct{ Evaluation, Attempt int }

// CancelRequested gives up a pending evaluation. It costs no budget; a value that comes all the same is late.
type CancelRequested struct {
	Evaluation int
	Reason     string
}

// ObservationArrived brings a value that was measured elsewhere, in the user's units and sense. It becomes an evaluation
// of its own that costs no budget, with the next number, as soon as no ask is open.
type ObservationArrived struct {
	X     []float64 // contexts included
	Value float64
}

// QueryEnqueued names a point that the next query shall be, in user units: with contexts or without, since these are the
// world's. What is NaN is left open, and drawn at random.
type QueryEnqueued struct{ X []float64 }

// WorkerFreed says that an attempt which was cancelled has returned and has nothing to say: with Config.Exclusive its slot
// is free again. An answer that a worker gives frees the slot itself, however late it comes.
type WorkerFreed struct{ Evaluation, Attempt int }

// BudgetSet says how many evaluations the study may have in all from now on. A study that has come to its end goes on, if that is
// more than it has spent. A budget outside LeastBudget … MaxBudget is counted and dropped.
type BudgetSet struct{ Budget int }

// Resumed says that the process that drove the study is gone, and another one goes on. All workers went down with it;
// what they were doing starts again. Evaluations whose answers follow are still pending.
type Resumed struct{}

// ContextArrived brings the context of the next query, in user units, in the order of the context parameters.
type ContextArrived struct{ Context []float64 }

// Woke says that time has passed.
type Woke struct{}

// StopRequested ends the study: no more queries are chosen.
type StopRequested struct{ Reason string }
