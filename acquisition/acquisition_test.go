package acquisition

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

func TestHandWorkedValues(t *testing.T) {
	must.Near(t, "EI", ExpectedImprovement(.3, .5, .4, 0), 0.153447317932, 1e-11)
	must.Near(t, "PI", ProbabilityOfImprovement(.3, .5, .4, .01), 0.412935577352, 1e-11)
	must.Near(t, "log h(−3)", LogH(-3), -7.8696860596, 1e-10)
	must.Near(t, "log h(−10)", LogH(-10), -55.5531220361, 1e-11)
	must.Near(t, "log h(−40)", LogH(-40), -808.2985683566, 1e-12)
	must.Near(t, "EI without spread", ExpectedImprovement(.5, 0, .4, 0), .1, 1e-15)
	must.Near(t, "EI without hope", ExpectedImprovement(.3, 0, .4, 0), 0, 0)
	must.Near(t, "PI without spread", ProbabilityOfImprovement(.5, 0, .4, 0)+ProbabilityOfImprovement(.3, 0, .4, 0), 1, 0)
	must.Near(t, "UCB", UpperConfidenceBound{Beta: 2, Noise: .09}.Of(1, .16), 2, 1e-15)
	must.Near(t, "log EI", LogExpectedImprovement{Best: .4}.Of(.3, .25), math.Log(0.153447317932), 1e-11)
	must.Near(t, "log PI", LogProbabilityOfImprovement{Best: .4, Xi: .01}.Of(.3, .25), math.Log(0.412935577352), 1e-11)
	must.Near(t, "quantile", Quantile{P: .975, Noise: .09}.Of(1, .16), 1+1.9599639845400542/2, 1e-15)
}

func TestEIAgreesWithSampling(t *testing.T) {
	stream := rng.New(1, rng.Test, 0)
	sum := 0.0
	const n = 200_000
	for range n {
		sum += max(.3+.5*stream.NormFloat64()-.4, 0)
	}
	must.Near(t, "EI by sampling", sum/n, ExpectedImprovement(.3, .5, .4, 0), 4e-3)
}

// log h joins its pieces without a step, and its slope is Φ/h everywhere.
func TestLogHIsSmooth(t *testing.T) {
	for _, seam := range []float64{-1, -12, -37, -300} {
		step := LogH(seam+1e-9) - LogH(seam-1e-9)
		slope := math.Exp(logNormalCDF(seam) - LogH(seam))
		must.Near(t, "slope across the seam", step/2e-9, slope, 1e-4)
	}
	for d := -1000.0; d < 20; d += 0.37 {
		if !(LogH(d) < LogH(d+.37)) {
			t.Fatalf("log h falls between %v and %v", d, d+.37)
		}
	}
}

// fitted is a posterior on a plane with eight values.
func fitted(t *testing.T) *surrogate.Posterior {
	t.Helper()
	k := surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{.3, .5}, Outputscale: 1.5}
	var x []space.Unit
	var y []float64
	stream := rng.New(4, rng.Test, 0)
	for range 8 {
		u := []float64{stream.Float64(), stream.Float64()}
		x, y = append(x, u), append(y, math.Sin(4*u[0])-u[1])
	}
	return must.Get(surrogate.Prior{Kernel: k, Noise: .01}.Condition(x, y, nil))(t)
}

