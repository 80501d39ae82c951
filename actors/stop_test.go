package actors

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/workers"
)

func TestStoppingIsNoError(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 10)
		c.Objective = lasting(time.Hour)
		s := begin(t, c)
		time.Sleep(90 * time.Minute)
		s.Stop("enough")
		end := s.ends()
		if end.Err != nil || end.Result.Reason != "enough" || end.At != 90*time.Minute {
			t.Errorf("the study ended with %v, %q at %v", end.Err, end.Result.Reason, end.At)
		}
		if got := statuses(end.Result); !slices.Equal(got, []loop.Status{loop.Observed, loop.Cancelled}) {
			t.Errorf("the evaluations are %v", got)
		}
	})
}

func TestTheFirstReasonToStopStands(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 10)
		c.Objective = lasting(time.Hour)
		s, cancel := cancellable(t, c)
		synctest.Wait()
		s.Stop("enough")
		s.Stop("once more")
		cancel()
		if end := s.ends(); end.Err != nil || end.Result.Reason != "enough" {
			t.Errorf("the study ended with %v, %q", end.Err, end.Result.Reason)
		}
		if got := countEvents[loop.StopRequested](s.notices); got != 1 {
			t.Errorf("%d requests to stop were taken", got)
		}
	})
}

func TestStoppingAfterTheEndChangesNothing(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := begin(t, plot(t, 2))
		s.ends()
		s.Stop("too late")
		if end := s.ends(); end.Result.Reason != loop.ReasonBudget {
			t.Errorf("the study ended with %q", end.Result.Reason)
		}
	})
}

func TestManyMayWait(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 3)
		c.Objective = lasting(time.Minute)
		s := begin(t, c)
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() {
				if end := s.Wait(); len(end.Result.Evaluations) != 3 {
					t.Errorf("the result is %+v", end.Result)
				}
			})
			group.Go(func() {
				<-s.Ended()
				if got := s.Snapshot(); !got.Ended || got.Result.Reason != loop.ReasonBudget {
					t.Errorf("the snapshot is %+v", got)
				}
			})
		}
		group.Wait()
		s.ends()
	})
}

func TestSnapshotsShowHowTheStudyStands(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 3)
		c.Workers, c.Study.Initial = 2, 3
		c.Objective = lasting(time.Minute)
		s := begin(t, c)
		for _, want := range []struct {
			at                     time.Duration
			chosen, observed, open int
			ended                  bool
		}{
			{30 * time.Second, 2, 0, 2, false},
			{90 * time.Second, 3, 2, 1, false},
			{2 * time.Minute, 3, 3, 0, true},
		} {
			time.Sleep(want.at - s.Snapshot().At)
			synctest.Wait()
			got := s.Snapshot()
			observed := 0
			for _, status := range statuses(got.Result) {
				if status == loop.Observed {
					observed++
				}
			}
			if got.At != want.at || len(got.Result.Evaluations) != want.chosen || observed != want.observed || got.Open != want.open || got.Ended != want.ended {
				t.Errorf("at %v: %d queries, %d values, %d open, ended %v; want %+v", got.At, len(got.Result.Evaluations), observed, got.Open, got.Ended, want)
			}
		}
		s.ends()
	})
}

// A policy that thinks for minutes holds up neither an answer nor a snapshot nor the end.
func TestASlowPolicyHoldsNothingUp(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 5)
		c.Policy, c.Objective, c.Study.Initial = pondering(10*time.Minute), following, 2
		s := begin(t, c)
		time.Sleep(time.Minute)
		if err := s.Tell(2, 1, 3); err != nil {
			t.Error(err)
		}
		got := s.Snapshot()
		if got.At != time.Minute || got.Result.Best.Value != 3 || len(got.Result.Evaluations) != 2 {
			t.Errorf("the snapshot is %+v", got)
		}
		time.Sleep(time.Minute)
		start := time.Now()
		s.Stop("enough")
		end := s.ends()
		if end.Err != nil || end.At != 2*time.Minute || time.Since(start) > DefaultGrace {
			t.Errorf("the study ended with %v at %v, and Wait returned %v later", end.Err, end.At, time.Since(start))
		}
		time.Sleep(10 * time.Minute)
	})
}

func TestAPolicyThatNeverReturnsIsLeftBehind(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		released := make(chan struct{})
		c := plot(t, 5)
		c.Grace = time.Minute
		c.Policy = thinker(func(policies.View, int) ([]policies.Proposal, error) { <-released; return nil, nil })
		start := time.Now()
		s := begin(t, c)
		synctest.Wait()
		s.Stop("enough")
		if end := s.ends(); end.Err != nil || len(end.Result.Evaluations) != 1 || time.Since(start) != time.Minute {
			t.Errorf("the study ended with %v, and Wait returned after %v", end.Err, time.Since(start))
		}
		close(released)
	})
}

// The budget is spent and one answer never comes: patience ends the study, counted from the last query.
func TestPatienceEndsAStudy(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 3)
		c.Study.Patience = 10 * time.Minute
		c.Objective = func(ctx context.Context, task workers.Task) (float64, error) {
			if task.Evaluation == 2 {
				return following(ctx, task)
			}
			return lasting(time.Minute)(ctx, task)
		}
		end := begin(t, c).ends()
		if end.Err != nil || end.Result.Reason != loop.ReasonPatience || end.At != 11*time.Minute {
			t.Errorf("the study ended with %v, %q at %v", end.Err, end.Result.Reason, end.At)
		}
		if got := statuses(end.Result); !slices.Equal(got, []loop.Status{loop.Observed, loop.Cancelled, loop.Observed}) {
			t.Errorf("the evaluations are %v", got)
		}
	})
}

// A value that comes while objectives are tidying up counts, from whoever it comes: it was expensive. Nothing else does.
func TestAValueCountsWhileObjectivesAreWaitedFor(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 2)
		c.Study.Initial = 2
		c.Workers = 2
		c.Objective = func(ctx context.Context, task workers.Task) (float64, error) {
			<-ctx.Done()
			time.Sleep(2 * time.Second)
			return 5, nil
		}
		s := begin(t, c)
		time.Sleep(time.Second)
		s.Stop("enough")
		synctest.Wait()
		if got := s.Snapshot(); !got.Ended || got.Open != 2 {
			t.Errorf("the snapshot is %+v", got)
		}
		if err := s.Fail(2, 1, "burnt"); !errors.Is(err, ErrEnded) {
			t.Errorf("a failure after the end: %v", err)
		}
		if err := s.Tell(1, 1, 4); err != nil {
			t.Errorf("a value after the end: %v", err)
		}
		if got := s.Snapshot(); got.Result.Best == nil || got.Result.Best.Value != 4 {
			t.Errorf("the snapshot does not know of the value: %+v", got)
		}
		end := s.ends()
		if got := statuses(end.Result); !slices.Equal(got, []loop.Status{loop.Late, loop.Late}) || end.Result.Best.Value != 5 || end.At != 3*time.Second {
			t.Errorf("the ending is %+v", end)
		}
		if err := s.Tell(2, 1, 6); !errors.Is(err, ErrEnded) {
			t.Errorf("a value after Wait: %v", err)
		}
	})
}
