package surrogate

import (
	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// Surface is the kernel v (1 + z·z')^m of polynomials of degree m, where z_j = (x_j - ½)/l_j and v is the variance in the middle of the
// cube: response surfaces, as they are fitted to experiments (Box & Wilson 1951), of the second degree, or with more bends of the fourth. As many points as there
// are terms, of which fewer matter, tell such a function everywhere; of one that is no polynomial it is wrong far from the points.
// Hyperparameters as for Stationary. Rasmussen & Williams 2006, sec. 4.2.2.
type Surface struct {
	Degree       int // 2 or 4
	Lengthscales []float64
	Outputscale  float64
}

var (
	_ = register("quadric", surface(2))
	_ = register("quartic", surface(4))
)

func surface(degree int) func(dim int) Kernel {
	return func(d int) Kernel { return Surface{degree, defaultLengthscales(d), 1} }
}

// middle of the cube, in each coordinate.
const middle = 0.5

// Name returns "quadric" or "quartic".
func (k Surface) Name() string {
	if k.Degree == 2 {
		return "quadric"
	}
	return "quartic"
}

// Dim returns the number of lengthscales.
func (k Surface) Dim() int { return len(k.Lengthscales) }

// base is 1 + z·z'.
func (k Surface) base(a, b space.Unit) float64 {
	checkDim(len(k.Lengthscales), a, b)
	sum := 1.
	for j, l := range k.Lengthscales {
		sum += (a[j] - middle) * (b[j] - middle) / (l * l)
	}
	return sum
}

// power is v s^m and its derivative by s.
func (k Surface) power(s float64) (value, slope float64) {
	less := s // s^(m-1)
	for range k.Degree - 2 {
		less *= s
	}
	return k.Outputscale * (less * s), k.Outputscale * (float64(k.Degree) * less)
}

// Eval returns k(a, b).
func (k Surface) Eval(a, b space.Unit) float64 {
	value, _ := k.power(k.base(a, b))
	return value
}

// Row fills dst[i] with k(x, xs[i]).
func (k Surface) Row(dst []float64, x space.Unit, xs []space.Unit) {
	checkRow(len(k.Lengthscales), dst, x, xs)
	for i, b := range xs {
		dst[i] = k.Eval(x, b)
	}
}

// Diag returns k(x, x).
func (k Surface) Diag(x space.Unit) float64 { return k.Eval(x, x) }

// GradX returns k(a, b) and fills dst with dk/da.
func (k Surface) GradX(dst []float64, a, b space.Unit) float64 {
	value, slope := k.power(k.base(a, b))
	for j, l := range k.Lengthscales {
		dst[j] = slope * (b[j] - middle) / (l * l)
	}
	return value
}

// addWeighted returns Σ w_i k(x, xs[i]), fills row with the k(x, xs[i]) and adds the derivatives of the sum by x to dst, which is zero.
func (k Surface) addWeighted(dst []float64, x space.Unit, xs []space.Unit, w, row, _ []float64) float64 {
	for i, b := range xs {
		value, slope := k.power(k.base(x, b))
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
func (k Surface) Hyper() []Hyperparameter { return k.described().Hyper() }

// described is the stationary kernel with the same hyperparameters.
func (k Surface) described() Stationary {
	return Stationary{Lengthscales: k.Lengthscales, Outputscale: k.Outputscale}
}

// like is the surface of the same degree with the hyperparameters of a stationary kernel.
func (k Surface) like(s Kernel) Kernel {
	of := s.(Stationary)
	return Surface{k.Degree, of.Lengthscales, of.Outputscale}
}

// Values returns lengthscales and outputscale.
func (k Surface) Values() []float64 { return k.described().Values() }

// WithValues returns the kernel with other hyperparameters.
func (k Surface) WithValues(values []float64) Kernel { return k.like(k.described().WithValues(values)) }

// Params returns log lengthscales and log outputscale.
func (k Surface) Params() []float64 { return logarithms(k.Values()) }

// WithParams returns the kernel with other hyperparameters, in the order of Params.
func (k Surface) WithParams(log []float64) Kernel { return k.like(k.described().WithParams(log)) }

// GradParams returns k(a, b) and fills dst with the derivatives by Params.
func (k Surface) GradParams(dst []float64, a, b space.Unit) float64 {
	clear(dst)
	k.addGradParams(dst, []float64{1}, a, []space.Unit{b})
	return dst[len(k.Lengthscales)]
}

// addGradParams adds Σ_i w_i dk(x, xs[i])/d log θ to dst.
func (k Surface) addGradParams(dst, w []float64, x space.Unit, xs []space.Unit) {
	d := len(k.Lengthscales)
	for i, b := range xs {
		value, slope := k.power(k.base(x, b))
		dst[d] += w[i] * value
		for j, l := range k.Lengthscales {
			dst[j] -= w[i] * slope * (2 * (x[j] - middle) * (b[j] - middle) / (l * l))
		}
	}
}

// WithCategories returns the kernel as it is: a polynomial of categories means nothing.
func (k Surface) WithCategories([]bool) Kernel { return k }

// Validate reports a degree other than 2 and 4, and lengthscales and an outputscale out of range.
func (k Surface) Validate() error {
	var l check.List
	l.Require(k.Degree == 2 || k.Degree == 4, "Surface.Degree", k.Degree, "2 or 4")
	checkLengths(&l, "Surface.Lengthscales", k.Lengthscales)
	l.Within("Surface.Outputscale", k.Outputscale, leastScale, greatestScale)
	return l.Err()
}