func functionsOf(t *testing.T) map[string]Function {
	p := fitted(t)
	path := p.Draw(rng.New(1, rng.Test, 1), 128)
	return map[string]Function{
		"ucb":                  At{p, UpperConfidenceBound{Beta: 2}},
		"ucb, predictive":      At{p, UpperConfidenceBound{Beta: 2, Noise: .01}},
		"quantile":             At{p, Quantile{P: .9}},
		"quantile, predictive": At{p, Quantile{P: .6, Noise: .01}},
		"log EI":               At{p, LogExpectedImprovement{Best: 0.9}},
		"log EI, far":          At{p, LogExpectedImprovement{Best: 30}},
		"log PI":               At{p, LogProbabilityOfImprovement{Best: 0.9, Xi: .01}},
		"log PI, far":          At{p, LogProbabilityOfImprovement{Best: 30}},
		"sum":                  Sum{At{p, LogExpectedImprovement{Best: 0.9}}, At{p, LogProbabilityOfImprovement{Best: 0.2}}},
		"thompson":             SamplePath{Posterior: p, Path: path, Nu: 1},
		"thompson, wide":       SamplePath{Posterior: p, Path: path, Nu: 2.5},
	}
}

func TestGradientsAgreeWithDifferences(t *testing.T) {
	for name, f := range functionsOf(t) {
		for _, x := range []space.Unit{{.5, .5}, {.21, .83}, {0, 1}, {.9, .1}} {
			got := make([]float64, 2)
			if v := f.Gradient(x, got); math.Abs(v-f.Value(x)) > 1e-9*max(1, math.Abs(v)) {
				t.Errorf("%s: value %v from Gradient, %v from Value", name, v, f.Value(x))
			}
			want := fd.Gradient(nil, func(u []float64) float64 { return f.Value(u) }, x, &fd.Settings{Formula: fd.Central, Step: 1e-5})
			for j := range got {
				must.Near(t, name, got[j], want[j], 1e-5)
			}
		}
	}
}

func plane(t *testing.T) space.Space {
	t.Helper()
	return must.Get(space.New(space.Float("x", -3, 3), space.Float("y", 0, 1)))(t)
}

func TestMaximizeFindsWhatADenseGridFinds(t *testing.T) {
	s := plane(t)
	for name, f := range functionsOf(t) {
		found := Maximize(f, Search{Space: s, Stream: rng.New(1, rng.Test, 2)})
		best := math.Inf(-1)
		for i := range 201 {
			for j := range 201 {
				best = max(best, f.Value([]float64{float64(i) / 200, float64(j) / 200}))
			}
		}
		if got := f.Value(found); got < best-1e-3*max(1, math.Abs(best)) {
			t.Errorf("%s: found %v, the grid has %v", name, got, best)
		}
	}
}

// plain is a function of the unit cube without a model behind it.
type plain struct{ f func(x space.Unit) float64 }

func (p plain) Value(x space.Unit) float64 { return p.f(x) }
func (p plain) Gradient(x space.Unit, grad []float64) float64 {
	fd.Gradient(grad, func(u []float64) float64 { return p.f(u) }, x, &fd.Settings{Formula: fd.Central, Step: 1e-6})
	return p.f(x)
}

func TestBoundsAreReachedExactly(t *testing.T) {
	f := plain{func(x space.Unit) float64 { return x[0] - 3*x[1] }}
	if got := Maximize(f, Search{Space: plane(t), Stream: rng.New(1, rng.Test, 3)}); !slices.Equal(got, []float64{1, 0}) {
		t.Errorf("maximum of a plane at %v, want the corner", got)
	}
}

func TestMixedParametersReachTheExactOptimum(t *testing.T) {
	s := must.Get(space.New(space.Float("x", 0, 1), space.Int("n", 1, 60), space.Categorical("c", "a", "b", "c", "d")))(t)
	f := plain{func(u space.Unit) float64 {
		x := s.Value(u)
		return -(x[0]-.3)*(x[0]-.3) - math.Abs(x[1]-37)/60 - map[float64]float64{0: 1, 1: .5, 2: 0, 3: .9}[x[2]]
	}}
	x := s.Value(Maximize(f, Search{Space: s, Stream: rng.New(1, rng.Test, 4)}))
	if math.Abs(x[0]-.3) > 1e-3 || x[1] != 37 || x[2] != 2 {
		t.Errorf("found %v, want 0.3, 37, 2", x)
	}
}

