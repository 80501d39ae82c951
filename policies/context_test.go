package policies

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// tasks is a list of 24 actions with a context before them and one between.
func tasks(t *testing.T) space.Space {
	t.Helper()
	var points []space.Point
	for i := range 24 {
		points = append(points, []float64{float64(i%6) / 5, float64(i/6) / 3})
	}
	return must.Get(space.List(points, space.Float("w", 0, 1).AsContext(), space.Float("x", 0, 1), space.Int("day", 1, 7).AsContext(), space.Float("y", 0, 1)))(t)
}

// faced is a view with some answers of several contexts, whose pool is at the context at, asked at context z.
func faced(t *testing.T, s space.Space, how feedback.Imputation, at space.Unit, z []float64) View {
	t.Helper()
	stream := rng.New(5, rng.Test, 0)
	var x []space.Unit
	var y []float64
	for i := range 20 {
		u := s.Random(stream)
		if i%2 == 0 {
			for j, k := range s.Contexts() {
				u[k] = z[j]
			}
		}
		value := math.Sin(5*u[1]) - u[3]*u[3] + u[0]
		if i%5 == 4 {
			value = math.NaN()
		}
		x, y = append(x, u), append(y, value)
	}
	prior := must.Get(surrogate.DefaultPrior("matern52", s.Dim()))(t)
	v := moment(t, s, prior, x, y, how)
	v.Context = z
	if at != nil {
		var joined []space.Unit
		for _, action := range s.UnitPoints() {
			joined = append(joined, s.Join(action, at))
		}
		v.Posterior = v.Posterior.WithPool(surrogate.NewPool(prior.Kernel, joined, false))
	}
	return v
}

// A pool is the domain of a view only where it is at its context.
func TestAPoolIsTheDomainAtItsContextOnly(t *testing.T) {
	s := tasks(t)
	here := []float64{0.25, 0.5}
	v := faced(t, s, feedback.Hallucinate, here, here)
	if !v.listed() {
		t.Error("not listed at its context")
	}
	for _, other := range []space.Unit{{0.25, 0.6}, {0.26, 0.5}} {
		if v := faced(t, s, feedback.Hallucinate, other, here); v.listed() {
			t.Errorf("listed at %v with a pool at %v", here, other)
		}
	}
	if faced(t, s, feedback.Hallucinate, nil, here).listed() {
		t.Error("listed without a pool")
	}
	some := v
	some.Posterior = v.Posterior.WithPool(surrogate.NewPool(v.Posterior.Prior().Kernel, []space.Unit{v.Posterior.Pool().Point(0)}, false))
	if some.listed() {
		t.Error("listed with one action of many")
	}
}

// Whether a pool is at the context, at another one, or not there, a bound leads to the same points, one after another, and so
// does an improvement: what was chosen counts as pending in each.
func TestAPoolAtTheContextChangesNoChoice(t *testing.T) {
	s := tasks(t)
	here := []float64{0.25, 0.5}
	for _, spec := range []string{"gp-bucb", "gp-ucb", "ucb-sdf", "gp-qucb", "log-ei", "pi"} {
		policy := must.Get(Parse(spec))(t)
		how := policy.Traits().Pending
		var want []Proposal
		for i, at := range []space.Unit{nil, here, {0.9, 0.1}} {
			got := must.Get(policy.Propose(faced(t, s, how, at, here), 5, rng.New(1, rng.Policy, 0)))(t)
			if i == 0 {
				want = got
			}
			for k, p := range got {
				if !slices.Equal(p.X, want[k].X) || p.X[0] != here[0] || p.X[2] != here[1] {
					t.Errorf("%s, pool at %v: proposal %d is %v, without a pool %v", spec, at, k, p.X, want[k].X)
				}
				must.Near(t, spec+": mean", p.Forecast.Mean, want[k].Forecast.Mean, 1e-9)
				must.Near(t, spec+": deviation", p.Forecast.Stddev, want[k].Forecast.Stddev, 1e-9)
			}
		}
	}
}

// A draw over the actions at a context is exact: each is chosen as often as it is the best of draws made by hand.
func TestDrawsAtAContextChooseAsTheyShould(t *testing.T) {
	s := tasks(t)
	here := []float64{0.25, 0.5}
	v := faced(t, s, feedback.Ignore, here, here)
	pool := v.Posterior.Pool()
	draws := 4000.0
	if Raced {
		draws = 1000
	}
	counts, byHand := make([]float64, pool.Len()), make([]float64, pool.Len())
	stream := rng.New(3, rng.Test, 0)
	for range int(draws) {
		x := v.Maximize(v.Draw(1, 0, stream), nil, stream)
		counts[pool.Index(x)]++
		path := v.Posterior.Draw(stream, 64)
		best, most := 0, math.Inf(-1)
		for i := range pool.Len() {
			if f := path.At(pool.Point(i)); f > most {
				best, most = i, f
			}
		}
		byHand[best]++
	}
	for i := range counts {
		share := (counts[i] + byHand[i]) / (2 * draws)
		must.Near(t, "share", counts[i]/draws, byHand[i]/draws, 5*math.Sqrt(2*share*(1-share)/draws)+0.01)
	}
	if still := v.Maximize(v.Draw(0, 0, stream), nil, stream); !slices.Equal(still, v.Maximize(acquisition.At{Posterior: v.Posterior, Utility: acquisition.UpperConfidenceBound{Beta: 0}}, nil, stream)) {
		t.Errorf("a draw without spread is best at %v", still)
	}
}

// The information gain of the theory is that of the whole domain, whatever pool the posterior carries.
func TestThePoolAtAContextIsNotTheDomainOfTheTheory(t *testing.T) {
	s := tasks(t)
	here := []float64{0.25, 0.5}
	at := func(v View) float64 { return Beta{Theory: true}.At(v, srinivasFailures, 0) }
	with, without := at(faced(t, s, feedback.Ignore, here, here)), at(faced(t, s, feedback.Ignore, nil, here))
	if with != without {
		t.Errorf("β is %v with a pool, %v without", with, without)
	}
}
