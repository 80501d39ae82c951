package actors

import (
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// A coordinator that is resumed with another budget says so in its journal before it does anything else, also where the study
// had ended, and goes on with the workers that are there now.
func TestACoordinatorGoesOnWithAnotherBudget(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		store := &journal.Memory{}
		c := plot(t, 4)
		c.Objective, c.Workers, c.Journal = lasting(time.Second), 2, store
		e, err := Start(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if end := e.Wait(); end.Err != nil || end.Result.Reason != loop.ReasonBudget {
			t.Fatalf("%+v", end)
		}
		before := len(store.All())
		c.Resume, c.Budget, c.Workers = true, 7, 3
		if e, err = Start(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		end := e.Wait()
		if end.Err != nil || end.Result.Spent != 7 || end.Result.Counters.Unknown+end.Result.Counters.Repeated > 0 {
			t.Errorf("%+v", end)
		}
		further := store.All()[before:]
		if _, resumed := further[0].Event.Event.(loop.Resumed); !resumed || further[1].Event.Event != (loop.BudgetSet{Budget: 7}) {
			t.Errorf("it went on with %+v, %+v", further[0].Event, further[1].Event)
		}
		if _, err := journal.Verify(store); err != nil {
			t.Error(err)
		}
		c.Budget = 6
		if _, err := Start(t.Context(), c); err == nil || !strings.Contains(err.Error(), "Config.Budget = 6: want 7 ≤ Budget ≤ 100000") {
			t.Errorf("%v", err)
		}
	})
}
