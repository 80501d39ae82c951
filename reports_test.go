package tarry_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// An objective reports half of its value, and gives up where the study says so.
func TestAnObjectiveReportsAndIsStopped(t *testing.T) {
	var stopped atomic.Int32
	store := must.Get(sqlite.Create(filepath.Join(t.TempDir(), "s.db")))(t)
	defer store.Close()
	line := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t)
	result, err := tarry.Maximize(t.Context(), line, func(ctx context.Context, q tarry.Query) (float64, error) {
		y := 1 - math.Pow(q.Float("x")-0.3, 2)
		for step := 1.0; step < 4; step++ {
			if err := q.Report(step, y*step/4); err != nil {
				if !errors.Is(err, tarry.ErrCancelled) {
					t.Errorf("%v", err)
				}
				<-ctx.Done()
				stopped.Add(1)
				return 0, err
			}
		}
		return y, nil
	}, tarry.Options{Budget: 40, Workers: 3, Initial: 20, StopEarly: 0.2, Seed: 2, Journal: store})
	if err != nil {
		t.Fatal(err)
	}
	if n := result.Count(tarry.Stopped); n == 0 || n != int(stopped.Load()) || n != result.Counters.Stopped || result.Best.Value < 0.999 {
		t.Errorf("%d stopped, %d of them heard of it: %v", n, stopped.Load(), result)
	}
	for _, e := range result.Evaluations {
		if e.Status == tarry.Observed && (len(e.Reports) != 3 || e.Reports[2] != (tarry.Report{Step: 3, Value: e.Value * 3 / 4})) {
			t.Errorf("evaluation %v reported %v", e, e.Reports)
		}
	}
	if err := result.Best.Report(4, 1); !errors.Is(err, tarry.ErrUnknownEvaluation) {
		t.Errorf("a query of a result reports: %v", err)
	}
	if _, _, err := journal.Replay(store); err != nil {
		t.Error(err)
	}
}

func TestWhatIsWrongWithAReportIsAnError(t *testing.T) {
	line := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t)
	s := must.Get(tarry.NewStudy(line, tarry.Options{Budget: 2, Initial: 2, Pending: 2}))(t)
	q := must.Get(s.Ask())(t)
	for _, c := range []struct {
		id          tarry.EvaluationID
		step, value float64
		want        error
	}{
		{q.ID, 2, 0.5, nil}, {q.ID, 2, 0.5, nil}, {q.ID, 1, 0.4, nil}, {q.ID, 2, 0.6, tarry.ErrContradiction},
		{q.ID, 3, math.NaN(), tarry.ErrInvalidOption}, {q.ID, math.Inf(1), 1, tarry.ErrInvalidOption},
		{tarry.EvaluationID{Evaluation: 9, Attempt: 1}, 1, 1, tarry.ErrUnknownEvaluation}, {tarry.EvaluationID{Evaluation: 1, Attempt: 2}, 1, 1, tarry.ErrUnknownEvaluation},
	} {
		if err := s.Report(c.id, c.step, c.value); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%v at step %v: %v, want %v", c.value, c.step, err, c.want)
		}
	}
	if err := errors.Join(q.Report(3, 0.6), s.Tell(q.ID, 0.7)); err != nil {
		t.Error(err)
	}
	if err := s.Report(q.ID, 4, 0.7); !errors.Is(err, tarry.ErrCancelled) {
		t.Errorf("a report after the value: %v", err)
	}
	c := s.Result().Counters
	if c.Reports != 2 || c.Resaid != 1 || c.Stale != 1 || c.Contested != 1 || c.Malformed != 2 || c.Unknown != 2 || c.Overdue != 1 {
		t.Errorf("%+v", c)
	}
}

// A run that has ended hears reports no more, and says so as to one who should give up.
func TestAReportAfterTheEndOfARun(t *testing.T) {
	line := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t)
	run := must.Get(tarry.Start(t.Context(), line, func(context.Context, tarry.Query) (float64, error) { return 1, nil }, tarry.Options{Budget: 1}))(t)
	result := must.Get(run.Wait())(t)
	if err := run.Report(result.Best.ID, 1, 1); !errors.Is(err, tarry.ErrCancelled) || !errors.Is(err, tarry.ErrEnded) {
		t.Errorf("%v", err)
	}
}
