package surrogate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// Quartic is the kernel v (1 + z·z')⁴ of polynomials of degree four, where z_j = (x_j - ½)/l_j and v is the variance in the middle of the
// cube: response surfaces, as they are fitted to experiments (Box & Wilson 1951), with one more degree for each bend. As many points as there
// are terms, of which fewer matter, tell such a function everywhere; of one that is no polynomial it is wrong far from the points.
// Hyperparameters as for Stationary. Rasmussen & Williams 2006, sec. 4.2.2.
type Quartic struct {
	Lengthscales []float64
	Outputscale  float64
}

var _ = register("quartic", func(d int) Kernel { return Quartic{defaultLengthscales(d), 1} })

// middle of the cube, in each coordinate.
const middle = 0.5

// Name returns "quartic".
func (k Quartic) Name() string { return "quartic" }

// Dim returns the number of lengthscales.
func (k Quartic) Dim() int { return len(k.Lengthscales) }

// base is 1 + z·z'.
func (k Quartic) base(a, b space.Unit) float64 {
	checkDim(len(k.Lengthscales), a, b)
	sum := 1.
	for j, l := range k.Lengthscales {
		sum += (a[j] - middle) * (b[j] - middle) / (l * l)
	}
	return sum
}

// fourth is v s⁴ and its derivative by s.
func (k Quartic) fourth(s float64) (value, slope float64) {
	cube := s * s * s
	return k.Outputscale * (cube * s), k.Outputscale * (4 * cube)
}

// Eval returns k(a, b).
func (k Quartic) Eval(a, b space.Unit) float64 {
	value, _ := k.fourth(k.base(a, b))
	return value
}

// Row fills dst[i] with k(x, xs[i]).
func (k Quartic) Row(dst []float64, x space.Unit, xs []space.Unit) {
	checkRow(len(k.Lengthscales), dst, x, xs)
	for i, b := range xs {
		dst[i] = k.Eval(x, b)
	}
}

// Diag returns k(x, x).
func (k Quartic) Diag(x space.Unit) float64 { return k.Eval(x, x) }

// GradX returns k(a, b) and fills dst with dk/da.
func (k Quartic) GradX(dst []float64, a, b space.Unit) float64 {
	value, slope := k.fourth(k.base(a, b))
	for j, l := range k.Lengthscales {
		dst[j] = slope * (b[j] - middle) / (l * l)
	}
	return value
}

// addWeighted returns Σ w_i k(x, xs[i]), fills row with the k(x, xs[i]) and adds the derivatives of the sum by x to dst, which is zero.
func (k Quartic) addWeighted(dst []float64, x space.Unit, xs []space.Unit, w, row, _ []float64) float64 {
	for i, b := range xs {
		value, slope := k.fourth(k.base(x, b))
		row[i] = value
		for j := range dst {
			dst[j] += w[i] * slope * (b[j] - middle)
		}
	}
	for j, l := range k.Lengthscales {
		dst[j] /= l * l
	}
	return floats.Dot(row[:len(xs)], w[:len(xs)])
}

// Hyper describes the lengthscales and the outputscale.
func (k Quartic) Hyper() []Hyperparameter { return k.described().Hyper() }

// described is the stationary kernel with the same hyperparameters.
func (k Quartic) described() Stationary {
	return Stationary{Lengthscales: k.Lengthscales, Outputscale: k.Outputscale}
}

// Values returns lengthscales and outputscale.
func (k Quartic) Values() []float64 { return k.described().Values() }

// WithValues returns the kernel with other hyperparameters.
func (k Quartic) WithValues(values []float64) Kernel {
	s := k.described().WithValues(values).(Stationary)
	return Quartic{s.Lengthscales, s.Outputscale}
}

// Params returns log lengthscales and log outputscale.
func (k Quartic) Params() []float64 { return logarithms(k.Values()) }

// WithParams returns the kernel with other hyperparameters, in the order of Params.
func (k Quartic) WithParams(log []float64) Kernel {
	s := k.described().WithParams(log).(Stationary)
	return Quartic{s.Lengthscales, s.Outputscale}
}

