package policies_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/policies/policytest"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Two of three queries are those of gp-bucb, and the third is that of ucb-pe where no value has come since the last query, in every
// moment of the suite; but none in many dimensions. Where nothing pends and values are noisy every second one is that of a bound three times
// as wide, and none explores; where a query's turn finds what is known better than by one value every second one is by that bound too.
func TestAutoIsABoundTwiceAndThenExplores(t *testing.T) {
	auto := policies.Auto{}
	bound, explore, wide := policies.UCB{Pending: feedback.Hallucinate}, policies.UCBPE{}, policies.UCB{Pending: feedback.Hallucinate, Beta: policies.Beta{Constant: 3}}
	explored, widened := 0, 0
	for name, v := range policytest.Views(t, auto.Traits()) {
		for v.Round = 60; v.Round < 66; v.Round++ {
			want := proposed(t, bound, v).X
			few := v.Informed() && v.Space.Varying() <= 12
			switch alone := few && len(v.Pending) == 0; { // those of the suite have noise and are without a context
			case alone && v.Round%2 == 0:
				want = proposed(t, wide, v).X
				widened++
			case alone:
			case few && v.Round%3 == 0:
				seen := v
				seen.History = slices.Clone(v.History)
				for i := range seen.History {
					seen.History[i].Seen = 0
				}
				want = proposed(t, explore, seen).X
				explored++
			}
			if farther(t, v) {
				want = proposed(t, wide, v).X
			}
			if got := proposed(t, auto, v).X; !slices.Equal(got, want) {
				t.Errorf("%s, round %d: %v, want %v", name, v.Round, got, want)
			}
		}
	}
	if explored == 0 || widened == 0 {
		t.Errorf("%d queries explored, %d were by a wide bound", explored, widened)
	}
}

// farther reports whether auto says that a query looks farther than its turn.
func farther(t *testing.T, v policies.View) bool {
	t.Helper()
	e := must.Get(policies.Auto{}.Explain(v, rng.New(4, rng.Test, uint64(v.Round))))(t)
	return strings.Contains(e.Why, "known better than by one value")
}

// Where what the turn finds is known better than by one value, every second query maximizes a bound three times as wide.
func TestEverySecondQueryLooksFartherWhereNothingIsToBeTold(t *testing.T) {
	views := policytest.Views(t, policies.Auto{}.Traits())
	some := views["some pending"]
	loud := slices.Repeat([]float64{4}, some.Posterior.Len())
	for name, c := range map[string]struct {
		v    policies.View
		want bool
	}{
		"more noise than there is to know": {conditioned(t, some, "matern52", 4, nil), true},
		"the same, told":                   {conditioned(t, some, "matern52", 1e-8, loud), true},
		"noise, and more to know":          {conditioned(t, some, "matern52", 1e-3, nil), false},
		"no noise":                         {conditioned(t, some, "matern52", 1e-8, nil), false},
		"a sum":                            {conditioned(t, some, "additive-se", 4, nil), false},
		"a surface":                        {conditioned(t, some, "quartic", 4, nil), false},
		"nothing pends, where wide bounds are due": {conditioned(t, some.WithoutPending(), "matern52", 4, nil), false},
	} {
		wide := acquisition.At{Posterior: c.v.Posterior, Utility: acquisition.UpperConfidenceBound{Beta: 3}}
		for c.v.Round = 60; c.v.Round < 66; c.v.Round++ {
			want := c.want && c.v.Round%2 == 0
			if got := farther(t, c.v); got != want {
				t.Errorf("%s, round %d: looks farther: %v", name, c.v.Round, got)
			}
			if !want {
				continue
			}
			got, stream := wide.Value(proposed(t, policies.Auto{}, c.v).X), rng.New(7, rng.Test, 0)
			for range 2000 {
				if x := c.v.Space.RandomAt(nil, stream); wide.Value(x) > got+1e-9 {
					t.Fatalf("%s, round %d: the wide bound is %v at the proposal and %v at %v", name, c.v.Round, got, wide.Value(x), x)
				}
			}
		}
	}
	for _, name := range []string{"some pending in a list", "a context", "a fidelity", "20 dimensions"} {
		v := views[name]
		prior := v.Posterior.Prior()
		prior.Noise = 4
		v.Posterior = must.Get(prior.ConditionKnown(rowsOf(v), v.Posterior.Targets(), nil, v.Posterior.Pool()))(t)
		if v.Round = 62; farther(t, v) {
			t.Errorf("%s: looks farther", name)
		}
	}
	v := conditioned(t, some, "matern52", 4, nil)
	v.Round = 62
	if e := must.Get(policies.Auto{Beta: policies.Beta{Theory: true}}.Explain(v, rng.New(4, rng.Test, 0)))(t); strings.Contains(e.Why, "known better") {
		t.Errorf("a bound by the theory is made wider: %s", e.Why)
	}
}

