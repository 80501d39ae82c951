package policies_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/policies/policytest"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

func draws() *rand.Rand { return rng.New(1, rng.Test, 7) }

// What a policy says that it maximizes is greatest where it proposes, as far as a few points can tell.
func TestEveryPolicyExplainsWhatItMaximizes(t *testing.T) {
	explained, least := 0, 100
	if policies.Raced {
		least /= 4
	}
	for i, name := range policies.General() {
		if policies.Raced && i%4 > 0 {
			continue
		}
		p := must.Get(policies.Parse(name))(t)
		if _, explains := p.(policies.Explainer); !explains {
			continue
		}
		for situation, v := range policytest.Views(t, p.Traits()) {
			proposals, failed := policies.Propose(p, v, 1, draws())
			e, err := policies.Explain(p, v, draws())
			if (failed == nil) != (err == nil) {
				t.Errorf("%s, %s: proposes with %v, explains with %v", name, situation, failed, err)
			}
			if err != nil {
				continue
			}
			if e.Why == "" || (e.Function == nil) != (e.Acquisition == "") || e.Function == nil && name != "random" && v.Informed() && !(p.Traits().Adapts && (situation == "constant values" || strings.Contains(e.Why, "covers the space"))) {
				t.Errorf("%s, %s: %+v", name, situation, e)
			}
			if e.Function == nil {
				continue
			}
			explained++
			chosen, stream := e.Function.Value(proposals[0].X), rng.New(3, rng.Test, 7) // not that of the policy, whose own samples cbo takes for likelier
			for range 20 {
				x := v.Random(stream, nil)
				if expectedToFail(e, x) {
					continue
				}
				if value := e.Function.Value(x); value > chosen+1e-6*(1+math.Abs(chosen)) {
					t.Errorf("%s, %s: %v at %v, %v at the proposed %v", name, situation, value, x, chosen, proposals[0].X)
				}
			}
			for _, f := range e.Numbers {
				if f.Name == "" || math.IsNaN(f.Value) {
					t.Errorf("%s, %s: %+v", name, situation, f)
				}
			}
		}
	}
	if explained < least {
		t.Errorf("%d views were explained", explained)
	}
}

// expectedToFail reports whether an explanation says that a query of x is to be kept away from.
func expectedToFail(e policies.Explanation, x space.Unit) bool {
	return e.At != nil && slices.ContainsFunc(e.At(x), func(f policies.Figure) bool {
		return strings.HasPrefix(f.Name, "outcome that is expected") && f.Value < 0.5
	})
}

// density and distribution are those of the standard normal distribution, as in a textbook.
func density(d float64) float64      { return math.Exp(-d*d/2) / math.Sqrt(2*math.Pi) }
func distribution(d float64) float64 { return math.Erfc(-d/math.Sqrt2) / 2 }

// The value of an acquisition is what a textbook computes with a posterior from scratch.
func TestAcquisitionsAgreeWithAModelFromScratch(t *testing.T) {
	textbook := map[string]func(mean, sd, best float64) float64{
		"gp-ucb:beta=2":   func(mean, sd, _ float64) float64 { return mean + 2*sd },
		"gp-bucb:beta=2":  func(mean, sd, _ float64) float64 { return mean + 2*sd },
		"ucb-sdf:nu=1.5":  func(mean, sd, _ float64) float64 { return mean + 1.5*sd },
		"gp-qucb:p=0.975": func(mean, sd, _ float64) float64 { return mean + 1.959963984540054*sd },
		"log-ei": func(mean, sd, best float64) float64 {
			d := (mean - best) / sd
			return math.Log(sd * (density(d) + d*distribution(d)))
		},
		"pi": func(mean, sd, best float64) float64 { return math.Log(distribution((mean - best - 0.01) / sd)) },
	}
	compared := 0
	for name, of := range textbook {
		p := must.Get(policies.Parse(name))(t)
		for situation, v := range policytest.Views(t, p.Traits()) {
			if !v.Informed() {
				continue
			}
			e := must.Get(policies.Explain(p, v, draws()))(t)
			post := scratch(t, v)
			best := math.Inf(-1)
			for i := range v.Rows {
				best = max(best, post.Mean(here(v, v.Posterior.X(i))))
			}
			stream := draws()
			for range 10 {
				x := v.Random(stream, nil)
				mean, variance := post.Predict(x)
				if variance < 1e-4 {
					continue // the formula of the textbook has no digits there
				}
				compared++
				if got, want := e.Function.Value(x), of(mean, math.Sqrt(variance), best); math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
					t.Errorf("%s, %s: %v at %v, want %v", name, situation, got, x, want)
				}
			}
		}
	}
	if compared < 200 {
		t.Errorf("%d values were compared", compared)
	}
}

