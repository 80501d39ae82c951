package acquisition

import (
	"fmt"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/lbfgs"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// landscape is a posterior of n noisy answers in d dimensions, with or without a pool.
func landscape(t *testing.T, d, n int, pooled bool, seed uint64) *surrogate.Posterior {
	t.Helper()
	stream := rng.New(seed, rng.Test, uint64(d))
	lengths := make([]float64, d)
	for j := range lengths {
		lengths[j] = 0.3 + 0.4*stream.Float64()
	}
	prior := surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: lengths, Outputscale: 1}, Noise: 1e-3}
	var pool *surrogate.Pool
	if pooled {
		pool = surrogate.NewPool(prior.Kernel, space.HaltonPoints(400, d, stream), false)
	}
	x, y := make([]space.Unit, n), make([]float64, n)
	for i := range x {
		x[i] = make([]float64, d)
		for j := range x[i] {
			x[i][j] = stream.Float64()
			y[i] += math.Sin(6*x[i][j] + float64(j))
		}
	}
	return must.Get(prior.Condition(x, y, pool))(t)
}

func floatSpace(t *testing.T, d int) space.Space {
	t.Helper()
	parameters := make([]space.Parameter, d)
	for j := range parameters {
		parameters[j] = space.Float(fmt.Sprintf("x%d", j), 0, 1)
	}
	return must.Get(space.New(parameters...))(t)
}

// A bounded number of steps finds what sixty-four full local searches find, up to a tenth of a standard deviation.
func TestTheRaceFindsWhatManyFullSearchesFind(t *testing.T) {
	missed, tried := 0, 0
	for _, d := range []int{1, 2, 4, 6} {
		for seed := range uint64(5) {
			for _, pooled := range []bool{false, true} {
				post := landscape(t, d, 15*d, pooled, seed)
				f := At{post, UpperConfidenceBound{Beta: 1}}
				s := floatSpace(t, d)
				got := Maximize(f, Search{Space: s, Stream: rng.New(seed, rng.Test, 9), Near: []space.Unit{post.X(0)}})
				best := math.Inf(-1)
				lower, upper := make([]float64, d), make([]float64, d)
				for j := range upper {
					upper[j] = 1
				}
				var where space.Unit
				for _, start := range space.HaltonPoints(64, d, rng.New(seed, rng.Test, 10)) {
					r := lbfgs.Minimize(func(x, grad []float64) float64 {
						v := f.Gradient(x, grad)
						for j := range grad {
							grad[j] = -grad[j]
						}
						return -v
					}, start, lower, upper, lbfgs.Settings{})
					if -r.Value > best {
						best, where = -r.Value, r.X
					}
				}
				_, variance := post.Predict(where)
				tried++
				if f.Value(got) < best-0.1*math.Sqrt(variance) {
					missed++
				}
			}
		}
	}
	if missed > tried/20 {
		t.Errorf("%d of %d searches end more than a tenth of a standard deviation below the best", missed, tried)
	}
}

// counted counts evaluations.
type counted struct {
	f                 func(x space.Unit) float64
	values, gradients int
}

func (c *counted) Value(x space.Unit) float64 { c.values++; return c.f(x) }

func (c *counted) Gradient(x space.Unit, grad []float64) float64 {
	c.gradients++
	for j := range grad {
		grad[j] = 0
	}
	return c.f(x)
}

func TestASearchTakesNoMoreEvaluationsThanPromised(t *testing.T) {
	var many []space.Parameter
	for j := range 60 {
		many = append(many, space.Categorical(fmt.Sprintf("c%d", j), "a", "b", "c", "d"), space.Float(fmt.Sprintf("x%d", j), 0, 1))
	}
	mixed := must.Get(space.New(many...))(t)
	for name, s := range map[string]space.Space{"real": floatSpace(t, 6), "mixed": mixed} {
		f := &counted{f: func(x space.Unit) float64 {
			var sum float64
			for _, v := range x {
				sum += math.Sin(9 * v)
			}
			return sum
		}}
		Maximize(f, Search{Space: s, Stream: rng.New(1, rng.Test, 3), Near: []space.Unit{s.Random(rng.New(1, rng.Test, 4))}})
		if f.gradients > 2*defaultSteps || f.values > defaultCandidates+100+levelBudget {
			t.Errorf("%s: %d values and %d gradients", name, f.values, f.gradients)
		}
	}
}

