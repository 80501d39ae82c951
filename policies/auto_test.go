package policies_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/policies/policytest"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

func proposed(t *testing.T, p policies.Policy, v policies.View) policies.Proposal {
	t.Helper()
	out, err := p.Propose(v, 1, rng.New(4, rng.Test, uint64(v.Round)))
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}

// Two of three queries are those of gp-bucb, and the third is that of ucb-pe where no value has come since the last query, in every
// moment of the suite; but none in many dimensions. Where nothing pends and values are noisy every second one is that of a bound three times
// as wide, and none explores.
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
			if got := proposed(t, auto, v).X; !slices.Equal(got, want) {
				t.Errorf("%s, round %d: %v, want %v", name, v.Round, got, want)
			}
		}
	}
	if explored == 0 || widened == 0 {
		t.Errorf("%d queries explored, %d were by a wide bound", explored, widened)
	}
}

// A bound is wide at every second query, as long as nothing pends, values have noise, learned or known, and the model is of any function.
func TestABoundIsWideWhereNothingPendsAndValuesAreNoisy(t *testing.T) {
	views := policytest.Views(t, policies.Auto{}.Traits())
	some := views["some pending"].WithoutPending()
	under := func(kernel string, noise float64, known []float64) policies.View {
		v, prior := some, some.Posterior.Prior()
		prior.Kernel, prior.Noise = must.Get(surrogate.NewKernel(kernel, 2))(t), noise
		var x []space.Unit
		for i := range v.Posterior.Len() {
			x = append(x, v.Posterior.X(i))
		}
		v.Posterior = must.Get(prior.ConditionKnown(x, v.Posterior.Targets(), known, nil))(t)
		return v
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

// As long as queries are few and values have no noise no query comes so near to another that it would tell next to nothing.
func TestAutoKeepsItsQueriesApartWhileTheyAreFew(t *testing.T) {
	near, apart := 0, 0
	for name, v := range policytest.Views(t, policies.Auto{}.Traits()) {
		if !v.Informed() || v.Space.Size() > 0 || v.Space.Combinations() > 0 || len(v.Space.Contexts()) > 0 {
			continue
		}
		v.Quiet = true
		closest := func(round int) float64 {
			v.Round = round
			x, least := proposed(t, policies.Auto{}, v).X, math.Inf(1)
			for _, q := range v.Queries {
				least = min(least, floats.Distance(q.X, x, math.Inf(1)))
			}
			return least
		}
		rounds := 20
		if policies.Raced {
			rounds = 3
		}
		for round := 40; round < 40+rounds; round++ {
			if least := closest(round); least <= 1e-3 {
				t.Errorf("%s, round %d: a query %v from another", name, round, least)
			}
			if closest(round+90) <= 1e-3 {
				near++
			}
			apart++
		}
	}
	if apart == 0 {
		t.Fatal("no view to look at")
	}
	t.Logf("later %d of %d are near", near, apart)
}

// Deviations are those of the answers alone; they grow with the forecasts that were missed and shrink with those that held, until 80 % hold.
func TestAutoWidensItsForecastsWhereTheyAreTooNarrow(t *testing.T) {
	v := policytest.Views(t, policies.Auto{}.Traits())["some pending"]
	factor := func(missed, held int) float64 {
		v := v
		v.History = slices.Clone(v.History)
		for k := range missed + held {
			f := &policies.Forecast{Mean: 0, Stddev: 1, Scale: 1}
			value := 0.0
			if k < missed {
				value = 5
			}
			v.History = append(v.History, policies.Answer{Query: v.Queries[0], Forecast: f, Value: value})
		}
		p := proposed(t, policies.Auto{}, v)
		return p.Forecast.Stddev / v.Ignoring().Forecast(p.X).Stddev
	}
	first := 1.5 * math.Cbrt(2) // the parameters are two
	for _, c := range []struct {
		missed, held int
		want         float64
	}{{0, 0, first}, {1, 0, first * math.Exp(0.48)}, {1, 1, first * math.Exp(0.36)}, {1, 4, first}, {0, 200, 0.1}, {200, 0, 20}} {
		if got := factor(c.missed, c.held); math.Abs(got/c.want-1) > 1e-9 {
			t.Errorf("%d missed, %d held: %v, want %v", c.missed, c.held, got, c.want)
		}
	}
}

// The model of the answers alone, made from one that hallucinates, is that which ignores pending queries from the beginning.
func TestIgnoringTakesPendingQueriesOutOfAModel(t *testing.T) {
	traits := policies.Traits{Name: "test", Model: true, Pending: feedback.Hallucinate, Also: []model.Want{{Pending: feedback.Ignore}}, Draws: true}
	narrower := 0
	for name, v := range policytest.Views(t, traits) {
		got, want := v.Ignoring(), v.Model(model.Objective, feedback.Ignore)
		if got.Posterior.Len() != want.Posterior.Len() || !slices.Equal(slices.Sorted(slices.Values(got.Rows)), slices.Sorted(slices.Values(want.Rows))) {
			t.Errorf("%s: rows %v, want %v", name, got.Rows, want.Rows)
			continue
		}
		stream := rng.New(5, rng.Test, 0)
		for range 20 {
			x := v.Space.RandomAt(v.Context, stream)
			m, s := got.Posterior.Predict(x)
			wantM, wantS := want.Posterior.Predict(x)
			if math.Abs(m-wantM) > 1e-9 || math.Abs(s-wantS) > 1e-9 {
				t.Errorf("%s: %v ± %v, want %v ± %v", name, m, s, wantM, wantS)
			}
			if _, all := v.Posterior.Predict(x); all < s-1e-6 {
				narrower++
			}
		}
	}
	if narrower == 0 {
		t.Error("no pending query ever made a forecast narrower")
	}
}
