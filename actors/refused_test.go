package actors

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/workers"
)

// A value that the journal refuses is refused, also when it would have ended the study, also when it is told again; and it
// is no result.
func TestAValueThatATransactionLosesIsNeverKnown(t *testing.T) {
	for budget := 1; budget <= 2; budget++ { // the value ends the study, or does not
		inVirtualTime(t, func(t *testing.T) {
			store := &accountant{}
			c := plot(t, budget)
			c.Study.Initial, c.Objective, c.Journal = budget, following, store
			e, err := Start(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			store.refuse.Store(1)
			for range 3 {
				if err := e.Tell(1, 1, 7); !errors.Is(err, journal.ErrNotKept) && !errors.Is(err, ErrEnded) {
					t.Errorf("budget %d: told %v", budget, err)
				}
			}
			end := e.Wait()
			if !errors.Is(end.Err, journal.ErrNotKept) || end.Result.Best != nil {
				t.Errorf("budget %d: ended with %v, best %+v", budget, end.Err, end.Result.Best)
			}
		})
	}
}

// Whoever is told to leave at once leaves at once, whatever else is said; workers from outside hear that nobody waits.
func TestLeavingAtOnceIsNotTakenBack(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := outside(t, 4)
		c.Study.Initial = 4
		e := embed(t, c)
		g, pid := e.invite(2, time.Hour)
		synctest.Wait() // until they are at it
		e.system.Root.Send(e.pid, Pause{Now: true})
		e.system.Root.Send(e.pid, Pause{})
		end := e.asked(Await{}).(Ended)
		if end.Err != nil || end.Result.Reason != ReasonPaused || len(end.Result.Evaluations) != 2 || end.Result.Evaluations[0].Status != loop.Pending {
			t.Errorf("%v, %+v", end.Err, end.Result.Evaluations)
		}
		if err := e.system.Root.PoisonFuture(e.pid).Wait(); err != nil {
			t.Error(err)
		}
		e.home(pid)
		if len(g.ended) != 2 {
			t.Errorf("cancelled: %v", g.ended)
		}
	})
}

// An exclusive worker takes its next query when its objective has returned, not before.
func TestAnExclusiveWorkerDoesOneThingAtATime(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 4)
		c.Study.Initial, c.Study.Timeout, c.Study.Exclusive = 4, time.Minute, true
		running, most := 0, 0
		c.Outcomes = counting(&running, &most, 3*time.Minute)
		c.Objective, c.Grace = nil, time.Hour
		s := begin(t, c)
		end := s.ends()
		if most != 1 || end.Err != nil || len(end.Result.Evaluations) != 4 || end.Result.Evaluations[0].Status != loop.Late {
			t.Errorf("%d at once, %v, %v", most, end.Err, statuses(end.Result))
		}
	})
}

// counting is an objective that ignores its context, and counts how many of it run.
func counting(running, most *int, takes time.Duration) workers.OutcomeFunc {
	var mutex sync.Mutex
	return func(_ context.Context, t workers.Task) (outcome.Outcome, error) {
		mutex.Lock()
		*running++
		*most = max(*most, *running)
		mutex.Unlock()
		time.Sleep(takes)
		mutex.Lock()
		*running--
		mutex.Unlock()
		return outcome.Of(gain(t.X)), nil
	}
}
