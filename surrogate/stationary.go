package surrogate

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// Stationary is a squared-exponential, Matérn or rational quadratic kernel with one lengthscale for each dimension (automatic relevance
// determination). Hyperparameters: lengthscale[0..d-1], outputscale (a variance).
type Stationary struct {
	Family       Family
	Lengthscales []float64
	Outputscale  float64
	// Categorical marks dimensions whose distance is 0 or 0.4 (equal or not) instead of a-b; nil means none. Derivatives
	// with respect to such coordinates are zero.
	Categorical []bool
	// Constant is the variance of an unknown constant that is added to the function, in outputscales; 0 where the prior mean is known. See WithConstant.
	Constant float64

	skip int // numbers of kept points before the coordinates, see Warped
}

// unequal is how far apart two categories are: as far as two numbers of the unit interval are, which differ by 1/√6 = 0.41 in the
// root mean square. So lengthscales of categories and of numbers mean the same and have the same prior.
const unequal = 0.4

// Name returns "se", "matern12", "matern32", "matern52" or "rq".
func (k Stationary) Name() string { return k.Family.String() }

// Dim returns the number of lengthscales.
func (k Stationary) Dim() int { return len(k.Lengthscales) }

func (k Stationary) categorical(j int) bool { return k.Categorical != nil && k.Categorical[j] }

// difference returns the scaled difference of coordinate j. Row, Eval and the gradients all multiply by the same
// reciprocal, so that they agree bit for bit.
func (k Stationary) difference(a, b space.Unit, j int) float64 {
	inverse := 1 / k.Lengthscales[j]
	if k.categorical(j) {
		if a[j] == b[j] {
			return 0
		}
		return unequal * inverse
	}
	return (a[j] - b[j]) * inverse
}

func (k Stationary) squaredDistance(a, b space.Unit) float64 {
	checkDim(len(k.Lengthscales), a, b)
	var r2 float64
	for j := range k.Lengthscales {
		t := k.difference(a, b, j)
		r2 += t * t
	}
	return r2
}

func checkDim(dim int, a, b space.Unit) {
	if len(a) != dim || len(b) != dim {
		panic("surrogate: point of the wrong dimension")
	}
}

// Eval returns k(a, b).
func (k Stationary) Eval(a, b space.Unit) float64 {
	return k.at(k.Family.value(k.squaredDistance(a, b)))
}

// constant is the variance of the constant, in the units of the outputscale.
func (k Stationary) constant() float64 { return k.Outputscale * k.Constant }

// at is the covariance for a correlation, with the rounding of Row.
func (k Stationary) at(correlation float64) float64 {
	return float64(k.Outputscale*correlation) + k.constant()
}

// Row fills dst[i] with k(x, xs[i]).
func (k Stationary) Row(dst []float64, x space.Unit, xs []space.Unit) {
	k.squaredDistances(dst, x, xs)
	k.Family.values(dst, k.Outputscale)
	raise(dst, k.constant())
}

// Diag returns the outputscale and the variance of the constant.
func (k Stationary) Diag(space.Unit) float64 { return k.at(1) }

// GradX returns k(a, b) and fills dst with dk/da.
func (k Stationary) GradX(dst []float64, a, b space.Unit) float64 {
	value, slope := k.Family.valueSlope(k.squaredDistance(a, b))
	for j, l := range k.Lengthscales {
		dst[j] = 0
		if !k.categorical(j) && slope != 0 {
			dst[j] = -k.Outputscale * slope * k.difference(a, b, j) / l
		}
	}
	return k.at(value)
}

// Hyper describes the lengthscales and the outputscale.
func (k Stationary) Hyper() []Hyperparameter {
	return lengthHyper(len(k.Lengthscales), outputscaleHyper())
}

// Values returns lengthscales and outputscale.
func (k Stationary) Values() []float64 {
	return slices.Concat(k.Lengthscales, []float64{k.Outputscale})
}

// WithValues returns the kernel with other hyperparameters.
func (k Stationary) WithValues(values []float64) Kernel {
	d := len(k.Lengthscales)
	checkParams(d+1, values)
	k.Lengthscales, k.Outputscale = slices.Clone(values[:d]), values[d]
	return k
}

// Params returns log lengthscales and log outputscale.
func (k Stationary) Params() []float64 { return logarithms(k.Values()) }

// WithParams returns the kernel with other hyperparameters, in the order of Params.
func (k Stationary) WithParams(log []float64) Kernel {
	checkParams(len(k.Lengthscales)+1, log)
	d := len(k.Lengthscales)
	k.Lengthscales = exponentials(log[:d])
	k.Outputscale = math.Exp(log[d])
	return k
}

func checkParams(want int, log []float64) {
	if len(log) != want {
		panic("surrogate: wrong number of hyperparameters")
	}
}

func exponentials(log []float64) []float64 {
	e := make([]float64, len(log))
	for i, v := range log {
		e[i] = math.Exp(v)
	}
	return e
}

// GradParams returns k(a, b) and fills dst with the derivatives by Params.
func (k Stationary) GradParams(dst []float64, a, b space.Unit) float64 {
	value, slope := k.Family.valueSlope(k.squaredDistance(a, b))
	d := len(k.Lengthscales)
	for j := range d {
		dst[j] = 0
		if slope != 0 {
			t := k.difference(a, b, j)
			dst[j] = k.Outputscale * slope * (t * t)
		}
	}
	dst[d] = k.at(value)
	return dst[d]
}

// WithCategories returns the kernel with those marks.
func (k Stationary) WithCategories(marks []bool) Kernel {
	k.Categorical = nil
	if slices.Contains(marks, true) {
		k.Categorical = slices.Clone(marks)
	}
	return k
}

// Validate reports an unknown family, lengthscales outside [1e-9, 1e9], an outputscale outside [1e-100, 1e100] and
// marks of the wrong number.
func (k Stationary) Validate() error {
	var l check.List
	l.Require(k.Family >= 0 && k.Family < families, "Stationary.Family", int(k.Family), "SE, Matern12, Matern32, Matern52 or RationalQuadratic")
	checkLengths(&l, "Stationary.Lengthscales", k.Lengthscales)
	l.Within("Stationary.Outputscale", k.Outputscale, leastScale, greatestScale)
	l.Require(k.Categorical == nil || len(k.Categorical) == len(k.Lengthscales),
		"Stationary.Categorical", k.Categorical, "nil or one mark for each dimension")
	l.Within("Stationary.Constant", k.Constant, 0, greatestConstant)
	return l.Err()
}
