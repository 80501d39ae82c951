package functions

import (
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
)

// families lists every test problem, sorted by name. A new problem is one variable of type family and one word here;
// the tests go through this list.
var families = []family{
	ackley, alpine1, beale, branin, cosines, crossintray, dixonprice, dropwave, ellipsoid, forrester, goldstein, griewank, hartmann3,
	hartmann6, levy, locbo1d, mccormick, powell, powers, rastrigin, rosenbrock, shekel, sixhump, zakharov,
}

// family is a textbook function in all the dimensions in which it exists.
type family struct {
	name      string
	dims      dims
	box       func(d int) (low, high []float64)
	loss      func(x []float64) float64 // the textbook function, to be minimized
	best      func(d int) [][]float64   // its global minimizers
	maximum   float64                   // minus its minimum, which depends on the dimension for none of them
	reference string
}

// dims is the range of dimensions and the one meant by 0.
type dims struct{ least, usual, most int }

// only is the range of a function with a fixed dimension.
func only(d int) dims { return dims{d, d, d} }

// from is the range of a function that exists in any dimension of at least d.
func from(d int) dims { return dims{d, 2, MaxDim} }

// in returns the member of the family in dim dimensions.
func (f family) in(dim int) (Function, error) {
	if dim == 0 {
		dim = f.dims.usual
	}
	if dim < f.dims.least || dim > f.dims.most {
		want := fmt.Sprintf("%d ≤ Dim ≤ %d, or 0 for %d", f.dims.least, f.dims.most, f.dims.usual)
		if f.dims.least == f.dims.most {
			want = fmt.Sprintf("%d (or 0)", f.dims.least)
		}
		return Function{}, &check.FieldError{Field: f.name + ".Dim", Value: dim, Want: want}
	}
	low, high := f.box(dim)
	return Function{
		Name: f.name, Dim: dim, Low: low, High: high, Maximizers: f.best(dim), Maximum: f.maximum, Reference: f.reference,
		Value: func(x []float64) float64 {
			if len(x) != dim {
				panic("functions: point and function differ in dimension")
			}
			return 0 - f.loss(x) // not -loss, which would print a perfect value as -0
		},
	}, nil
}

// cube is the box [low, high]^d.
func cube(low, high float64) func(int) ([]float64, []float64) {
	return func(d int) ([]float64, []float64) {
		return slices.Repeat([]float64{low}, d), slices.Repeat([]float64{high}, d)
	}
}

// corners is the box between two points, for a function of fixed dimension.
func corners(low, high []float64) func(int) ([]float64, []float64) {
	return func(int) ([]float64, []float64) { return slices.Clone(low), slices.Clone(high) }
}

// diagonal is the single minimizer (v, ..., v).
func diagonal(v float64) func(int) [][]float64 {
	return func(d int) [][]float64 { return [][]float64{slices.Repeat([]float64{v}, d)} }
}

// points are the minimizers of a function of fixed dimension.
func points(list ...[]float64) func(int) [][]float64 {
	return func(int) [][]float64 {
		copied := make([][]float64, len(list))
		for i, p := range list {
			copied[i] = slices.Clone(p)
		}
		return copied
	}
}
