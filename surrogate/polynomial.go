package surrogate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// polynomial is the function Σ c u_i u_j … over all i ≤ j ≤ …, as many of them as its degree, where u are 1 and the z of Surface.
type polynomial struct {
	degree       int
	lengths      []float64
	coefficients []float64
}

// drawPrior draws the coefficients of a polynomial, which is exact: features do not matter. There are (d+m choose m) of them.
func (k Surface) drawPrior(stream *rand.Rand, _ int) sample {
	f := &polynomial{degree: k.Degree, lengths: k.Lengthscales}
	f.terms(func(at []int) {
		f.coefficients = append(f.coefficients, math.Sqrt(k.Outputscale*orders(at))*stream.NormFloat64())
	})
	return f
}

// terms visits all numbers of factors that ascend, as many at once as the degree. What it hands out changes with the next.
func (f *polynomial) terms(visit func(at []int)) {
	at := make([]int, f.degree)
	var from func(depth, first int)
	from = func(depth, first int) {
		if depth == len(at) {
			visit(at)
			return
		}
		for i := first; i <= len(f.lengths); i++ {
			at[depth] = i
			from(depth+1, i)
		}
	}
	from(0, 0)
}

// orders is in how many orders numbers can stand that ascend: how often a product occurs in that power of a sum.
func orders(at []int) float64 {
	count, run := 1., 1.
	for i := 1; i < len(at); i++ {
		if run++; at[i] != at[i-1] {
			run = 1
		}
		count = count * float64(i+1) / run
	}
	return count
}

// factors are u at x.
func (f *polynomial) factors(x space.Unit) []float64 {
	u := make([]float64, len(x)+1)
	u[0] = 1
	for j, l := range f.lengths {
		u[j+1] = (x[j] - middle) / l
	}
	return u
}

func (f *polynomial) at(x space.Unit) float64 {
	value, _ := sumFrom(0, f.degree, f.factors(x), nil, f.coefficients, 1)
	return value
}

func (f *polynomial) addGrad(x space.Unit, dst []float64) float64 {
	grad := make([]float64, len(x)+1)
	value, _ := sumFrom(0, f.degree, f.factors(x), grad, f.coefficients, 1)
	for j, l := range f.lengths {
		dst[j] += grad[j+1] / l
	}
	return value
}

// sumFrom returns the sum of the terms of so many factors from the first on, and the coefficients that are left. Unless grad is nil it adds
// the derivatives of outer times the sum by u. The sums are nested: each coefficient is used once.
func sumFrom(first, degree int, u, grad, c []float64, outer float64) (sum float64, left []float64) {
	if tail := u[first:]; degree == 1 {
		if grad != nil {
			floats.AddScaled(grad[first:], outer, c[:len(tail)])
		}
		return floats.Dot(c[:len(tail)], tail), c[len(tail):]
	}
	for i := first; i < len(u); i++ {
		var inner float64
		inner, c = sumFrom(i, degree-1, u, grad, c, outer*u[i])
		if grad != nil {
			grad[i] += outer * inner
		}
		sum += u[i] * inner
	}
	return sum, c
}
