package actors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/workers"
)

// cancellable starts a study and returns what ends its context.
func cancellable(t *testing.T, c Config) (*story, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	return beginWith(ctx, t, c), cancel
}

// cancelled waits for the end of a study whose context ended at a given time.
func (s *story) cancelled(at time.Duration) Ended {
	s.t.Helper()
	end := s.ends()
	if !errors.Is(end.Err, context.Canceled) || !strings.Contains(end.Result.Reason, "context canceled") {
		s.t.Errorf("the study ended with %v, %q", end.Err, end.Result.Reason)
	}
	if end.At != at {
		s.t.Errorf("the study ended at %v, want %v", end.At, at)
	}
	if s.logs.FilterMessage("study interrupted").Len() != 1 {
		s.t.Error("the log does not say that the study was interrupted")
	}
	return end
}

func TestAContextThatHasEndedStartsNothing(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c := plot(t, 3)
		c.Objective = func(context.Context, workers.Task) (float64, error) { t.Error("evaluated"); return 0, nil }
		end := beginWith(ctx, t, c).cancelled(0)
		if len(end.Result.Evaluations) != 0 || end.Result.Best != nil {
			t.Errorf("the result is %+v", end.Result)
		}
	})
}

func TestCancellingWhileWorkersJoin(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := plot(t, 100)
		c.Workers, c.Objective, c.Study.Initial = 50, lasting(time.Hour), 50
		c.OnEvent = func(n Notice) {
			if e, ok := n.Event.(loop.WorkerJoined); ok && e.Worker == 25 {
				cancel()
			}
		}
		start := time.Now()
		s := beginWith(ctx, t, c)
		end := s.cancelled(0)
		if n := len(end.Result.Evaluations); n < 25 || time.Since(start) > 0 {
			t.Errorf("%d evaluations, and Wait returned after %v", n, time.Since(start))
		}
		for _, e := range end.Result.Evaluations {
			if e.Status != loop.Cancelled {
				t.Errorf("evaluation %d is %v", e.Number, e.Status)
			}
		}
	})
}

func TestCancellingWhileThePolicyThinks(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 3)
		c.Policy = pondering(time.Hour)
		start := time.Now()
		s, cancel := cancellable(t, c)
		time.Sleep(time.Minute)
		cancel()
		end := s.cancelled(time.Minute)
		if got := statuses(end.Result); !slices.Equal(got, []loop.Status{loop.Observed}) {
			t.Errorf("the evaluations are %v", got)
		}
		if got := time.Since(start); got != time.Minute+DefaultGrace {
			t.Errorf("Wait returned after %v", got)
		}
		time.Sleep(time.Hour) // the thought comes to its end, and nobody wants it
		if got := len(s.notices); got != len(s.store.All()) {
			t.Error("something happened after the end")
		}
	})
}

func TestCancellingWhileAFitRuns(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		policy, err := policies.Parse("gp-bucb")
		if err != nil {
			t.Fatal(err)
		}
		c := plot(t, 8)
		c.Policy, c.Study.Initial = policy, 4
		c.Fit = func(f loop.Fit) loop.Event { time.Sleep(time.Hour); return f.Run() }
		s, cancel := cancellable(t, c)
		time.Sleep(time.Minute)
		cancel()
		end := s.cancelled(time.Minute)
		if got := len(end.Result.Evaluations); got != 4 || end.Result.Best == nil || end.Result.Recommended == nil {
			t.Errorf("%d evaluations, best %v", got, end.Result.Best)
		}
		time.Sleep(time.Hour)
	})
}

// Values that came before are there. Every objective under way sees its context end, for the reason that it should.
func TestCancellingWhileEvaluationsRun(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		heard := make(chan error, 3)
		c := plot(t, 10)
		c.Workers, c.Study.Initial = 3, 3
		c.Objective = func(ctx context.Context, task workers.Task) (float64, error) {
			if task.Evaluation <= 2 {
				return float64(task.Evaluation), nil
			}
			<-ctx.Done()
			heard <- context.Cause(ctx)
			return 0, ctx.Err()
		}
		start := time.Now()
		s, cancel := cancellable(t, c)
		time.Sleep(10 * time.Second)
		cancel()
		end := s.cancelled(10 * time.Second)
		if time.Since(start) != 10*time.Second || s.Snapshot().Open != 0 {
			t.Errorf("Wait returned after %v with %d attempts open", time.Since(start), s.Snapshot().Open)
		}
		want := []loop.Status{loop.Observed, loop.Observed, loop.Cancelled, loop.Cancelled, loop.Cancelled}
		if got := statuses(end.Result); !slices.Equal(got, want) || end.Result.Best.Value != 2 {
			t.Errorf("the evaluations are %v, want %v; the best is %v", got, want, end.Result.Best)
		}
		for range 3 {
			if cause := <-heard; cause != workers.ErrCancelled {
				t.Errorf("a context ended because of %v", cause)
			}
		}
	})
}

