package acquisition

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// hills are an objective and two constraints in d dimensions, with pools of the same points or without any.
func hills(t *testing.T, d int, pooled bool, seed uint64) (objective *surrogate.Posterior, region Region) {
	t.Helper()
	objective = landscape(t, d, 15*d, pooled, seed)
	for k, least := range []float64{0.1, -0.2} {
		region = append(region, Bound{Posterior: landscape(t, d, 15*d, pooled, seed+100*uint64(k+1)), Least: least})
	}
	if pooled { // landscape draws the points of each pool anew
		for i, b := range region {
			region[i].Posterior = b.Posterior.WithPool(nil)
		}
		objective = objective.WithPool(nil)
		points := space.HaltonPoints(300, d, rng.New(seed, rng.Test, 7))
		with := func(p *surrogate.Posterior) *surrogate.Posterior {
			return p.WithPool(surrogate.NewPool(p.Prior().Kernel, points, false))
		}
		objective = with(objective)
		for i, b := range region {
			region[i].Posterior = with(b.Posterior)
		}
	}
	return objective, region
}

// The best point within the region is as good as that of many candidates there, and within it.
func TestASearchStaysWithinItsRegion(t *testing.T) {
	for _, d := range []int{1, 2, 4} {
		for seed := range uint64(4) {
			for _, pooled := range []bool{false, true} {
				post, region := hills(t, d, pooled, seed)
				f := At{post, UpperConfidenceBound{Beta: 1}}
				best := math.Inf(-1)
				for _, x := range space.HaltonPoints(4000, d, rng.New(seed, rng.Test, 8)) {
					if region.Has(x) {
						best = max(best, f.Value(x))
					}
				}
				got := Maximize(f, Search{Space: floatSpace(t, d), Stream: rng.New(seed, rng.Test, 9), Within: region})
				if math.IsInf(best, -1) {
					continue
				}
				if !region.Has(got) {
					t.Errorf("d = %d, seed %d: %v is outside", d, seed, got)
				}
				if v := f.Value(got); v < best-0.05 {
					t.Errorf("d = %d, seed %d, pool %v: %.4f, want about %.4f", d, seed, pooled, v, best)
				}
			}
		}
	}
}

func TestTheProbabilityOfARegionIsAProduct(t *testing.T) {
	_, region := hills(t, 2, false, 3)
	x := space.Unit{0.3, 0.6}
	want := 1.0
	for _, b := range region {
		mean, variance := b.Posterior.Predict(x)
		want *= normalCDF((mean - b.Least) / math.Sqrt(variance))
	}
	must.Near(t, "probability", region.Probability(x), want, 1e-12)
	must.Near(t, "everywhere", Region(nil).Probability(x), 1, 0)
}

func TestASumOverAPoolIsThatOfItsParts(t *testing.T) {
	post, region := hills(t, 2, true, 1)
	f := append(Sum{At{post, LogExpectedImprovement{Best: 1}}}, region.LogProbability()...)
	pool := post.Pool()
	for i, v := range f.PoolValues(pool) {
		must.Near(t, "sum", v, f.Value(pool.Point(i)), 1e-6*max(1, math.Abs(v)))
	}
	other := surrogate.NewPool(post.Prior().Kernel, space.HaltonPoints(5, 2, rng.New(1, rng.Test, 2)), false)
	if f.PoolValues(other) != nil {
		t.Error("a pool of other points has values")
	}
	e, xs := newEvaluator(f), []space.Unit{{0.1, 0.2}, {0.7, 0.4}, {1, 0}}
	values, grads := make([]float64, 3), [][]float64{make([]float64, 2), make([]float64, 2), make([]float64, 2)}
	e.gradients(xs, values, grads)
	for i, x := range xs {
		want := make([]float64, 2)
		must.Near(t, "value", values[i], f.Gradient(x, want), 1e-9*max(1, math.Abs(values[i])))
		for j := range want {
			must.Near(t, "slope", grads[i][j], want[j], 1e-7*max(1, math.Abs(want[j])))
		}
	}
}

func TestThePenaltyOutsideOfARegionIsSmooth(t *testing.T) {
	post, region := hills(t, 2, false, 2)
	e := penalized{newEvaluator(At{post, UpperConfidenceBound{Beta: 1}}), region}
	value := func(x []float64) float64 {
		out := make([]float64, 1)
		e.values([]space.Unit{x}, out)
		return out[0]
	}
	for _, x := range []space.Unit{{0.2, 0.3}, {0.8, 0.9}, {0.5, 0.1}, {0.9, 0.4}} {
		out, grads := make([]float64, 1), [][]float64{make([]float64, 2)}
		e.gradients([]space.Unit{x}, out, grads)
		must.Near(t, "value", out[0], value(x), 1e-9)
		want := fd.Gradient(nil, value, x, &fd.Settings{Formula: fd.Central, Step: 1e-5})
		for j := range want {
			must.Near(t, "slope", grads[0][j], want[j], 1e-4*max(1, math.Abs(want[j])))
		}
	}
}

