// Package policytest is the conformance suite of policies. Whoever writes a policy gets all of it for one line:
//
//	func TestMyPolicy(t *testing.T) { policytest.Run(t, "my-policy") }
//
// Registered policies are run by the suite's own test as well. The package is imported by tests only.
package policytest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

// Run tests the policy of this name and options: in every situation of a study its proposals lie in the space and at
// the context, are finite, distinct but for seeds, a function of view and stream alone, and leave the view as it was; and without
// delay it finds better points than random search.
func Run(t *testing.T, spec string) {
	t.Helper()
	policy := Conforms(t, spec)
	entry := policies.All()[slices.IndexFunc(policies.All(), func(e policies.Entry) bool {
		return spec == e.Name || len(spec) > len(e.Name) && spec[:len(e.Name)+1] == e.Name+":"
	})]
	if !entry.Baseline {
		t.Run("beats random search", func(t *testing.T) { beatsRandom(t, policy) })
	}
}

// Conforms is Run without the comparison with random search, for variants that are not meant for use.
func Conforms(t *testing.T, spec string) policies.Policy {
	t.Helper()
	policy, err := policies.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("traits", func(t *testing.T) { traits(t, policy) })
	for i, s := range append(situations(t), constrainedSituations(t)...) {
		for j, count := range []int{1, 4} {
			if (i+j)%2 >= counts {
				continue
			}
			t.Run(fmt.Sprintf("%s, %d wanted", s.name, count), func(t *testing.T) { proposes(t, policy, s, count) })
		}
	}
	return policy
}

// traits must be stable and name a policy that Parse makes again.
func traits(t *testing.T, policy policies.Policy) {
	first := policy.Traits()
	again, err := policies.Parse(first.Name)
	if err != nil {
		t.Fatalf("traits name %q: %v", first.Name, err)
	}
	if !again.Traits().Equal(first) {
		t.Errorf("%q parses to traits %+v, want %+v", first.Name, again.Traits(), first)
	}
}

func proposes(t *testing.T, policy policies.Policy, s situation, count int) {
	view := s.view(t, policy.Traits())
	before := fingerprint(view)
	got, err := policies.Propose(policy, view, count, rng.New(1, rng.Policy, uint64(view.Round)))
	if errors.Is(err, policies.ErrUnsupported) {
		return // an honest refusal
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != count {
		t.Fatalf("%d proposals, want %d", len(got), count)
	}
	for i, p := range got {
		if err := view.Space.ContainsUnit(p.X); err != nil {
			t.Fatal(err)
		}
		if snapped := view.Space.Snap(p.X); !slices.Equal(snapped, p.X) {
			t.Errorf("proposal %v is not snapped: %v", p.X, snapped)
		}
		for j, k := range view.Space.Held() {
			if at, _ := view.Space.Fidelity(); p.X[k] != view.Context[j] && !(k == at && policy.Traits().Fidelities) {
				t.Errorf("held coordinate %d is %v, want %v", k, p.X[k], view.Context[j])
			}
		}
		if f := p.Forecast; f != nil && !(f.Stddev > 0 && f.Scale > 0 && !math.IsNaN(f.Mean+f.Shift) && !math.IsInf(f.Mean+f.Stddev+f.Scale, 0)) {
			t.Errorf("forecast %+v", *f)
		}
		for _, q := range got[:i] {
			if slices.Equal(p.X, q.X) && !view.Caution.IsSeed(p.X) { // a seed may be all that is safe
				t.Errorf("proposal %v twice in one answer", p.X)
			}
		}
	}
	if after := fingerprint(view); after != before {
		t.Error("the view was changed")
	}
	repeat, err := policies.Propose(policy, s.view(t, policy.Traits()), count, rng.New(1, rng.Policy, uint64(view.Round)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], repeat[i]) {
			t.Errorf("the same view and stream gave %+v, then %+v (forecasts %+v and %+v)", got[i], repeat[i], got[i].Forecast, repeat[i].Forecast)
		}
	}
}

// fingerprint prints everything in a view that a policy might touch.
func fingerprint(v policies.View) string {
	text := fmt.Sprint(v.Round, v.Context, v.Rows, v.Incumbent, v.Queries, v.Pending, v.History, v.Space.UnitPoints())
	if v.Posterior != nil {
		for i := range v.Posterior.Len() {
			text += fmt.Sprint(v.Posterior.X(i))
		}
		text += fmt.Sprint(v.Posterior.Len(), v.Posterior.Targets(), v.Posterior.Alpha(), v.Posterior.PoolMean(), v.Posterior.PoolVariance())
	}
	return text
}

const duelRounds = 25

// beatsRandom compares log regret with random search, without delay, over a few fixed seeds.
func beatsRandom(t *testing.T, policy policies.Policy) {
	random, err := policies.Parse("random")
	if err != nil {
		t.Fatal(err)
	}
	advantage := 0.0
	for seed := range uint64(duelSeeds) {
		advantage += logRegret(t, random, seed) - logRegret(t, policy, seed)
	}
	if advantage /= duelSeeds; advantage <= 0 {
		t.Errorf("log10 regret is %.2f worse than, or equal to, that of random search", -advantage)
	}
}

func logRegret(t *testing.T, policy policies.Policy, seed uint64) float64 {
	t.Helper()
	problem, err := sim.NewProblem("sixhump", seed)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.Run(context.Background(), sim.Scenario{
		Problem: problem, Policy: policy, Delay: delay.Fixed{}, Rounds: duelRounds, Initial: 5, Seed: seed,
	})
	if err != nil {
		t.Fatal(err)
	}
	return math.Log10(max(run.SimpleRegret[duelRounds-1], 1e-12))
}
