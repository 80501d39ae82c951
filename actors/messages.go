package actors

import (
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/workers"
)

// To the coordinator, from whoever holds its PID. Besides these messages it takes events of the loop as they are, those that
// Driver.Answer takes, and answers each with Told where it was sent as a request, after the event was kept in the journal; an observation that
// comes while the policy chooses, once the policy has chosen, so that the answer has its number.
type (
	// Told answers an event: what became of it, but for the effects. Err is nil when it was taken, which includes a value that was
	// known.
	Told struct {
		Reaction loop.Reaction
		Err      error
	}
	// Heard is what the worker of an attempt says of it, brought by somebody in its stead, whichever worker it was and whether it is
	// still known: it is answered by Told.
	Heard struct{ Answer outcome.Answer }
	// Inspect asks for Inspected.
	Inspect struct{}
	// Inspected is how the study stands.
	Inspected struct{ Snapshot Snapshot }
	// Predict asks for Predicted: what the model says at a point in user units. It costs no budget.
	Predict struct{ X space.Point }
	// Recommend asks for Predicted: the point of which the model expects the best at a context, in user units. It costs no
	// budget.
	Recommend struct{ Context space.Point }
	// Look asks for Looked, once See was called with the loop, to be read, and the time since the study began. Nothing else happens in
	// the study meanwhile: See must be quick, steps no loop and keeps nothing of it. It may see what is not kept yet.
	Look struct {
		See func(l *loop.Loop, elapsed time.Duration)
	}
	// Looked says that See has returned.
	Looked struct{}
	// Predicted is what the model says at a point.
	Predicted struct {
		X space.Point
		loop.Prediction
		Feasible *loop.Feasibility // nil where the study names no constraints
		Err      error             // wraps space.ErrOutsideSpace or loop.ErrNoModel
	}
	// Stop ends the study: no more queries are chosen and what is pending is cancelled.
	Stop struct {
		Reason string
		cause  error // what Ended is to say; nil: a stop that somebody wanted is no error
	}
	// Pause stops a study that is to be resumed from its journal: no more queries are started, and it ends with ReasonPaused
	// once those under way have an outcome, or at once with Now.
	Pause struct {
		Now    bool
		reason string // why, where the caller did not want it
		cause  error  // what Ended is to say; nil: a pause that somebody wanted is no error
	}
	// Await asks for Ended, which comes when the study has ended and its evaluations have returned.
	Await struct{}
	// Ended is how a study ended: the result, and an error unless it came to its end or was stopped.
	Ended struct {
		Result loop.Result
		At     time.Duration // of its last event, since it started
		Err    error
	}
)

// Between the coordinator and workers. The coordinator's own workers and those that joined speak the same messages.
type (
	// Join says that the sender is a worker with slots for so many evaluations at once. It is answered by Joined. The
	// coordinator watches the sender; when it terminates, what it was doing starts again elsewhere.
	Join struct{ Slots int }
	// Joined tells a worker its number, or why it is not wanted.
	Joined struct {
		Worker int
		Err    error
	}
	// Resize says how many slots the sender has from now on, 0 … loop.MaxSlots. What it runs goes on; it gets nothing more before it
	// runs less than that. It has no answer.
	Resize struct{ Slots int }
	// Leave says that the sender takes no further evaluations and gives back those it has.
	Leave struct{ Reason string }
	// Left answers Leave: nothing follows.
	Left struct{}
	// Evaluate asks a worker for an outcome.Answer about the task, once, whenever the answer is there; and, where the study is
	// Exclusive and the attempt was cancelled, for one that says Returned: until then its slot is busy. What the worker of an attempt
	// says about it comes as such an answer; events of the loop are told by somebody else.
	Evaluate struct{ Task workers.Task }
	// Cancel says that nobody waits for an attempt any longer. Its slot counts as free, unless the study is Exclusive.
	Cancel struct{ Evaluation, Attempt int }
)

// Between the coordinator and its policy and fitter. The answer of both is an event that nobody else can send.
type (
	propose struct {
		ask  loop.Ask
		task loop.Task
	}
	fit      struct{ work loop.Fit }
	computed struct{ event loop.Event }
)

// From the coordinator to itself.
type (
	woke    struct{ timer int } // a timer went off
	look    struct{}            // it is time to look whether the study stands still
	drained struct{ left int }  // so many attempts have not returned
)

// dismissed tells a guest of an engine that the study has ended.
type dismissed struct{}

// request is a message whose answer is wanted without a sender.
type request struct {
	message any
	reply   chan<- any // has room for the answer
}
