package loop

import (
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// Event is something that happened: the input of Step. The set is closed.
type Event interface {
	apply(*Loop) // changes the state, and notes what became of the event
}

// Stamped is an event with its place in the order of events and in time.
type Stamped struct {
	Seq   uint64        // 1, 2, 3, … without gaps
	At    time.Duration // since the study started; where the clock goes backwards, the time of the event before
	Event Event
}

// WorkerJoined says that a worker offers slots: places in which an evaluation can run.
type WorkerJoined struct{ Worker, Slots int }

// WorkerResized says how many slots a worker has from now on, 0 … MaxSlots. What runs there goes on, also where that is more: then
// nothing starts before it is less.
type WorkerResized struct{ Worker, Slots int }

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
	Hyper       []float64     // of the kernel, in the order of its parameters, not logarithms
	Noise       float64       // variance, in the model's units
	LogEvidence float64       // nats
	Kernel      string        // name of the kernel that was chosen; empty: the one that there was
	Warp        feedback.Bend // of the values, in their units, that was chosen
	Shift       float64       // of the units of the values under a prior that earlier tasks taught, in the maximization sense
	Scale       float64       // and their length; 0 under any other prior
	Outliers    []int         // numbers of the evaluations whose values are taken for outliers, ascending
	Penal       bool          // whether some values are taken for penalties
	Penalty     float64       // then those up to this one are, in the maximization sense
	Particles   [][]float64   // of members, for a policy that has some: then the others are those of the first
	Doubtful    bool          // whether there may be no noise, since a rougher kernel explains the values nearly as well without any
}

// FitFailed says that a Fit has no result; the hyperparameters stay.
type FitFailed struct {
	Fit    int
	Reason string
}

// FeedbackArrived brings the value of an evaluation, in the user's units and sense. An evaluation whose value is not finite
// has failed. The value of an infeasible evaluation, declared so or with a constraint above zero, stays in the record and is
// not a row of the model of the values.
type FeedbackArrived struct {
	Evaluation, Attempt int
	outcome.Outcome
	Told     bool // somebody else than the worker brought it; the worker may still evaluate
	Suffices bool // the value reaches the target: if it counts, the study ends
	Found    bool // an earlier attempt had left it: it says nothing of how long answers take
}

// Reported brings a value from the way to the end, in the user's units, at a step: an epoch, an age, whatever grows. What the loop makes
// of it is in reports.go.
type Reported struct {
	Evaluation, Attempt int
	Step, Value         float64
}

// AnswerFollows says that the worker is done with an evaluation whose value will come later. The slot of the worker is free
// again.
type AnswerFollows struct {
	Evaluation, Attempt int
	Retire              bool // the worker withdraws the slot instead of freeing it; a worker without slots leaves
}

// EvaluationFailed says that an attempt ended without a value. A lost attempt is repeated, up to MaxLost times.
type EvaluationFailed struct {
	Evaluation, Attempt int
	outcome.Failure
	Told  bool // somebody else than the worker said so; the worker may still evaluate
	Found bool // an earlier attempt had left it: it says nothing of how long answers take
}

// About returns the evaluation and the attempt that an event names, and false where it names no evaluation. The attempt is 0
// for CancelRequested, which names none.
func About(e Event) (evaluation, attempt int, names bool) {
	switch e := e.(type) {
	case FeedbackArrived:
		return e.Evaluation, e.Attempt, true
	case AnswerFollows:
		return e.Evaluation, e.Attempt, true
	case EvaluationFailed:
		return e.Evaluation, e.Attempt, true
	case Reported:
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

// Answered returns the event that an answer stands for: FeedbackArrived, EvaluationFailed, AnswerFollows or WorkerFreed. Told
// says that the answer does not come from the worker of the attempt.
func Answered(a outcome.Answer, told bool) Event {
	switch {
	case a.Returned:
		return WorkerFreed{Evaluation: a.Evaluation, Attempt: a.Attempt}
	case a.Follows:
		return AnswerFollows{Evaluation: a.Evaluation, Attempt: a.Attempt}
	case a.Failed():
		return EvaluationFailed{Evaluation: a.Evaluation, Attempt: a.Attempt, Failure: a.Failure, Told: told, Found: a.Found}
	}
	return FeedbackArrived{Evaluation: a.Evaluation, Attempt: a.Attempt, Outcome: a.Outcome, Told: told, Found: a.Found}
}

// OnTheWay returns the event of a value that an attempt reports at a step: Reported.
func OnTheWay(evaluation, attempt int, step, value float64) Event {
	return Reported{Evaluation: evaluation, Attempt: attempt, Step: step, Value: value}
}

// LeaseRenewed says that an attempt whose answer follows is still being evaluated: its lease starts anew.
type LeaseRenewed struct{ Evaluation, Attempt int }

// Renewal returns the event of an attempt whose answer follows: LeaseRenewed.
func Renewal(evaluation, attempt int) Event {
	return LeaseRenewed{Evaluation: evaluation, Attempt: attempt}
}

// CancelRequested gives up a pending evaluation. The evaluation then costs no budget, and a value that still comes is late.
type CancelRequested struct {
	Evaluation int
	Reason     string
}

// ObservationArrived brings a value that was measured elsewhere, in the user's units and sense. As soon as no ask is open, the
// observation becomes an evaluation with the next number, which costs no budget: Loop.Admitted says which.
type ObservationArrived struct {
	X           space.Point // contexts included
	Value       float64
	Constraints []float64 // what was measured of those that the study names, in their order; nil where there are none
}

// QueryEnqueued names the point of the next query, in user units. Contexts may be left out, because the world sets them. A
// coordinate that is NaN is drawn at random.
type QueryEnqueued struct{ X space.Point }

// Enqueued returns the point that an event names as that of the next query, as it was given; false for any other event.
func Enqueued(e Event) (space.Point, bool) {
	q, is := e.(QueryEnqueued)
	return q.X, is
}

// WorkerFreed says that a cancelled attempt has returned without an answer: with Config.Exclusive its slot is free again. An
// answer that a worker gives frees the slot by itself, however late it comes.
type WorkerFreed struct{ Evaluation, Attempt int }

// BudgetSet sets the number of evaluations that the study may have in all. A finished study goes on if the new budget is more
// than it has spent. A budget outside LeastBudget … MaxBudget is counted and dropped.
type BudgetSet struct {
	Budget int
	Cost   float64 // Config.BudgetCost from now on; 0: as it is
}

// Resumed says that another process goes on with the study, because the one before has ended and its workers with it. The
// attempts of those workers start again. Evaluations whose answers follow are still pending.
type Resumed struct{}

// ContextArrived brings the context of the next query, in user units, in the order of the context parameters.
type ContextArrived struct{ Context space.Point }

// Woke says that time has passed.
type Woke struct{}

// StopRequested ends the study: no more queries are chosen.
type StopRequested struct{ Reason string }
