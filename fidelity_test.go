package tarry

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
)

// A value of a lower fidelity is never the best, however good it is, and costs come as outcomes or fidelities say.
func TestOnlyTheGreatestFidelityIsTheBest(t *testing.T) {
	s := must.Get(NewSpace(Float("x", 0, 1), Ordered("epochs", 1, 10).AsFidelity(1, 10)))(t)
	objective := func(_ context.Context, q Query) (Outcome, error) {
		o := Outcome{Value: q.X[0]}
		if q.X[1] < 10 {
			o = Outcome{Value: 100 + q.X[0], Cost: 2}
		}
		return o, nil
	}
	improved := 0
	o := Options{BudgetCost: 64, Workers: 1, Policy: must.Get(ParsePolicy("gp-bucb"))(t), First: []Point{{0.3, 1}, {0.6, 1}}, OnEvent: func(e Event) {
		if e.Incumbent.Below || e.Incumbent.Value > 1 {
			t.Errorf("the incumbent is %v", e.Incumbent)
		}
		if e.Improved {
			improved++
		}
	}}
	run := must.Get(StartOutcomes(context.Background(), s, objective, o))(t)
	r := must.Get(run.Wait())(t)
	if r.Best == nil || r.Best.Below || r.Best.Value > 1 || r.Recommended.Below || improved == 0 {
		t.Errorf("best %v, recommended %v, %d incumbents", r.Best, r.Recommended, improved)
	}
	for _, e := range r.Incumbents() {
		if e.Value > 1 {
			t.Errorf("incumbent %v", e)
		}
	}
	if len(r.Evaluations) != 8 || !r.Evaluations[0].Below || r.Cost != 2*2+6*10 || r.BudgetCost != 64 {
		t.Errorf("%d evaluations at a cost of %v of %v", len(r.Evaluations), r.Cost, r.BudgetCost)
	}
	if err := (Options{BudgetCost: 5}).Validate(s); err == nil || !strings.Contains(err.Error(), "at least 10") {
		t.Error(err)
	}
}

// A fidelity that is left out is the greatest, in whatever a program says of points: with NaN, or without a coordinate.
func TestAFidelityThatIsLeftOutIsTheGreatest(t *testing.T) {
	s := must.Get(NewSpace(Ordered("epochs", 1, 10).AsFidelity(1, 10), Float("x", 0, 1), Float("decay", 0, 1).WhenAtLeast("epochs", 10)))(t)
	left := []Point{{math.NaN(), 0.5, 0.25}, {0.5, 0.25}}
	study := must.Get(NewStudy(s, Options{Budget: 20, Seed: 1, Known: []Observation{{X: left[0], Value: 1}, {X: left[1], Value: 2}}, First: left}))(t)
	for i, x := range left {
		if err := errors.Join(study.Observe(x, 3), study.ObserveOutcome(x, Outcome{Value: 4}), study.Enqueue(x)); err != nil {
			t.Errorf("%v: %v", left[i], err)
		}
	}
	for range 4 { // two that were first, two that were enqueued
		q := must.Get(study.Ask())(t)
		if err := study.Tell(q.ID, 5); err != nil {
			t.Fatal(err)
		}
	}
	for n := 1; n <= study.Evaluations(); n++ {
		if e, _ := study.Evaluation(n); !slices.Equal(e.X, Point{10, 0.5, 0.25}) || e.Below {
			t.Errorf("evaluation %d is %v", n, e.X)
		}
	}
	at := must.Get(study.Predict(Point{10, 0.5, 0.25}))(t)
	for _, x := range left {
		if p, err := study.Predict(x); err != nil || p != at {
			t.Errorf("%v: %v, %v; want %v", x, p, err, at)
		}
	}
	if err := study.Observe(Point{0.5}, 1); !errors.Is(err, ErrOutsideSpace) {
		t.Error(err)
	}
	if study.Evaluations() != 10 {
		t.Errorf("%d evaluations", study.Evaluations())
	}
}

// Values of a fidelity that cost as much as a greater one are named in the log where a study begins, and only there.
func TestCostsThatDoNotIncreaseAreLogged(t *testing.T) {
	for _, c := range []struct {
		costs []float64
		want  []any
	}{{[]float64{1, 5, 5}, []any{3.0}}, {[]float64{1, 3, 5}, nil}} {
		core, logs := observer.New(zapcore.WarnLevel)
		s := must.Get(NewSpace(Float("x", 0, 1), Ordered("epochs", 1, 3, 9).AsFidelity(c.costs...)))(t)
		store := &journal.Memory{}
		study := must.Get(NewStudy(s, Options{BudgetCost: 20, Logger: zap.New(core), Journal: store}))(t)
		study.Close()
		must.Get(ResumeStudy(store, Options{Logger: zap.New(core)}))(t).Close()
		said := logs.FilterMessage("fidelities cost as much as a greater one").All()
		if len(said) != len(c.want) || c.want != nil && !slices.Equal(said[0].ContextMap()["values"].([]any), c.want) {
			t.Errorf("%v: %v", c.costs, said)
		}
	}
}

// A study whose target never answers has values and nothing to show; the error says so.
func TestATargetThatNeverAnswersIsNamed(t *testing.T) {
	s := must.Get(NewSpace(Float("x", 0, 1), Ordered("epochs", 1, 5).AsFidelity(1, 5)))(t)
	r, err := Maximize(t.Context(), s, func(_ context.Context, q Query) (float64, error) {
		if q.Float("epochs") == 5 {
			return 0, errors.New("out of memory")
		}
		return q.Float("x"), nil
	}, Options{BudgetCost: 30, Workers: 1, Seed: 1})
	if want := "no evaluation has a value at the greatest fidelity, and "; !errors.Is(err, ErrNoValue) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "out of memory") || r.Best != nil {
		t.Errorf("%v, want %q", err, want)
	}
}
