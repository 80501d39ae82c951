package tarry_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/loop"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMinimizingIsMaximizingTheNegative(t *testing.T) {
	f := func(_ context.Context, q tarry.Query) (float64, error) { return bump(q), nil }
	g := func(_ context.Context, q tarry.Query) (float64, error) { return -bump(q), nil }
	o := tarry.Options{Budget: 25, Workers: 1, Seed: 3}
	high, err := tarry.Maximize(t.Context(), unitSpace(t), f, o)
	if err != nil {
		t.Fatal(err)
	}
	low, err := tarry.Minimize(t.Context(), unitSpace(t), g, o)
	if err != nil {
		t.Fatal(err)
	}
	if high.Best.String() == "" || high.Best.Value != -low.Best.Value || high.Best.ID != low.Best.ID {
		t.Errorf("greatest %v, smallest of the negative %v", high.Best, low.Best)
	}
	if _, err := tarry.Maximize(t.Context(), unitSpace(t), f, tarry.Options{Budget: 5, Minimize: true}); !errors.Is(err, tarry.ErrInvalidOption) {
		t.Errorf("Maximize with Minimize: %v", err)
	}
}

// With one worker the seed decides everything, fits included.
func TestWithOneWorkerTheSeedDecides(t *testing.T) {
	var first string
	for range 3 {
		r, err := tarry.Maximize(t.Context(), unitSpace(t), func(_ context.Context, q tarry.Query) (float64, error) { return bump(q), nil },
			tarry.Options{Budget: 30, Workers: 1, Seed: 11})
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, e := range r.Evaluations {
			lines = append(lines, e.String())
		}
		all := strings.Join(lines, "\n")
		if first == "" {
			first = all
		} else if all != first {
			t.Fatalf("the same seed gives\n%s\nand\n%s", first, all)
		}
	}
}

func TestEveryEvaluationFails(t *testing.T) {
	r, err := tarry.Maximize(t.Context(), unitSpace(t), func(_ context.Context, q tarry.Query) (float64, error) {
		return q.Float("z"), nil
	}, tarry.Options{Budget: 5, Workers: 2})
	if !errors.Is(err, tarry.ErrNoValue) || !strings.Contains(err.Error(), `no parameter "z": want one of x, y`) {
		t.Errorf("error %v", err)
	}
	if r == nil || r.Count(tarry.Failed) != 5 || r.Best != nil {
		t.Errorf("result %v", r)
	}
}

func TestCancellingIsANormalEnding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		r, err := tarry.Maximize(ctx, unitSpace(t), func(ctx context.Context, q tarry.Query) (float64, error) {
			select {
			case <-time.After(7 * time.Minute):
				return bump(q), nil
			case <-ctx.Done():
				return 0, context.Cause(ctx)
			}
		}, tarry.Options{Budget: 1000, Workers: 3, Policy: policy(t, "random")})
		if !errors.Is(err, context.DeadlineExceeded) || r == nil || r.Best == nil {
			t.Fatalf("%v, %v", r, err)
		}
		if r.Count(tarry.Observed) != 24 || r.Count(tarry.Cancelled) != 3 || r.Elapsed != time.Hour {
			t.Errorf("%v", r)
		}
	})
}

// The answers come hours later, from elsewhere; two workers keep twenty evaluations going.
func TestAnswersFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started := make(chan tarry.Query, 20)
		run, err := tarry.Start(t.Context(), unitSpace(t), func(_ context.Context, q tarry.Query) (float64, error) {
			started <- q
			return 0, tarry.ErrAnswerFollows
		}, tarry.Options{Budget: 20, Pending: 20, Workers: 2, Policy: policy(t, "random")})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if s := run.Snapshot(); len(s.Evaluations) != 20 || s.Count(tarry.Pending) != 20 || s.Reason != "" {
			t.Errorf("snapshot %v", s)
		}
		time.Sleep(5 * time.Hour)
		for range 20 {
			q := <-started
			if q.ID.Evaluation == 13 {
				err = run.Fail(q.ID, errors.New("nobody clicked"))
			} else {
				err = run.Tell(q.ID, bump(q))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		r, err := run.Wait()
		if err != nil || r.Count(tarry.Observed) != 19 || r.Evaluations[12].Reason != "nobody clicked" || r.Elapsed != 5*time.Hour {
			t.Errorf("%v, %v", r, err)
		}
		if err := run.Tell(tarry.EvaluationID{Evaluation: 13, Attempt: 1}, 1); !errors.Is(err, tarry.ErrEnded) {
			t.Errorf("after the end: %v", err)
		}
		<-run.Done()
		run.Stop()
		if s := run.Snapshot(); s.Reason != r.Reason {
			t.Errorf("snapshot after the end: %v", s)
		}
	})
}

func TestStopIsNoError(t *testing.T) {
	run, err := tarry.Start(t.Context(), unitSpace(t), func(ctx context.Context, _ tarry.Query) (float64, error) {
		<-ctx.Done()
		return 0, context.Cause(ctx)
	}, tarry.Options{Budget: 5, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	run.Stop()
	run.Stop()
	if r, err := run.Wait(); err != nil || r.Reason != "stopped by the caller" || r.Count(tarry.Cancelled) != len(r.Evaluations) {
		t.Errorf("%v, %v", r, err)
	}
}

func TestContextsAreOffered(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("hour", 0, 24).AsContext(), tarry.Float("price", 1, 9))
	if err != nil {
		t.Fatal(err)
	}
	f := func(_ context.Context, q tarry.Query) (float64, error) {
		return -math.Abs(q.Float("price") - q.Float("hour")/3), nil
	}
	if _, err := tarry.Maximize(t.Context(), s, f, tarry.Options{Budget: 5}); err == nil {
		t.Error("Maximize would wait for ever")
	}
	run, err := tarry.Start(t.Context(), s, f, tarry.Options{Budget: 6, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Offer(25); err == nil {
		t.Error("hour 25 was accepted")
	}
	for k := range 6 {
		if err := run.Offer(float64(4 * k)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := run.Wait()
	if err != nil || r.Count(tarry.Observed) != 6 || r.Evaluations[5].Float("hour") != 20 {
		t.Errorf("%v, %v", r, err)
	}
}

func TestALookSeesTheLoopWhileTheRunGoesOnAndAfterItsEnd(t *testing.T) {
	release := make(chan struct{})
	run := must.Get(tarry.Start(t.Context(), unitSpace(t), func(ctx context.Context, q tarry.Query) (float64, error) {
		<-release
		return q.X[0], nil
	}, tarry.Options{Budget: 3, Workers: 1}))(t)
	look := func() (evaluations int, ended bool) {
		run.Look(func(l *loop.Loop, elapsed time.Duration) {
			if elapsed < 0 {
				t.Error("it began", -elapsed, "from now")
			}
			evaluations, ended = len(l.Evaluations()), l.Finished()
		})
		return evaluations, ended
	}
	if _, ended := look(); ended {
		t.Error("it has ended before its first value")
	}
	close(release)
	must.Get(run.Wait())(t)
	if n, ended := look(); n != 3 || !ended {
		t.Errorf("%d evaluations, ended %v: want 3, true", n, ended)
	}
}
