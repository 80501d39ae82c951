package policies

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// leveledMoment is a view of n queries in two coordinates at four fidelities, with a budget, and posteriors of its rows under some kernels.
func leveledMoment(t testing.TB, n int, kernels []surrogate.Kernel) (View, []*surrogate.Posterior, []space.Unit) {
	t.Helper()
	s := must.Get(space.New(space.Float("x", 0, 1), space.Float("y", 0, 1), space.Ordered("m", 1, 2, 3, 4).AsFidelity(1, 2, 4, 8)))(t)
	stream := rng.New(uint64(n), rng.Test, 81)
	var x []space.Unit
	var y []float64
	for range n {
		u := s.Random(stream)
		x, y = append(x, u), append(y, math.Sin(4*u[0])-(u[1]-.4)*(u[1]-.4)+.1*u[2])
	}
	v := moment(t, s, surrogate.Prior{Kernel: kernels[0], Noise: 1e-4}, x, y, feedback.Hallucinate)
	v.Context, v.Funds = space.Unit{s.Target()}, 1e6
	v.Incumbent = s.AtTarget(v.Incumbent)
	rows, targets := make([]space.Unit, v.Posterior.Len()), v.Posterior.Targets()
	for i := range rows {
		rows[i] = v.Posterior.X(i)
	}
	var all []*surrogate.Posterior
	for _, k := range kernels {
		all = append(all, must.Get(surrogate.Prior{Kernel: k, Noise: 1e-4}.Condition(rows, targets, nil))(t))
	}
	candidates, _, _ := v.contestants(stream)
	return v, all, candidates
}

// materns are kernels over four fidelities with different lengthscales.
func materns(count int) []surrogate.Kernel {
	var out []surrogate.Kernel
	for k := range count {
		length := .3 + .1*float64(k)
		out = append(out, surrogate.NewICM(surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{length, length}, Outputscale: 1}, 2, 4))
	}
	return out
}

// networks are kernels over four fidelities whose networks have different weights.
func networks(t testing.TB, count int) []surrogate.Kernel {
	t.Helper()
	shape := network.Shape{Inputs: 2, Layers: []int{16, 16, 16}}
	stream := rng.New(3, rng.Test, 82)
	var out []surrogate.Kernel
	for range count {
		weights := make([]float64, shape.Weights())
		for i := range weights {
			weights[i] = stream.NormFloat64() / 4
		}
		out = append(out, must.Get(surrogate.NewFeatures(shape, weights, &surrogate.FidelityAxis{At: 2, Levels: 4}))(t))
	}
	return out
}

// Each member has the samples that a policy has whose model it is.
func TestMembersSampleTheMaximumAsTheirModelWould(t *testing.T) {
	v, posteriors, candidates := leveledMoment(t, 20, materns(3))
	m := v.membersOf(posteriors, candidates, 10, 1)
	for k, member := range m.gain.Members {
		own := v
		own.Posterior = posteriors[k].WithPool(surrogate.NewPool(posteriors[k].Prior().Kernel, candidates, false))
		want := Gumbel.Sample(own, 10, nil)
		for i, y := range member.Maxima {
			must.Near(t, "sample", y, want[i], 1e-8)
			if y < own.Target()-1e-9 {
				t.Errorf("member %d: a maximum of %v, below %v", k, y, own.Target())
			}
		}
	}
	none := v.membersOf(posteriors, nil, 2, 1)
	if got := none.gain.Members[0].Maxima; none.best != nil || math.Abs(got[0]-got[1]) > 0 || math.IsInf(got[0], 0) {
		t.Errorf("without candidates %v at %v", got, none.best)
	}
}

// What is chosen is worth at least what is promising and what the members expect most of, at every fidelity, and is not avoided.
func TestMembersChooseWhatTellsMostForItsCost(t *testing.T) {
	for _, kernels := range [][]surrogate.Kernel{materns(3), networks(t, 3)} {
		v, posteriors, candidates := leveledMoment(t, 20, kernels)
		m := v.membersOf(posteriors, candidates, 10, 1.2)
		worth := func(x space.Unit) float64 { return m.gain.Value(x) - math.Log(v.Space.Cost(x)) }
		x := v.memberForItsCost(m, 1, nil, rng.New(1, rng.Test, 83))
		for _, place := range append(v.Promising(), m.best) {
			for _, level := range v.Affordable(mostLevels) {
				if at := v.atLevel(place, level); worth(at) > worth(x)+1e-9 {
					t.Errorf("%v is worth %v, less than %v of %v", x, worth(x), worth(at), at)
				}
			}
		}
		if y := v.memberForItsCost(m, 1, []space.Unit{x}, rng.New(1, rng.Test, 83)); slices.Equal(x, y) {
			t.Errorf("%v is avoided", y)
		}
		v.Funds = 1.5
		if y := v.memberForItsCost(m, 1, nil, rng.New(1, rng.Test, 83)); v.Space.Cost(y) != 1 {
			t.Errorf("with 1.5 left %v costs %v", y, v.Space.Cost(y))
		}
	}
}