// rowsOf are the points of a model.
func rowsOf(v policies.View) (x []space.Unit) {
	for i := range v.Posterior.Len() {
		x = append(x, v.Posterior.X(i))
	}
	return x
}

// conditioned is a view of two parameters under another kernel and noise.
func conditioned(t *testing.T, v policies.View, kernel string, noise float64, known []float64) policies.View {
	t.Helper()
	prior := v.Posterior.Prior()
	prior.Kernel, prior.Noise = must.Get(surrogate.NewKernel(kernel, 2))(t), noise
	v.Posterior = must.Get(prior.ConditionKnown(rowsOf(v), v.Posterior.Targets(), known, nil))(t)
	return v
}

// A bound is wide at every second query, as long as nothing pends, values have noise, learned or known, and the model is of any function.
func TestABoundIsWideWhereNothingPendsAndValuesAreNoisy(t *testing.T) {
	views := policytest.Views(t, policies.Auto{}.Traits())
	some := views["some pending"].WithoutPending()
	under := func(kernel string, noise float64, known []float64) policies.View {
		return conditioned(t, some, kernel, noise, known)
	}
	told, outlier := slices.Repeat([]float64{1e-3}, some.Posterior.Len()), make([]float64, some.Posterior.Len())
	told[len(told)-1], outlier[len(outlier)-1] = 0, 25
	batch := some
	batch.History = slices.Clone(some.History)
	batch.History[0].Seen = len(batch.Queries) + 1
	for name, c := range map[string]struct {
		v    policies.View
		wide bool
	}{
		"noise":                   {some, true},
		"noise, and another kind": {under("rq", 1e-3, nil), true},
		"noise that is told":      {under("se", 1e-8, told), true},
		"hardly any noise":        {under("matern52", 1e-5, nil), false},
		"an outlier and no noise": {under("matern52", 1e-5, outlier), false},
		"a sum":                   {under("additive-se", 1e-3, nil), false},
		"a surface":               {under("quartic", 1e-3, nil), false},
		"the first of a batch":    {batch, false},
		"a query that pends":      {views["some pending"], false},
		"a list":                  {views["some pending in a list"].WithoutPending(), false},
		"a context":               {views["a context"].WithoutPending(), false},
		"a fidelity":              {views["a fidelity"].WithoutPending(), false},
		"20 dimensions":           {views["20 dimensions"].WithoutPending(), false},
	} {
		if noise := c.v.Posterior.Noise(); !c.wide && noise < 1e-4 && noise != 1e-5 {
			t.Errorf("%s: noise %v, so that it is not looked at", name, noise)
		}
		for round, want := range map[int]float64{60: 3, 61: 1, 62: 3, 63: 1} {
			if want > 1 && !c.wide {
				want = 1
			}
			c.v.Round = round
			e := must.Get(policies.Auto{}.Explain(c.v, rng.New(1, rng.Test, 0)))(t)
			i := slices.IndexFunc(e.Numbers, func(f policies.Figure) bool { return strings.HasPrefix(f.Name, "β") })
			if explores := i < 0; explores != (!c.wide && round%3 == 0 && c.v.Space.Varying() <= 12) || !explores && e.Numbers[i].Value != want {
				t.Errorf("%s, round %d: %+v, want %v", name, round, e.Numbers, want)
			}
		}
	}
}

// A bound by the theory is wide anyway: under it the third query explores, alone or not.
func TestABoundByTheTheoryIsNotMadeWider(t *testing.T) {
	v := policytest.Views(t, policies.Auto{}.Traits())["some pending"].WithoutPending()
	p := policies.Auto{Beta: policies.Beta{Theory: true}}
	for round := 60; round < 66; round++ {
		v.Round = round
		e := must.Get(p.Explain(v, rng.New(1, rng.Test, 0)))(t)
		i := slices.IndexFunc(e.Numbers, func(f policies.Figure) bool { return strings.HasPrefix(f.Name, "β") })
		if explores := i < 0; explores != (round%3 == 0) {
			t.Errorf("round %d: %+v", round, e.Numbers)
		} else if want := p.Beta.At(v, 1, 0); !explores && e.Numbers[i].Value != want {
			t.Errorf("round %d: β %v, want %v", round, e.Numbers[i].Value, want)
		}
	}
}
