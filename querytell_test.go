package tarry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
)

// An objective needs no Run to bring its value later: the query knows its study from the first one on.
func TestAQueryIsToldLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		later := func(q tarry.Query) {
			time.Sleep(time.Hour)
			err := q.Renew()
			time.Sleep(time.Hour)
			switch q.ID.Evaluation {
			case 4:
				err = errors.Join(err, q.Fail(errors.New("nobody clicked")))
			case 5:
				err = errors.Join(err, q.TellOutcome(tarry.Outcome{Value: bump(q), Cost: 3}))
			default:
				err = errors.Join(err, q.Tell(bump(q)), q.Tell(bump(q)))
			}
			if err != nil {
				t.Error(err)
			}
		}
		r, err := tarry.Maximize(t.Context(), unitSpace(t), func(_ context.Context, q tarry.Query) (float64, error) {
			go later(q)
			return 0, tarry.ErrAnswerFollows
		}, tarry.Options{Budget: 8, Pending: 4, Workers: 2, Lease: 90 * time.Minute, Policy: policy(t, "random")})
		if err != nil || r.Count(tarry.Observed) != 7 || r.Evaluations[3].Reason != "nobody clicked" || r.Evaluations[4].Cost != 3 || r.Elapsed != 4*time.Hour {
			t.Errorf("%v, %v", r, err)
		}
		if err := r.Best.Tell(1); !errors.Is(err, tarry.ErrUnknownEvaluation) {
			t.Errorf("a query of a result is told: %v", err)
		}
	})
}

func TestAQueryOfAStudyIsTold(t *testing.T) {
	s := must.Get(tarry.NewStudy(unitSpace(t), tarry.Options{Budget: 2, Initial: 2, Pending: 2}))(t)
	q := must.Get(s.Ask())(t)
	if err := q.Tell(3); err != nil {
		t.Error(err)
	}
	if err := q.Tell(4); !errors.Is(err, tarry.ErrContradiction) {
		t.Errorf("another value: %v", err)
	}
	if best := s.Result().Best; best == nil || best.Value != 3 {
		t.Errorf("best %v", best)
	}
}

// Who evaluates for a study of another process is told where the value goes.
func TestAQueryFromElsewhereIsToldElsewhere(t *testing.T) {
	q := tarry.NewQuery(unitSpace(t), tarry.EvaluationID{Evaluation: 7, Attempt: 1}, tarry.Point{.5, .5}, time.Time{}, func(float64, float64) error { return nil })
	err := q.Tell(1)
	if want := "tarry: evaluation 7.1: its study is in another process: want Run.Tell there, with Query.ID: unsupported operation"; !errors.Is(err, errors.ErrUnsupported) || fmt.Sprint(err) != want {
		t.Errorf("%v, want %v", err, want)
	}
	if err := q.Report(1, 1); err != nil {
		t.Errorf("report: %v", err)
	}
}