// GradParams returns k(a, b) and fills dst with the derivatives by Params.
func (k Quartic) GradParams(dst []float64, a, b space.Unit) float64 {
	clear(dst)
	k.addGradParams(dst, []float64{1}, a, []space.Unit{b})
	return dst[len(k.Lengthscales)]
}

// addGradParams adds Σ_i w_i dk(x, xs[i])/d log θ to dst.
func (k Quartic) addGradParams(dst, w []float64, x space.Unit, xs []space.Unit) {
	d := len(k.Lengthscales)
	for i, b := range xs {
		value, slope := k.fourth(k.base(x, b))
		dst[d] += w[i] * value
		for j, l := range k.Lengthscales {
			dst[j] -= w[i] * slope * (2 * (x[j] - middle) * (b[j] - middle) / (l * l))
		}
	}
}

// WithCategories returns the kernel as it is: a polynomial of categories means nothing.
func (k Quartic) WithCategories([]bool) Kernel { return k }

// Validate reports lengthscales and an outputscale out of range.
func (k Quartic) Validate() error {
	var l check.List
	checkLengths(&l, "Quartic.Lengthscales", k.Lengthscales)
	l.Within("Quartic.Outputscale", k.Outputscale, leastScale, greatestScale)
	return l.Err()
}

// drawPrior draws the coefficients of a polynomial, which is exact: features do not matter. There are (d+4 choose 4) of them.
func (k Quartic) drawPrior(stream *rand.Rand, _ int) sample {
	f := &polynomial{lengths: k.Lengthscales}
	f.terms(func(i, j, l, m int) {
		f.coefficients = append(f.coefficients, math.Sqrt(k.Outputscale*orders(i, j, l, m))*stream.NormFloat64())
	})
	return f
}

// polynomial is the function Σ c u_i u_j u_l u_m over all i ≤ j ≤ l ≤ m, where u are 1 and the z of Quartic.
type polynomial struct {
	lengths      []float64
	coefficients []float64
}

// terms visits all i ≤ j ≤ l ≤ m.
func (f *polynomial) terms(visit func(i, j, l, m int)) {
	n := len(f.lengths)
	for i := 0; i <= n; i++ {
		for j := i; j <= n; j++ {
			for l := j; l <= n; l++ {
				for m := l; m <= n; m++ {
					visit(i, j, l, m)
				}
			}
		}
	}
}

// orders is in how many orders four numbers can stand that ascend: how often a product occurs in the fourth power of a sum.
func orders(i, j, l, m int) float64 {
	equal := 1.
	run := 1.
	for _, same := range [...]bool{i == j, j == l, l == m} {
		if run++; !same {
			run = 1
		}
		equal *= run
	}
	return 24 / equal
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

func (f *polynomial) at(x space.Unit) float64 { return f.climb(f.factors(x), nil) }

func (f *polynomial) addGrad(x space.Unit, dst []float64) float64 {
	grad := make([]float64, len(x)+1)
	value := f.climb(f.factors(x), grad)
	for j, l := range f.lengths {
		dst[j] += grad[j+1] / l
	}
	return value
}

// climb returns the value at u, and adds the derivatives by u to grad unless it is nil. The sums are nested: each coefficient is used once.
func (f *polynomial) climb(u, grad []float64) (value float64) {
	c := f.coefficients
	for i := range u {
		var first float64
		for j := i; j < len(u); j++ {
			var second float64
			for l := j; l < len(u); l++ {
				tail := u[l:]
				third := floats.Dot(c[:len(tail)], tail)
				if grad != nil {
					floats.AddScaled(grad[l:], u[i]*u[j]*u[l], c[:len(tail)])
					grad[l] += u[i] * u[j] * third
				}
				second += u[l] * third
				c = c[len(tail):]
			}
			if grad != nil {
				grad[j] += u[i] * second
			}
			first += u[j] * second
		}
		if grad != nil {
			grad[i] += first
		}
		value += u[i] * first
	}
	return value
}
