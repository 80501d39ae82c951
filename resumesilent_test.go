package tarry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// A study whose evaluations report on their way, of which some are ended early and one in five is lost and given up, goes on after any record: what is
// rebuilt keeps all its laws, what its policy was asked it is asked again, and it comes to its end with its whole budget.
func TestAStudyThatHearsReportsAndGivesUpGoesOnAfterAnyRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		objective := func(ctx context.Context, q tarry.Query) (float64, error) {
			n := q.ID.Evaluation
			y, err := hill(ctx, q)
			for step := 1.0; step <= 3; step++ {
				time.Sleep(time.Second + time.Duration(n)*time.Millisecond)
				if n%5 == 4 && step > 1 { // it reports once, and is never heard of again
					<-ctx.Done()
					return 0, ctx.Err()
				}
				if err := q.Report(step, y*step/4); err != nil {
					return 0, err
				}
			}
			return y, err
		}
		store := &journal.Memory{}
		o := tarry.Options{Budget: 26, Workers: 3, Seed: 2, Policy: policy(t, "gp-bucb"), GiveUp: 0.1, Forget: 0.3, WeighPending: true, StopEarly: 0.1, Journal: store}
		whole, err := tarry.Maximize(t.Context(), unitSpace(t), objective, o)
		if err != nil {
			t.Fatal(err)
		}
		if c := whole.Counters; c.GivenUp == 0 || c.Stopped == 0 || c.Reports < 40 || c.Repeated > 0 {
			t.Fatalf("%+v: want some given up, some stopped, and nothing said twice", c)
		}
		all := store.All()
		for cut := 0; cut <= len(all); cut += 1 + cut%4 {
			if raced && cut%3 > 0 {
				continue
			}
			before := part(t, store, cut)
			l, open, err := journal.Replay(before)
			if err != nil {
				t.Fatal(err)
			}
			if err := l.Check(); err != nil {
				t.Fatalf("after record %d: %v", cut, err)
			}
			run, err := tarry.Resume(t.Context(), before, objective, tarry.Options{Workers: 3})
			if err != nil {
				t.Fatal(err)
			}
			result, err := run.Wait()
			if spent := result.Count(tarry.Observed) + result.Count(tarry.Stopped) + result.Count(tarry.Late); err != nil || spent != o.Budget {
				t.Fatalf("after record %d: %v, %d of %d were spent\n%v", cut, err, spent, o.Budget, result)
			}
			for _, effect := range open {
				if ask, ok := effect.(loop.Ask); ok {
					sameProposal(t, all[cut:], before.All()[cut:], ask.ID)
				}
			}
		}
	})
}