func TestSmallDiscreteSpacesAreSearchedWhole(t *testing.T) {
	s := must.Get(space.New(space.Int("i", 0, 9), space.Categorical("c", "a", "b", "c"), space.Int("day", 1, 7).AsContext()))(t)
	f := plain{func(u space.Unit) float64 {
		x := s.Value(u)
		if slices.Equal(x, []float64{7, 1, 4}) {
			return 1
		}
		return math.NaN() // counts as the worst
	}}
	context := []float64{s.Parameter(2).Unit(4)}
	if x := s.Value(Maximize(f, Search{Space: s, Context: context})); !slices.Equal(x, []float64{7, 1, 4}) {
		t.Errorf("found %v", x)
	}
}

func TestListsAreSearchedWholeAndAvoidIsHonoured(t *testing.T) {
	var points []space.Point
	for i := range 50 {
		points = append(points, []float64{float64(i) / 49})
	}
	s := must.Get(space.List(points, space.Float("x", 0, 1)))(t)
	f := plain{func(x space.Unit) float64 { return -math.Abs(x[0] - 20.0/49) }}
	first := Maximize(f, Search{Space: s})
	if !slices.Equal(first, s.UnitPoints()[20]) {
		t.Fatalf("found %v", first)
	}
	second := Maximize(f, Search{Space: s, Avoid: []space.Unit{first}})
	if !slices.Equal(second, s.UnitPoints()[19]) && !slices.Equal(second, s.UnitPoints()[21]) {
		t.Errorf("next best is %v, want a neighbour", second)
	}
	if got := Maximize(f, Search{Space: s, Avoid: s.UnitPoints()}); !slices.Equal(got, first) {
		t.Errorf("with everything to be avoided: %v", got)
	}
}

func TestContextStaysWhereItIs(t *testing.T) {
	s := must.Get(space.New(space.Float("z", 0, 1).AsContext(), space.Float("x", 0, 1)))(t)
	f := plain{func(x space.Unit) float64 { return -(x[1] - x[0]) * (x[1] - x[0]) }}
	got := Maximize(f, Search{Space: s, Context: []float64{.37}, Near: []space.Unit{{.9, .9}}, Stream: rng.New(1, rng.Test, 5)})
	if got[0] != .37 || math.Abs(got[1]-.37) > 1e-4 {
		t.Errorf("found %v", got)
	}
}

func TestManyLevelsAreTriedAtGrowingDistance(t *testing.T) {
	p := space.Int("n", 1, 1000)
	levels := tried(p, p.Unit(500))
	for _, want := range []int{0, 999, 498, 500, 495, 503} {
		if !slices.Contains(levels, want) {
			t.Errorf("level %d is not tried: %v", want, levels)
		}
	}
	if tried(space.Float("x", 0, 1), .5) != nil && len(tried(space.Float("x", 0, 1), .5)) > 0 {
		t.Error("a real parameter has levels")
	}
}

// ExpectedImprovement returns E[max(f − best − xi, 0)] for f ~ N(mean, sd²): sd·h(d) with h(d) = φ(d) + d·Φ(d) and
// d = (mean − best − xi)/sd (Mockus 1975). Without spread it is max(mean − best − xi, 0).
func ExpectedImprovement(mean, sd, best, xi float64) float64 {
	if sd <= 0 {
		return max(mean-best-xi, 0)
	}
	return sd * math.Exp(LogH((mean-best-xi)/sd))
}

// ProbabilityOfImprovement returns P(f > best + xi) = Φ(d) with d = (mean − best − xi)/sd for f ~ N(mean, sd²)
// (Kushner 1964). Without spread it is 1 or 0.
func ProbabilityOfImprovement(mean, sd, best, xi float64) float64 {
	if sd <= 0 {
		if mean > best+xi {
			return 1
		}
		return 0
	}
	return normalCDF((mean - best - xi) / sd)
}