func TestCancellingWhileAnAnswerFollows(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 2)
		c.Objective = following
		s, cancel := cancellable(t, c)
		time.Sleep(time.Minute)
		if err := s.Tell(1, 1, 7); err != nil {
			t.Error(err)
		}
		cancel()
		end := s.cancelled(time.Minute)
		if got := statuses(end.Result); !slices.Equal(got, []loop.Status{loop.Observed, loop.Cancelled}) || end.Result.Best.Value != 7 {
			t.Errorf("the evaluations are %v, the best is %v", got, end.Result.Best)
		}
		if err := s.Tell(2, 1, 8); !errors.Is(err, ErrEnded) {
			t.Errorf("a value after the end: %v", err)
		}
	})
}

func TestCancellingAfterTheEndChangesNothing(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s, cancel := cancellable(t, plot(t, 2))
		before := s.ends()
		cancel()
		synctest.Wait()
		after := s.ends()
		if before.Err != nil || after.Err != nil || after.Result.Reason != loop.ReasonBudget {
			t.Errorf("the study ended with %v and then with %v", before.Err, after.Err)
		}
	})
}

func TestCancellingWhileAnObjectiveIsWaitedForDoesNotChangeTheEnding(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 1)
		c.Study.Timeout, c.Grace = time.Second, 10*time.Second
		c.Objective = func(context.Context, workers.Task) (float64, error) { time.Sleep(5 * time.Second); return 0, nil }
		start := time.Now()
		s, cancel := cancellable(t, c)
		time.Sleep(2 * time.Second)
		cancel()
		if end := s.ends(); end.Err != nil || end.Result.Reason != loop.ReasonBudget || time.Since(start) != 5*time.Second {
			t.Errorf("the study ended with %v, %q after %v", end.Err, end.Result.Reason, time.Since(start))
		}
	})
}

func TestADeadlineAndACauseAreReported(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 1)
		c.Objective = lasting(time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if end := beginWith(ctx, t, c).ends(); !errors.Is(end.Err, context.DeadlineExceeded) || end.At != time.Minute {
			t.Errorf("the study ended with %v at %v", end.Err, end.At)
		}
		power := errors.New("the power failed")
		caused, fail := context.WithCancelCause(t.Context())
		s := beginWith(caused, t, c)
		time.Sleep(time.Minute)
		fail(power)
		if end := s.cancelled(time.Minute); !errors.Is(end.Err, power) {
			t.Errorf("the study ended with %v, want %v too", end.Err, power)
		}
	})
}

// Objectives see the values of the context, and its end only through the study, which answers for them.
func TestObjectivesSeeTheValuesOfTheContext(t *testing.T) {
	type key struct{}
	inVirtualTime(t, func(t *testing.T) {
		var seen any
		c := plot(t, 1)
		c.Objective = func(ctx context.Context, _ workers.Task) (float64, error) { seen = ctx.Value(key{}); return 0, nil }
		beginWith(context.WithValue(t.Context(), key{}, "rye"), t, c).ends()
		if seen != "rye" {
			t.Errorf("the objective sees %v", seen)
		}
	})
}

// Objectives that return just when their time is up neither keep a slot for ever nor lose a value, whatever order the clock
// and the answers come in.
func TestAnswersAtTheirTimeout(t *testing.T) {
	const timeout = 4 * time.Millisecond
	config := plot(t, 300)
	config.Workers, config.Study.Exclusive, config.Study.Timeout, config.Study.Retries = 4, true, timeout, 1
	var values atomic.Int64
	config.Objective = func(ctx context.Context, task workers.Task) (float64, error) {
		time.Sleep(timeout + time.Duration(task.Evaluation%21-10)*50*time.Microsecond)
		switch task.Evaluation % 5 {
		case 0:
			return 0, errors.New("broken")
		case 1:
			return 0, outcome.ErrLost
		}
		values.Add(1)
		return gain(task.X), nil
	}
	s := begin(t, config)
	end := s.ends()
	if end.Err != nil || len(end.Result.Evaluations) < 300 {
		t.Fatalf("%d evaluations, %v", len(end.Result.Evaluations), end.Err)
	}
	for _, e := range end.Result.Evaluations {
		if e.Number%5 > 1 && !e.Status.Valued() {
			t.Errorf("evaluation %d is %v, though each of its attempts had a value", e.Number, e.Status)
		}
	}
	if values.Load() < 150 {
		t.Errorf("%d values", values.Load())
	}
}

// A worker that finds out, after its time was up or the study had ended, that its point cannot be evaluated is heard.
func TestAVerdictComesLate(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		config := plot(t, 2)
		config.Study.Timeout, config.Workers = time.Minute, 2
		config.Objective = func(context.Context, workers.Task) (float64, error) {
			time.Sleep(2 * time.Minute) // deaf
			return 0, fmt.Errorf("no such mesh: %w", outcome.ErrInfeasible)
		}
		config.Grace = time.Hour
		s := begin(t, config)
		end := s.Wait()
		for _, e := range end.Result.Evaluations {
			if e.Status != loop.Infeasible || !strings.Contains(e.Reason, "no such mesh") {
				t.Errorf("evaluation %d is %v: %q", e.Number, e.Status, e.Reason)
			}
		}
	})
}