// In a small mixed space the search finds what trying every combination of levels on a fine grid finds.
func TestMixedSpacesAreSearchedAsWellAsByBruteForce(t *testing.T) {
	s := must.Get(space.New(space.Float("x", 0, 1), space.Int("n", 1, 40), space.Categorical("kind", "a", "b", "c", "d"), space.LogInt("m", 1, 500)))(t)
	for seed := range uint64(searches) {
		stream := rng.New(seed, rng.Test, 21)
		k := surrogate.Stationary{
			Family: surrogate.Matern52, Lengthscales: []float64{.3, .4, 1.2, .5}, Outputscale: 1, Categorical: s.Categorical(),
		}
		var x []space.Unit
		var y []float64
		for range 40 {
			u := s.Random(stream)
			x, y = append(x, u), append(y, math.Sin(5*u[0])+math.Cos(4*u[1])+math.Sin(3*u[3])+math.Floor(4*u[2])/4)
		}
		post := must.Get(surrogate.Prior{Kernel: k, Noise: 1e-3}.Condition(x, y, nil))(t)
		f := At{post, UpperConfidenceBound{Beta: 1}}
		got := Maximize(f, Search{Space: s, Stream: stream, Near: []space.Unit{x[0]}})
		if snapped := s.Snap(got); !within(snapped, got, 0) {
			t.Errorf("%v is not representable", got)
		}
		best := math.Inf(-1)
		for n := range 40 {
			for kind := range 4 {
				for m := 1; m <= 500; m += 1 + m/8 {
					for i := range 11 {
						u := []float64{float64(i) / 10, s.Parameter(1).Unit(float64(n + 1)), s.Parameter(2).Unit(float64(kind)), s.Parameter(3).Unit(float64(m))}
						best = max(best, f.Value(u))
					}
				}
			}
		}
		if f.Value(got) < best-0.05 {
			t.Errorf("seed %d: found %v, on the grid there is %v", seed, f.Value(got), best)
		}
	}
}

// The size of the values does not decide how well they are climbed.
func TestTinyUtilitiesAreClimbedLikeOthers(t *testing.T) {
	peak := space.Unit{.31, .62}
	at := func(scale float64) space.Unit {
		f := bowl{peak, scale}
		return Maximize(f, Search{Space: floatSpace(t, 2), Stream: rng.New(3, rng.Test, 8)})
	}
	want := at(1)
	for _, scale := range []float64{1e-3, 1e-9} {
		if got := at(scale); !within(got, want, 1e-6) || !within(got, peak, 1e-4) {
			t.Errorf("scaled by %g: %v, want %v", scale, got, want)
		}
	}
}

// bowl is a paraboloid of the given height.
type bowl struct {
	peak  space.Unit
	scale float64
}

func (b bowl) Value(x space.Unit) float64 { return b.Gradient(x, make([]float64, len(x))) }

func (b bowl) Gradient(x space.Unit, grad []float64) float64 {
	var sum float64
	for j, c := range b.peak {
		w := b.scale * math.Pow(7, float64(j))
		sum -= w * (x[j] - c) * (x[j] - c)
		grad[j] = -2 * w * (x[j] - c)
	}
	return sum
}

// A pool serves the context that its points are at; elsewhere the search looks at points of its own, which are there.
func TestAPoolServesItsContextAlone(t *testing.T) {
	s := must.Get(space.New(space.Float("x", 0, 1), space.Ordered("part", 1, 2, 4).AsFidelity(1, 2, 4)))(t)
	post := landscape(t, 2, 20, false, 5)
	points := space.HaltonPoints(200, 2, rng.New(5, rng.Test, 62))
	for _, x := range points {
		x[1] = s.Target()
	}
	f := At{post.WithPool(surrogate.NewPool(post.Prior().Kernel, points, false)), UpperConfidenceBound{Beta: 1}}
	for level, served := range map[float64]bool{s.Target(): true, 0.5: false} {
		search := Search{Space: s, Context: space.Unit{level}, Stream: rng.New(5, rng.Test, 63)}
		found := search.fromPool(f)
		if (len(found) > 0) != served {
			t.Errorf("at %v the pool has %d candidates", level, len(found))
		}
		if x := Maximize(f, search); x[1] != level {
			t.Errorf("at %v it found %v", level, x)
		}
	}
}
