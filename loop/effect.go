package loop

import (
	"time"

	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/space"
)

// Effect is something that the driver must do: the output of Step. The set is closed.
type Effect interface{ effect() }

// Ask wants the policy's Propose called with the view of Loop.Task and the stream (seed, policy, Round), and the answer
// brought back as Proposed or ProposeFailed with the same ID: Task.Run does it. At most one Ask is open.
type Ask struct{ ID, Round, Count int }

// Fit wants hyperparameters for the data, brought back as Fitted or FitFailed with the same ID. Run computes it. At most
// one Fit is open. Nothing in it changes any more: it may run anywhere.
type Fit struct{ model.Fit }

// Dispatch wants an evaluation run on a worker. Its value comes back as FeedbackArrived, at once or any time later.
type Dispatch struct {
	Evaluation, Attempt, Worker int
	X                           space.Point   // user units
	Deadline                    time.Duration // since the study started; 0 means none
}

// Cancel says that nobody waits for this attempt any longer. Its slot counts as free.
type Cancel struct {
	Evaluation, Attempt, Worker int
	Silent                      bool // it was given up since hardly any answer was expected (Config.GiveUp)
}

// WakeAt wants a Woke event at the given time. It takes the place of the WakeAt before it.
type WakeAt struct{ At time.Duration }

// Finish is the last effect of a study that came to its end.
type Finish struct{ Result Result }

func (Ask) effect()      {}
func (Fit) effect()      {}
func (Dispatch) effect() {}
func (Cancel) effect()   {}
func (WakeAt) effect()   {}
func (Finish) effect()   {}

// Failed is the event that says why a fit has no result.
func (f Fit) Failed(reason string) Event { return FitFailed{Fit: f.ID, Reason: reason} }

// Answers reports whether an event is one that answers the fit.
func (f Fit) Answers(e Event) bool {
	switch e := e.(type) {
	case Fitted:
		return e.Fit == f.ID
	case FitFailed:
		return e.Fit == f.ID
	}
	return false
}

// Run computes the fit and returns the event that answers it; a fit that panics has failed. Cost O(n³) for each
// evaluation of the evidence.
func (f Fit) Run() Event {
	h, err := f.Learn()
	if err != nil {
		return f.Failed(err.Error())
	}
	return Fitted{Fit: f.ID, Hyper: h.Kernel, Noise: h.Noise, LogEvidence: h.LogEvidence, Kernel: h.Name, Warp: h.Warp, Shift: h.Shift, Scale: h.Scale, Outliers: h.Outliers, Penal: h.Penal, Penalty: h.Penalty, Particles: h.Particles, Doubtful: h.Doubtful}
}