// The closest point of half planes and a box, by hand: a corner of two of them, a foot of a perpendicular, and what is inside already.
func TestTheClosestPointOfALinearizedRegion(t *testing.T) {
	plane := func(slope, at float64, j int) Bound { // a mean that is about slope·(x_j - at) near the data
		var x []space.Unit
		var y []float64
		for _, u := range []float64{0, 0.25, 0.5, 0.75, 1} {
			for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
				p := space.Unit{u, v}
				x, y = append(x, p), append(y, slope*(p[j]-at))
			}
		}
		k := surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{2, 2}, Outputscale: 4}
		return Bound{Posterior: must.Get(surrogate.Prior{Kernel: k, Noise: 1e-8}.Condition(x, y, nil))(t)}
	}
	r := Region{plane(1, 0.3, 0), plane(-2, 0.6, 1)} // x ≥ 0.3, y ≤ 0.6
	lower, upper := []float64{0, 0}, []float64{1, 1}
	for _, c := range []struct{ to, want space.Unit }{
		{space.Unit{0.1, 0.9}, space.Unit{0.3, 0.6}}, {space.Unit{0.1, 0.2}, space.Unit{0.3, 0.2}},
		{space.Unit{0.5, 0.5}, space.Unit{0.5, 0.5}}, {space.Unit{3, -1}, space.Unit{1, 0}},
	} {
		got := r.closest(space.Unit{0.4, 0.5}, c.to, lower, upper)
		for j := range got {
			must.Near(t, "coordinate", got[j], c.want[j], 1e-3)
		}
	}
	if got := r.closest(space.Unit{0.4, 0.5}, space.Unit{0.1, 0.9}, []float64{0, 0.9}, []float64{1, 0.9}); math.Abs(got[0]-0.3) > 1e-3 || got[1] != 0.9 {
		t.Errorf("with the second coordinate fixed %v", got)
	}
}

// The best of x + y within a circle is where its boundary has that slope: a penalty alone comes near it only.
func TestASearchReachesTheBestPointOfABoundaryThatBends(t *testing.T) {
	const radius = 0.6
	var x []space.Unit
	var sum, inside []float64
	for _, p := range space.HaltonPoints(60, 2, rng.New(1, rng.Test, 3)) {
		x, sum = append(x, p), append(sum, p[0]+2*p[1])
		inside = append(inside, radius*radius-p[0]*p[0]-p[1]*p[1])
	}
	k := surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{1, 1}, Outputscale: 4}
	prior := surrogate.Prior{Kernel: k, Noise: 1e-8}
	region := Region{{Posterior: must.Get(prior.Condition(x, inside, nil))(t)}}
	f := At{must.Get(prior.Condition(x, sum, nil))(t), UpperConfidenceBound{Beta: 0}}
	for seed := range uint64(3) {
		got := Maximize(f, Search{Space: floatSpace(t, 2), Stream: rng.New(seed, rng.Test, 4), Within: region})
		must.Near(t, "value", f.Value(got), radius*math.Sqrt(5), 1e-4)
		if !region.Has(got) {
			t.Errorf("%v is outside", got)
		}
	}
}

// Where one parameter has steps the other is brought to the boundary at a step: rounding alone would leave the region or stay inside.
func TestASearchReachesABoundaryBetweenSteps(t *testing.T) {
	where := must.Get(space.New(space.Float("x", 0, 1).Stepped(0.25), space.Float("y", 0, 1)))(t)
	var x []space.Unit
	var sum, inside []float64
	for _, p := range space.HaltonPoints(60, 2, rng.New(1, rng.Test, 3)) {
		x, sum = append(x, p), append(sum, p[0]+p[1])
		inside = append(inside, 0.5-p[0]*p[0]-p[1]*p[1])
	}
	k := surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{1, 1}, Outputscale: 4}
	prior := surrogate.Prior{Kernel: k, Noise: 1e-8}
	region := Region{{Posterior: must.Get(prior.Condition(x, inside, nil))(t)}}
	f := At{must.Get(prior.Condition(x, sum, nil))(t), UpperConfidenceBound{Beta: 0}}
	got := Maximize(f, Search{Space: where, Stream: rng.New(1, rng.Test, 4), Within: region})
	must.Near(t, "value", f.Value(got), 1, 1e-4) // at (0.5, 0.5)
	if user := where.Value(got); user[0] != 0.5 || !region.Has(got) {
		t.Errorf("found %v", user)
	}
}
