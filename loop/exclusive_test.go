package loop

import (
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/space"
)

// An exclusive worker whose attempt took too long gets nothing else before that attempt has returned, and the time of the
// next one begins then.
func TestAnExclusiveWorkerIsBusyUntilItsAttemptHasReturned(t *testing.T) {
	s, err := space.New(space.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, exclusive := range []bool{true, false} {
		d := drive(t, Config{Space: s, Budget: 4, Initial: 4, Timeout: time.Minute, Exclusive: exclusive})
		d.step(0, WorkerJoined{Worker: 1, Slots: 1})
		effects := d.step(time.Minute, Woke{})
		next := func(e Effect) bool { d, ok := e.(Dispatch); return ok && d.Evaluation == 2 }
		if got := slices.ContainsFunc(effects, next); got == exclusive {
			t.Fatalf("exclusive %v: evaluation 2 started with the timeout: %v", exclusive, got)
		}
		if d.l.Overdue(1) != exclusive || d.l.Evaluations()[0].Status != TimedOut {
			t.Fatalf("exclusive %v: overdue %v, evaluation 1 is %v", exclusive, d.l.Overdue(1), d.l.Evaluations()[0].Status)
		}
		effects = d.step(90*time.Second, WorkerFreed{Worker: 1})
		if !exclusive {
			if d.l.Counters().Unknown != 1 {
				t.Error("a worker that was free was freed")
			}
			continue
		}
		if !slices.ContainsFunc(effects, next) || d.l.Evaluations()[1].Deadline != 150*time.Second {
			t.Errorf("after the attempt returned: %v, deadline %v", effects, d.l.Evaluations()[1].Deadline)
		}
		d.step(95*time.Second, FeedbackArrived{Evaluation: 1, Attempt: 1, Value: 2}) // a value all the same
		if d.l.Evaluations()[0].Status != Late {
			t.Errorf("evaluation 1 is %v", d.l.Evaluations()[0].Status)
		}
		d.step(96*time.Second, WorkerLeft{Worker: 1, Reason: "gone"})
		d.step(97*time.Second, Resumed{})
	}
}
