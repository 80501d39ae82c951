package experiment

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/sim"
)

func TestAllMethodsOfTheRadioExperimentMeetTheSameInitialAnswers(t *testing.T) {
	answers := func(policy string) []loop.Evaluation {
		s := must.Get(study{problem: func(seed uint64) (sim.Problem, error) { return sim.Radio(seed, 2) }, policy: policy, law: "fixed:1", rounds: 1}.scenario(4))(t)
		o := must.Get(sim.Run(t.Context(), s))(t)
		return o.Result.Evaluations
	}
	want := answers(radioMethods[0].policy)
	for _, m := range radioMethods[1:] {
		got := answers(m.policy)
		if len(got) != radioInitial+1 {
			t.Fatalf("%s: %d queries", m.name, len(got))
		}
		for i := range radioInitial {
			if got[i].Value != want[i].Value {
				t.Fatalf("%s: initial query %d gave %v, not %v", m.name, i+1, got[i].Value, want[i].Value)
			}
		}
	}
}

func TestRadioRecordsAreOfNoiseFreeValues(t *testing.T) {
	s := must.Get(study{problem: func(seed uint64) (sim.Problem, error) { return sim.Radio(seed, 1) }, policy: radioMethods[5].policy, law: "fixed:1", rounds: 5}.scenario(6))(t)
	o := must.Get(sim.Run(t.Context(), s))(t)
	r, best := radioRecord(s, o), 0.0
	for i, e := range o.Result.Evaluations {
		best = max(best, s.Problem.Value(s.Problem.Space.Value(e.X)))
		if k := i - radioInitial; k >= 0 && math.Abs(r[bestValue][k]-best) > 1e-9 {
			t.Errorf("after %d queries the best value is %v, want %v", k+1, r[bestValue][k], best)
		}
	}
	if len(r[bestValue]) != 5 || len(r[shareIssued]) != 5 || len(r[shareCentral]) != 5 {
		t.Errorf("%d, %d and %d places", len(r[bestValue]), len(r[shareIssued]), len(r[shareCentral]))
	}
}