// The last query is where the members together expect most, unless its value is known.
func TestTheLastQueryOfMembersIsWhereTheyExpectMost(t *testing.T) {
	v, posteriors, candidates := leveledMoment(t, 20, materns(3))
	m := v.membersOf(posteriors, candidates, 10, 1.2)
	v.Funds = 8.5
	x := v.memberForItsCost(m, 1, nil, rng.New(1, rng.Test, 84))
	if !v.Space.OnTarget(x) {
		t.Errorf("the last query is %v", x)
	}
	for _, c := range candidates {
		mean := 0.0
		for _, p := range posteriors {
			mean += p.Mean(c) / 3
		}
		if mean > m.mean.Value(x)+1e-9 {
			t.Errorf("%v is expected of %v, %v of %v", m.mean.Value(x), x, mean, c)
		}
	}
	if y := v.memberForItsCost(m, 1, []space.Unit{x}, rng.New(1, rng.Test, 84)); slices.Equal(x, y) {
		t.Errorf("%v is avoided", y)
	}
}

// One member in a space without a fidelity is max-value entropy search.
func TestMembersWithoutAFidelityChooseAPoint(t *testing.T) {
	s := must.Get(space.New(space.Float("x", 0, 1), space.Float("y", 0, 1)))(t)
	stream := rng.New(1, rng.Test, 85)
	prior := must.Get(surrogate.DefaultPrior("matern52", 2))(t)
	prior.Noise = .01
	var x []space.Unit
	var y []float64
	for range 12 {
		u := s.Random(stream)
		x, y = append(x, u), append(y, math.Sin(4*u[0])-u[1])
	}
	v := moment(t, s, prior, x, y, feedback.Hallucinate)
	candidates, _, _ := v.contestants(stream)
	m := v.membersOf([]*surrogate.Posterior{v.Posterior}, candidates, 10, 1)
	got := v.memberForItsCost(m, 1, nil, stream)
	plain := acquisition.At{Posterior: v.Posterior, Utility: acquisition.LogEntropyGain{Maxima: m.gain.Members[0].Maxima, Noise: v.Posterior.Noise()}}
	for _, c := range append(candidates, x...) {
		if plain.Value(c) > plain.Value(got)+.05 {
			t.Errorf("%v tells %v, %v of %v", got, plain.Value(got), plain.Value(c), c)
		}
	}
}

// BenchmarkMembers is what the choice of one query costs with ten members.
func BenchmarkMembers(b *testing.B) {
	for _, n := range []int{50, 200} {
		for name, kernels := range map[string][]surrogate.Kernel{"matern": materns(10), "features": networks(b, 10)} {
			v, posteriors, candidates := leveledMoment(b, n, kernels)
			stream := rng.New(1, rng.Test, 86)
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					v.memberForItsCost(v.membersOf(posteriors, candidates, 10, 1.2), 1, nil, stream)
				}
			})
		}
	}
}

// Means at the rows that were computed are those of their model alone.
func TestMeansAtTheRowsAreThoseOfTheModel(t *testing.T) {
	v, _, _ := leveledMoment(t, 12, materns(1))
	if got, want := v.withRowMeans().rowMeans(), v.rowMeans(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for i, mean := range v.rowMeans() {
		must.Near(t, "mean", mean, v.Posterior.Mean(v.Space.AtTarget(v.Posterior.X(i))), 1e-9)
	}
	known := v.withRowMeans()
	known.rowMeans()[0] = math.Inf(1) // is the caller's own
	if next := known.WithPending(space.Unit{.3, .6, 0}, feedback.Hallucinate); len(next.rowMeans()) != 13 {
		t.Errorf("after one more query: %v", next.rowMeans())
	}
}
