package functions

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
)

func TestFunctionsOfAnyDimensionExistFromTheirLeastToTen(t *testing.T) {
	for _, c := range []struct {
		name  string
		least int
	}{{"ackley", 1}, {"alpine1", 1}, {"dixonprice", 2}, {"ellipsoid", 1}, {"griewank", 1}, {"levy", 1}, {"powers", 1}, {"rastrigin", 1}, {"rosenbrock", 2}, {"zakharov", 1}} {
		for d := c.least; d <= 10; d++ {
			f := get(t, c.name, d)
			if f.Dim != d || len(f.Low) != d || len(f.Maximizers[0]) != d {
				t.Errorf("%s in %d dimensions: %+v", c.name, d, f)
			}
		}
	}
}

// One coordinate more, at a value where it adds nothing, must leave the value alone. Which value that is, and on which
// side of the others the coordinate goes, follows from the formula of each function.
func TestDimensionsAreConsistentWithEachOther(t *testing.T) {
	stream := rng.New(1, rng.Test, 1)
	for d := 2; d < 10; d++ {
		for _, c := range []struct {
			name string
			pad  func(x []float64) (shorter, longer []float64)
		}{
			{"alpine1", func(x []float64) ([]float64, []float64) { return x, append(slices.Clone(x), 0) }},
			{"ellipsoid", func(x []float64) ([]float64, []float64) { return x, append(slices.Clone(x), 0) }},
			{"griewank", func(x []float64) ([]float64, []float64) { return x, append(slices.Clone(x), 0) }},
			{"powers", func(x []float64) ([]float64, []float64) { return x, append(slices.Clone(x), 0) }},
			{"rastrigin", func(x []float64) ([]float64, []float64) { return x, append(slices.Clone(x), 0) }},
			{"zakharov", func(x []float64) ([]float64, []float64) { return x, append(slices.Clone(x), 0) }},
			// The mean of a repeated point is the mean of the point.
			{"ackley", func(x []float64) ([]float64, []float64) { return x, slices.Repeat(x, 2) }},
			// A chain that ends where the next coordinate adds nothing may be lengthened there.
			{"dixonprice", func(x []float64) ([]float64, []float64) {
				x[d-1] = 2
				return x, append(slices.Clone(x), 1)
			}},
			// A chain that starts at its minimum may be lengthened at that end.
			{"levy", func(x []float64) ([]float64, []float64) { x[0] = 1; return x, slices.Insert(slices.Clone(x), 0, 1) }},
			{"rosenbrock", func(x []float64) ([]float64, []float64) { x[0] = 1; return x, slices.Insert(slices.Clone(x), 0, 1) }},
		} {
			f := get(t, c.name, d)
			shorter, longer := c.pad(uniform(stream, f))
			a, b := f.Value(shorter), get(t, c.name, len(longer)).Value(longer)
			if math.Abs(a-b) > 1e-12*max(1, math.Abs(a)) {
				t.Errorf("%s: %v at %v but %v at %v", c.name, a, shorter, b, longer)
			}
		}
	}
}

// Values worked out by hand where the formulas collapse.
func TestHandWorkedValuesInThreeDimensions(t *testing.T) {
	for _, c := range []struct {
		name string
		x    []float64
		want float64
	}{
		{"ackley", []float64{1, 1, 1}, -(20 - 20*math.Exp(-0.2))}, // cos 2π = 1 cancels e
		{"alpine1", []float64{math.Pi, -math.Pi, 0}, -0.2 * math.Pi},
		{"dixonprice", []float64{1, 0, 1}, -(0 + 2 + 12)},
		{"ellipsoid", []float64{1, -1, 2}, -(1 + 2 + 12)},
		{"griewank", []float64{math.Pi, 0, 0}, -(2 + math.Pi*math.Pi/4000)}, // cos π = -1
		{"powers", []float64{-0.5, 0.5, -1}, -(0.25 + 0.125 + 1)},
		{"rastrigin", []float64{0.5, 1, 0}, -(20.25 + 1)},
		{"zakharov", []float64{1, -1, 2}, -(6 + 6.25 + 39.0625)}, // 0.5 - 1 + 3 = 2.5
		{"rosenbrock", []float64{0, 1, 2}, -(100 + 1 + 100 + 0)},
		{"levy", []float64{1, 1, 5}, -1}, // w = (1, 1, 2)
	} {
		if v := get(t, c.name, 3).Value(c.x); math.Abs(v-c.want) > 1e-12 {
			t.Errorf("%s%v = %v, want %v", c.name, c.x, v, c.want)
		}
	}
}
