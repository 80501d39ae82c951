package surrogate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// The fixture of most hand-worked numbers: four points in the square.
var (
	fixtureX = []space.Unit{{0.10, 0.20}, {0.40, 0.90}, {0.70, 0.30}, {0.95, 0.60}}
	fixtureY = []float64{0.5, -0.3, 1.2, 0.1}
	xa, xb   = []float64{0.5, 0.5}, []float64{0.2, 0.8}
)

func fixturePrior(f Family) Prior {
	return Prior{Kernel: Stationary{Family: f, Lengthscales: []float64{0.3, 0.5}, Outputscale: 1.5}, Noise: 0.01}
}

// The one-dimensional fixture: seven queries of a study with late answers.
var (
	lineX = []space.Unit{{0.10}, {0.35}, {0.60}, {0.85}, {0.50}, {0.20}, {0.72}}
)

func linePrior() Prior {
	return Prior{Kernel: Stationary{Family: SE, Lengthscales: []float64{0.2}, Outputscale: 1}, Noise: 0.05}
}

func condition(t testing.TB, p Prior, x []space.Unit, y []float64, pool *Pool) *Posterior {
	t.Helper()
	post, err := p.Condition(x, y, pool)
	if err != nil {
		t.Fatal(err)
	}
	return post
}

// printed wants a number that was printed with ten digits after the point, or relative precision 1e-8.
func printed(t testing.TB, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= max(6e-11, 1e-8*math.Abs(want))) {
		t.Errorf("%s = %.12g, want %.12g", what, got, want)
	}
}

func printedAll(t testing.TB, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range got {
		printed(t, what, got[i], want[i])
	}
}

func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v, want %v ± %v", what, got, want, tolerance)
	}
}

func stream(index uint64) *rand.Rand { return rng.New(42, rng.Test, index) }

func randomPoints(r *rand.Rand, n, d int) []space.Unit {
	x := make([]space.Unit, n)
	for i := range x {
		x[i] = make([]float64, d)
		for j := range x[i] {
			x[i][j] = r.Float64()
		}
	}
	return x
}

func randomTargets(r *rand.Rand, n int) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	return y
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if _, constant := recover().(string); !constant {
			t.Errorf("%s: no panic with a constant string", what)
		}
	}()
	f()
}

// everyKernel is one kernel of each kind in two dimensions.
func everyKernel() []Kernel {
	l := []float64{0.3, 0.7}
	return []Kernel{
		Stationary{SE, l, 1.5, nil, 0, 0},
		Stationary{Matern12, l, 1.5, nil, 0, 0},
		Stationary{Matern32, l, 0.7, nil, 0, 0},
		Stationary{Matern52, l, 2, nil, 0, 0},
		Stationary{Matern52, l, 2, []bool{false, true}, 0, 0},
		Additive{SE, l, 1.5, nil, 0, 0},
		Additive{Matern52, l, 2, []bool{false, true}, 0, 0},
		Stationary{Matern52, l, 2, []bool{false, true}, 0.6, 0},
		Additive{SE, l, 1.5, nil, 0.6, 0},
		Surface{4, l, 0.4},
		Surface{2, l, 0.7},
		Stationary{RationalQuadratic, l, 1.5, nil, 0, 0},
		Warped{Stationary{Matern52, l, 2, nil, 0, 0}, Inputs{30, 0.1}},
		Warped{Stationary{SE, l, 1.5, []bool{false, true}, 0.6, 0}, Inputs{1, 5}},
		Periodic{[]float64{0.9, 1.4}, 1.7, 2},
		Linear{[]float64{0.5, 0.4}, 2},
		DotProduct{1.3, 2},
		Sum{Stationary{SE, l, 1.5, nil, 0, 0}, Linear{[]float64{0.5, 0.4}, 2}},
		NewICM(Stationary{Matern52, l[:1], 1.5, nil, 0, 0}, 1, 3).WithValues([]float64{0.3, 1.5, 0.3}),
		NewICM(Additive{SE, l[:1], 1.5, nil, 0, 0}, 0, 2).WithValues([]float64{0.3, 1.5, 0.7}),
		NewICM(Warped{Stationary{Matern52, l[:1], 1.5, nil, 0, 0}, Inputs{40}}, 1, 3).WithValues([]float64{0.3, 1.5, 40, 0.3}),
		NewICM(Product{Stationary{SE, l[:1], 1.5, nil, 0, 0}, Periodic{l[1:], 0.7, 1}}, 1, 2),
		testFeatures(nil),
		testFeatures(&FidelityAxis{1, 3}),
		Product{Stationary{Matern32, l, 1.5, nil, 0, 0}, Periodic{[]float64{0.9, 1.4}, 0.7, 2}},
	}
}

// testFeatures is a kernel over a small network in two dimensions.
func testFeatures(axis *FidelityAxis) Kernel {
	shape := network.Shape{Inputs: 2, Layers: []int{7, 5}, Plain: true}
	if axis != nil {
		shape.Inputs--
	}
	k, err := NewFeatures(shape, randomTargets(stream(630), shape.Weights()), axis)
	if err != nil {
		panic(err)
	}
	values := append([]float64{1.3, 1.5}, 0.4)
	return k.WithValues(values[:len(k.Hyper())])
}

// vectors returns n vectors of length d to be overwritten.
func vectors(n, d int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = slices.Repeat([]float64{9}, d)
	}
	return out
}
