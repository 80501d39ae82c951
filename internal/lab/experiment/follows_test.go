package experiment

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/sim"
)

// Where the number that may pend is the delay, the engine chooses the points that the simulator chooses, to the bit, until
// the last answers come.
func TestTheEngineChoosesLikeTheSimulatorWhereAnswersFollow(t *testing.T) {
	for seed := range uint64(3) {
		s := study{problem: named("branin"), policy: followsPolicy, law: "fixed:20", rounds: 45}
		scenario := must.Get(s.scenario(seed))(t)
		simulated := must.Get(sim.Run(t.Context(), scenario))(t)
		steps := 0
		live, err := follow(t.Context(), scenario, followsDelay, func() { steps++ })
		if err != nil || steps != 50 || len(live.Evaluations) != 50 {
			t.Fatalf("%v after %d steps", err, steps)
		}
		for i, e := range live.Evaluations {
			if !slices.Equal(e.X, simulated.Result.Evaluations[i].X) {
				t.Errorf("seed %d: query %d is at %v, simulated at %v", seed, i+1, e.X, simulated.Result.Evaluations[i].X)
				break
			}
		}
		got, want := inTheEnd(scenario, sim.Judge(scenario, live))[SimpleRegret], inTheEnd(scenario, simulated)[SimpleRegret]
		if !slices.EqualFunc(got, want, func(v, w float64) bool { return v == w || math.IsNaN(v) && math.IsNaN(w) }) {
			t.Errorf("seed %d: regrets %v, simulated %v", seed, got, want)
		}
	}
}
