package policies_test

import (
	"context"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/policies/policytest"
	"github.com/tarry-bo/tarry/sim"
)

// What else one can ask of the policies with models of their own conforms.
func TestVariantsOfModelsOfTheirOwnConform(t *testing.T) {
	for i, spec := range []string{"warped:warp=log", "warped:warp=tanh", "warped:warp=input", "warped:pending=ignore", "ensemble:members=2"} {
		if policies.Raced && i%3 > 0 {
			continue
		}
		t.Run(spec, func(t *testing.T) { policytest.Conforms(t, spec) })
	}
}

// On a smooth function of one variable every model finds the maximum far better than chance does, in 25 queries.
func TestModelsOfTheirOwnFindTheMaximumOfAForrester(t *testing.T) {
	if policies.Raced {
		t.Skip("takes too long under the race detector")
	}
	regret := func(spec string, seed uint64) float64 {
		policy, err := policies.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		problem, err := sim.NewProblem("forrester", seed)
		if err != nil {
			t.Fatal(err)
		}
		run, err := sim.Run(context.Background(), sim.Scenario{
			Problem: problem, Policy: policy, Delay: delay.Fixed{}, Rounds: 25, Initial: 3, Seed: seed,
		})
		if err != nil {
			t.Fatal(err)
		}
		return math.Log10(max(run.SimpleRegret[24], 1e-12))
	}
	for _, spec := range []string{"warped", "warped:warp=log", "warped:warp=tanh", "warped:warp=input", "ensemble"} {
		ahead := 0.0
		for seed := range uint64(5) {
			ahead += (regret("random", seed) - regret(spec, seed)) / 5
		}
		if ahead < 1 {
			t.Errorf("%s: log10 regret is %.2f below that of random search, want 1", spec, ahead)
		}
	}
}
