package loop

import (
	"time"

	"github.com/tarry-bo/tarry/policies"
)

// Event is something that happened: the input of Step. The set is closed.
type Event interface{ event() }

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
}

// FitFailed says that a Fit has no result; the hyperparameters stay.
type FitFailed struct {
	Fit    int
	Reason string
}

// FeedbackArrived brings the value of an evaluation, in the user's units and sense. A value that is not finite is a
// failed evaluation.
type FeedbackArrived struct {
	Evaluation, Attempt int
	Value               float64
}

// AnswerFollows says that the worker is done with an evaluation though its value has not come: the slot is free again
// and the value will follow.
type AnswerFollows struct {
	Evaluation, Attempt int
	Retire              bool // the slot is not free but gone, and a worker without slots with it
}

// EvaluationFailed says that an attempt ended without a value.
type EvaluationFailed struct {
	Evaluation, Attempt int
	Reason              string
}

// ContextArrived brings the context of the next query, in user units, in the order of the context parameters.
type ContextArrived struct{ Context []float64 }

// Woke says that time has passed.
type Woke struct{}

// StopRequested ends the study: no more queries are chosen.
type StopRequested struct{ Reason string }

func (WorkerJoined) event()     {}
func (WorkerLeft) event()       {}
func (Proposed) event()         {}
func (ProposeFailed) event()    {}
func (Fitted) event()           {}
func (FitFailed) event()        {}
func (FeedbackArrived) event()  {}
func (AnswerFollows) event()    {}
func (EvaluationFailed) event() {}
func (ContextArrived) event()   {}
func (Woke) event()             {}
func (StopRequested) event()    {}