// here is a point at the context of a view and the greatest fidelity.
func here(v policies.View, x space.Unit) space.Unit {
	x = slices.Clone(x)
	for j, k := range v.Space.Held() {
		x[k] = v.Context[j]
	}
	return v.Space.AtTarget(v.Space.Canonical(x))
}

// scratch is the posterior of a view, computed anew from its rows.
func scratch(t *testing.T, v policies.View) *surrogate.Posterior {
	t.Helper()
	var x []space.Unit
	for i := range v.Rows {
		x = append(x, v.Posterior.X(i))
	}
	return must.Get(v.Posterior.Prior().Condition(x, v.Posterior.Targets(), nil))(t)
}

// A view without what pends is that of the answers alone.
func TestWithoutPendingQueriesAViewIsThatOfTheAnswers(t *testing.T) {
	pended := 0
	for _, name := range []string{"gp-bucb", "ucb-sdf", "gp-ucb", "random"} {
		p := must.Get(policies.Parse(name))(t)
		for situation, v := range policytest.Views(t, p.Traits()) {
			pended += len(v.Pending)
			before := slices.Clone(v.Queries)
			alone := v.WithoutPending()
			if len(alone.Pending) > 0 || len(alone.Queries) != len(v.Queries)-len(v.Pending) || !slices.EqualFunc(before, v.Queries, sameQuery) {
				t.Errorf("%s, %s: %d queries, %v pending", name, situation, len(alone.Queries), alone.Pending)
			}
			for k, q := range alone.Queries {
				if q.Number != k+1 {
					t.Errorf("%s, %s: query %d has number %d", name, situation, k+1, q.Number)
				}
			}
			for _, a := range alone.History {
				if !slices.Equal(a.Query.X, alone.Queries[a.Query.Number-1].X) {
					t.Errorf("%s, %s: an answer belongs to another query: %+v", name, situation, a)
				}
			}
			if v.Posterior == nil {
				continue
			}
			var x []space.Unit
			var y []float64
			for i, number := range alone.Rows {
				x, y = append(x, alone.Queries[number-1].X), append(y, alone.Posterior.Targets()[i])
			}
			want := must.Get(v.Posterior.Prior().Condition(x, y, nil))(t)
			stream := draws()
			for range 5 {
				at := v.Random(stream, nil)
				a, av := alone.Posterior.Predict(at)
				b, bv := want.Predict(at)
				if math.Abs(a-b) > 1e-6*(1+math.Abs(b)) || math.Abs(av-bv) > 1e-6 {
					t.Errorf("%s, %s: %v, %v at %v, want %v, %v", name, situation, a, av, at, b, bv)
				}
			}
		}
	}
	if pended == 0 {
		t.Error("nothing pended")
	}
}

func sameQuery(a, b policies.Query) bool { return a.Number == b.Number && slices.Equal(a.X, b.X) }

func TestNumbersInTheUnitsOfTheUser(t *testing.T) {
	units := feedback.Units{Shift: 10, Scale: 4}
	for _, c := range []struct {
		of    policies.Unit
		sense outcome.Sense
		in    float64
		want  float64
	}{
		{policies.Plain, outcome.Minimize, 2, 2}, {policies.Level, outcome.Maximize, 2, 18}, {policies.Level, outcome.Minimize, 2, -18},
		{policies.Spread, outcome.Minimize, 2, 8}, {policies.LogGain, outcome.Minimize, 0, 4}, {policies.LogChance, outcome.Maximize, 0, 1},
		{policies.LogInformation, outcome.Maximize, 0, 1},
	} {
		if got := c.of.In(units, c.sense, c.in); got != c.want {
			t.Errorf("%v of unit %d is %v, want %v", c.in, c.of, got, c.want)
		}
	}
}
