package policies_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/policies/policytest"
)

func proposed(t *testing.T, p policies.Policy, v policies.View) policies.Proposal {
	t.Helper()
	out, err := p.Propose(v, 1, rng.New(4, rng.Test, uint64(v.Round)))
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
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
		for round := 51 - rounds; round <= 50; round++ {
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
	first := 1.4 * math.Cbrt(2) // the parameters are two
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
