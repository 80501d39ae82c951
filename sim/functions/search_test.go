package functions

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/optimize"

	"github.com/tarry-bo/tarry/internal/rng"
)

// A search that knows nothing of the tables must find no better point, must find the maximum, and must find it nowhere
// but at the listed maximizers.
func TestMultistartSearchFindsTheListedMaximizersAndNoOthers(t *testing.T) {
	starts := 600
	if raced {
		starts = 40 // too few to find every maximizer
	}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			f := get(t, name, 0)
			stream := rng.New(1, rng.Test, 0)
			found := make([]bool, len(f.Maximizers))
			for range starts {
				x, v := climb(t, f, uniform(stream, f))
				if v > f.Maximum+1e-9 {
					t.Fatalf("%v has value %.12f, above the maximum %.12f", x, v, f.Maximum)
				}
				if v < f.Maximum-1e-8 {
					continue
				}
				i, d := nearest(f, x)
				found[i] = true
				if d > 0.02 && name != "alpine1" {
					t.Errorf("%v is a maximizer at distance %.3g from the listed ones", x, d)
				}
			}
			for i, ok := range found {
				if !ok && !raced {
					t.Errorf("maximizer %v was never found from %d starts", f.Maximizers[i], starts)
				}
			}
		})
	}
}

// The multiplicity that the documentation of Maximizers states.
func TestAlpine1HasEightZerosPerCoordinate(t *testing.T) {
	f := get(t, "alpine1", 1)
	zeros := 1 // the origin
	for k := -4; k <= 4; k++ {
		for _, x := range []float64{2*math.Pi*float64(k) - math.Asin(0.1), 2*math.Pi*float64(k) + math.Pi + math.Asin(0.1)} {
			if x < f.Low[0] || x > f.High[0] {
				continue
			}
			if v := f.Value([]float64{x}); v < -1e-12 {
				t.Errorf("alpine1(%v) = %v, want 0", x, v)
			}
			zeros++
		}
	}
	if zeros != 8 {
		t.Errorf("%d zeros in the box, want 8", zeros)
	}
}

// climb runs a Nelder-Mead search from x. Outside the box it sees the value at the nearest point of the box, less a
// penalty, so that it comes back.
func climb(t *testing.T, f Function, x []float64) ([]float64, float64) {
	inside := func(x []float64) []float64 {
		y := make([]float64, len(x))
		for j, v := range x {
			y[j] = min(max(v, f.Low[j]), f.High[j])
		}
		return y
	}
	problem := optimize.Problem{Func: func(x []float64) float64 {
		y := inside(x)
		return distance(x, y) - f.Value(y)
	}}
	settings := &optimize.Settings{FuncEvaluations: 2000, Converger: &optimize.FunctionConverge{Absolute: 1e-13, Iterations: 40}}
	result, err := optimize.Minimize(problem, x, settings, &optimize.NelderMead{SimplexSize: 0.05 * (f.High[0] - f.Low[0])})
	if err != nil && result == nil {
		t.Fatal(err)
	}
	best := inside(result.X)
	return best, f.Value(best)
}

func uniform(stream *rand.Rand, f Function) []float64 {
	x := make([]float64, f.Dim)
	for j := range x {
		x[j] = f.Low[j] + (f.High[j]-f.Low[j])*stream.Float64()
	}
	return x
}

func nearest(f Function, x []float64) (index int, d float64) {
	d = math.Inf(1)
	for i, m := range f.Maximizers {
		if e := distance(m, x); e < d {
			index, d = i, e
		}
	}
	return index, d
}
