package tarry_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/workers"
)

// away is a Remote with one worker, which answers at once, or which takes no study.
type away struct {
	refuses error
	study   *tarry.RemoteStudy
	told    []error
	n       int
}

func (a *away) Attach(s *tarry.RemoteStudy) error {
	if a.refuses != nil {
		return a.refuses
	}
	a.study = s
	_, err := s.Join(1, a)
	return err
}

func (a *away) Evaluate(t workers.Task) {
	a.n++
	go a.study.Answer(outcome.Answer{Evaluation: t.Evaluation, Attempt: t.Attempt, Outcome: outcome.Of(t.X[0])})
}

func (a *away) Cancel(int, int) {}
func (a *away) Ended(err error) { a.told = append(a.told, err) }

func TestAStudyIsEvaluatedByItsRemote(t *testing.T) {
	store := &journal.Memory{}
	for budget := 5; budget <= 8; budget += 3 {
		a := &away{}
		run, err := tarry.StartOrResume(t.Context(), store, unitSpace(t), nil, tarry.Options{Budget: budget, Policy: policy(t, "random"), Name: "far", Remote: a})
		if err != nil {
			t.Fatal(err)
		}
		result, err := run.Wait()
		if err != nil || len(result.Evaluations) != budget || a.study.Name() != "far" || a.study.Config().Budget < 5 {
			t.Errorf("%d evaluations, %v", len(result.Evaluations), err)
		}
		if e, there := a.study.Evaluation(budget); !there || e.Value != result.Evaluations[budget-1].Value {
			t.Errorf("evaluation %d is %+v", budget, e)
		}
		if err := a.study.Report(tarry.EvaluationID{Evaluation: 1, Attempt: 1}, 1, 1); !errors.Is(err, tarry.ErrCancelled) {
			t.Errorf("a report after the end: %v", err)
		}
		if len(a.told) != 1 || !errors.Is(a.told[0], tarry.ErrEnded) {
			t.Errorf("the guest heard %v", a.told)
		}
		<-a.study.Done()
	}
}

func TestARemoteWorksBesideAnObjective(t *testing.T) {
	a, here := &away{}, 0
	run, err := tarry.Start(t.Context(), unitSpace(t), func(context.Context, tarry.Query) (float64, error) {
		here++
		time.Sleep(time.Millisecond)
		return 0, nil
	}, tarry.Options{Budget: 20, Workers: 1, Policy: policy(t, "random"), Remote: a})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Wait(); err != nil || here == 0 || a.n == 0 || here+a.n != 20 {
		t.Errorf("%d here and %d away, %v", here, a.n, err)
	}
}

func TestWhatCannotBeRemoteIsRefused(t *testing.T) {
	s := unitSpace(t)
	_, asked := tarry.NewStudy(s, tarry.Options{Budget: 3, Remote: &away{}})
	_, timed := tarry.NewStudy(s, tarry.Options{Budget: 3, MaxTime: time.Second})
	_, busy := tarry.Start(t.Context(), s, nil, tarry.Options{Budget: 3, Workers: 2, Remote: &away{}})
	_, none := tarry.Start(t.Context(), s, nil, tarry.Options{Budget: 3})
	full := errors.New("there is no room")
	store := &journal.Memory{}
	_, refused := tarry.Start(t.Context(), s, nil, tarry.Options{Budget: 3, Remote: &away{refuses: full}, Journal: store})
	_, resumed := tarry.ResumeStudy(store, tarry.Options{Remote: &away{}})
	for want, err := range map[string]error{
		"Options.Remote = *tarry_test.away: want nil: a Study has no workers; want Start": asked,
		"Options.MaxTime = 1s: want 0: a Study chooses a query whenever it is asked":      timed,
		"Options.Workers = 2: want 0 without an objective":                                busy,
		"objective = <nil>: want a function, or Options.Remote":                           none,
		"tarry: Options.Remote: there is no room":                                         refused,
		"Options.Remote = *tarry_test.away: want nil":                                     resumed,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	if !errors.Is(refused, full) {
		t.Error(refused)
	}
	a := &away{}
	run, err := tarry.Resume(t.Context(), store, nil, tarry.Options{Remote: a}) // nothing was lost of the one that was refused
	if err != nil {
		t.Fatal(err)
	}
	if result, err := run.Wait(); err != nil || len(result.Evaluations) != 3 {
		t.Errorf("%v", err)
	}
}

func TestAQueryIsMadeElsewhere(t *testing.T) {
	s := unitSpace(t)
	id := tarry.EvaluationID{Evaluation: 3, Attempt: 2}
	var step, value float64
	q := tarry.NewQuery(s, id, tarry.Point{.5, .25}, time.Time{}, func(a, b float64) error {
		step, value = a, b
		return tarry.ErrCancelled
	})
	if q.ID != id || q.Float("x") != .5 {
		t.Errorf("%v", q)
	}
	if err := q.Report(1, 2); !errors.Is(err, tarry.ErrCancelled) || step != 1 || value != 2 {
		t.Errorf("%v, %v: %v", step, value, err)
	}
	if err := tarry.NewQuery(s, id, tarry.Point{.5, .25}, time.Time{}, nil).Report(1, 2); !errors.Is(err, tarry.ErrUnknownEvaluation) {
		t.Error(err)
	}
	defer func() {
		if r := recover(); r == nil {
			t.Error("one number was taken for two parameters")
		}
	}()
	tarry.NewQuery(s, id, tarry.Point{.5}, time.Time{}, nil)
}
