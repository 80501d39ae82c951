package policies_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/policies/policytest"
)

// queriedTwice is a view where the first point was queried again last.
func queriedTwice(v policies.View) policies.View {
	v.Queries = append(slices.Clone(v.Queries), v.Queries[0])
	v.Queries[len(v.Queries)-1].Number = len(v.Queries)
	return v
}

// The best point is measured once more after fifty queries where no point was queried twice, and the model sees noise or has many dimensions.
func TestTheBestIsMeasuredOnceMore(t *testing.T) {
	views := policytest.Views(t, policies.Auto{}.Traits())
	noisy := func(v policies.View, noise float64) policies.View {
		prior := v.Posterior.Prior()
		prior.Noise = noise
		v.Posterior = must.Get(prior.ConditionKnown(rowsOf(v), v.Posterior.Targets(), nil, v.Posterior.Pool()))(t)
		v.Quiet, v.Round = true, 51
		return v
	}
	many := noisy(views["20 dimensions"], 1e-8)
	bestOf := func(v policies.View) policies.Answer {
		return slices.MaxFunc(v.History, func(a, b policies.Answer) int { return cmp.Compare(a.Value, b.Value) })
	}
	best := bestOf(many)
	early, loud, twice, not := many, many, many, many
	early.Round, loud.Quiet = 50, false
	twice = queriedTwice(many)
	few := noisy(views["some pending"], 1e-3)
	few.History = few.History[:2]
	not.History = slices.Clone(many.History)
	for i := range not.History {
		not.History[i].Infeasible = not.History[i].Value == best.Value
	}
	for name, c := range map[string]struct {
		v    policies.View
		want bool
	}{
		"20 dimensions":        {many, true},
		"early":                {early, false},
		"noise that is known":  {loud, false},
		"measured twice":       {twice, false},
		"the model sees it":    {noisy(views["20 dimensions"], 1e-3), true},
		"two dimensions":       {noisy(views["some pending"], 1e-8), false},
		"two and noise":        {noisy(views["some pending"], 1e-3), true},
		"noise before a fit":   {few, false},
		"a list":               {noisy(views["some pending in a list"], 1e-8), false},
		"mixed and noise":      {noisy(views["mixed parameters"], 1e-3), true},
		"mixed":                {noisy(views["mixed parameters"], 1e-8), false},
		"discrete and noise":   {noisy(views["steps, ranks and fixed parameters"], 1e-3), false},
		"conditions and noise": {noisy(views["conditions"], 1e-3), false},
		"a context":            {noisy(views["a context"], 1e-3), false},
		"a fidelity":           {noisy(views["a fidelity"], 1e-3), false},
	} {
		p := proposed(t, policies.Auto{}, c.v)
		best := bestOf(c.v)
		if p.Again != c.want || c.want && !slices.Equal(p.X, best.Query.X) {
			t.Errorf("%s: again %v at %v, the best is at %v", name, p.Again, p.X, best.Query.X)
		}
		e := must.Get(policies.Auto{}.Explain(c.v, rng.New(4, rng.Test, 0)))(t)
		if strings.Contains(e.Why, "measured once more") != c.want {
			t.Errorf("%s: %q", name, e.Why)
		}
		if p.Forecast == nil {
			t.Errorf("%s: no forecast", name)
		}
	}
	if p := proposed(t, policies.Auto{}, not); !p.Again || slices.Equal(p.X, best.Query.X) {
		t.Errorf("again %v at %v, where the best %v is not feasible", p.Again, p.X, best.Query.X)
	}
	if two := must.Get(policies.Auto{}.Propose(many, 2, rng.New(4, rng.Test, 51)))(t); !two[0].Again || two[1].Again {
		t.Errorf("of two proposals both are the same test: %+v", two)
	}
}
