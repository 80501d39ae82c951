package loop

import (
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// A policy that proposes the same corner again and again gets it once while it pends or has failed, and again when it has a
// value; in a finite space it gets what it proposes.
func TestNoPointIsQueriedTwiceWhileItPendsOrHasFailed(t *testing.T) {
	box, err := space.New(space.Float("x", 0, 1), space.LogFloat("y", 1e-3, 1))
	if err != nil {
		t.Fatal(err)
	}
	list, err := space.List([][]float64{{0, 1}, {1, 1}}, space.Float("x", 0, 1), space.LogFloat("y", 1e-3, 1))
	if err != nil {
		t.Fatal(err)
	}
	corner := []float64{1, 1}
	for _, s := range []space.Space{box, list} {
		d := drive(t, Config{Space: s, Traits: policies.Traits{Name: "corner"}, Budget: 20, Initial: 1})
		ask := 0
		propose := func() Evaluation {
			ask++
			d.step(0, Proposed{Ask: ask, Proposals: []policies.Proposal{{X: slices.Clone(corner), Forecast: &policies.Forecast{}}}})
			return d.l.Evaluations()[len(d.l.Evaluations())-1]
		}
		d.step(0, WorkerJoined{Worker: 1, Slots: 20})
		first, second, third := propose(), propose(), propose()
		d.step(0, FeedbackArrived{Evaluation: first.Number, Attempt: 1, Value: 1})
		d.step(0, EvaluationFailed{Evaluation: second.Number, Attempt: 1})
		again := propose() // the corner has a value and nothing else: it may be measured once more
		d.step(0, EvaluationFailed{Evaluation: again.Number, Attempt: 1})
		last := propose()
		all := [][]float64{first.X, second.X, third.X, again.X, last.X}
		for i, x := range all {
			atCorner := slices.Equal(x, corner)
			if want := s.Size() > 0 || i == 0 || i == 3; atCorner != want {
				t.Errorf("%d points listed, query %d is at %v", s.Size(), i+1, x)
			}
			if s.ContainsUnit(x) != nil || x[0] < 0.9 || x[1] < 0.9 {
				t.Errorf("query %d is at %v", i+1, x)
			}
		}
		if s.Size() == 0 && (second.Forecast != nil || slices.Equal(second.X, third.X)) {
			t.Errorf("%+v, %+v", second, third)
		}
	}
}
