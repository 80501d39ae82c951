package remote

import (
	"context"
	"errors"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
)

func TestAStudyEndsWithItsWorkersElsewhere(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: DefaultHeartbeat})
	policy, err := tarry.ParsePolicy("gp-bucb")
	fatal(t, err)
	store := &journal.Memory{}
	run := start(t, hub, tarry.Options{Budget: 40, Policy: policy, Name: "hill", Journal: store})
	one := employ(t, connect(t, s), Worker{Objective: hill, Name: "one"})
	two := employ(t, connect(t, s), Worker{Objective: hill, Name: "two", Slots: 3})
	result, err := run.Wait()
	fatal(t, err)
	if result.Best.Value < -.01 || len(result.Evaluations) != 40 || result.Counters != (tarry.Counters{Fits: result.Counters.Fits}) {
		t.Errorf("best %v of %d, counters %+v", result.Best, len(result.Evaluations), result.Counters)
	}
	if l, open, err := journal.Replay(store); err != nil || len(open) > 0 || !l.Finished() {
		t.Errorf("replay: %v, %d effects are open", err, len(open))
	}
	for _, quit := range []func() error{one, two} {
		if err := quit(); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if left := hub.Workers(); len(left) != 0 {
		t.Errorf("still there: %+v", left)
	}
}
