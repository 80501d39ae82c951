package surrogate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

var (
	_ = register("linear", func(d int) Kernel { return Linear{filled(d, 0.5), 1} })
	_ = register("dot", func(d int) Kernel { return DotProduct{1, d} })
)

// Linear is the kernel v (a - c)·(b - c) of planes through zero at the center c. Hyperparameter: outputscale, the
// variance of each slope.
type Linear struct {
	Center      []float64
	Outputscale float64
}

// Name returns "linear".
func (k Linear) Name() string { return "linear" }

// Dim returns the length of the center.
func (k Linear) Dim() int { return len(k.Center) }

// Eval returns k(a, b).
func (k Linear) Eval(a, b space.Unit) float64 {
	checkDim(len(k.Center), a, b)
	var sum float64
	for j, c := range k.Center {
		sum += (a[j] - c) * (b[j] - c)
	}
	return k.Outputscale * sum
}

// Row fills dst[i] with k(x, xs[i]).
func (k Linear) Row(dst []float64, x space.Unit, xs []space.Unit) {
	checkRow(len(k.Center), dst, x, xs)
	for i, b := range xs {
		dst[i] = k.Eval(x, b)
	}
}

// Diag returns k(x, x).
func (k Linear) Diag(x space.Unit) float64 { return k.Eval(x, x) }

// GradX returns k(a, b) and fills dst with dk/da.
func (k Linear) GradX(dst []float64, a, b space.Unit) float64 {
	for j, c := range k.Center {
		dst[j] = k.Outputscale * (b[j] - c)
	}
	return k.Eval(a, b)
}

// Hyper describes the outputscale.
func (k Linear) Hyper() []Hyperparameter { return []Hyperparameter{outputscaleHyper()} }

// Values returns the outputscale.
func (k Linear) Values() []float64 { return []float64{k.Outputscale} }

// WithValues returns the kernel with another outputscale.
func (k Linear) WithValues(values []float64) Kernel {
	checkParams(1, values)
	return Linear{k.Center, values[0]}
}

// Params returns the log outputscale.
func (k Linear) Params() []float64 { return logarithms(k.Values()) }

// WithParams returns the kernel with another outputscale, given as a logarithm.
func (k Linear) WithParams(log []float64) Kernel {
	checkParams(1, log)
	return Linear{k.Center, math.Exp(log[0])}
}

// GradParams returns k(a, b) and fills dst with the derivative by the log outputscale.
func (k Linear) GradParams(dst []float64, a, b space.Unit) float64 {
	dst[0] = k.Eval(a, b)
	return dst[0]
}

// WithCategories returns the kernel as it is.
func (k Linear) WithCategories([]bool) Kernel { return k }

func (k Linear) drawPrior(stream *rand.Rand, _ int) sample {
	return drawPlane(k.Center, 0, k.Outputscale, stream)
}

// Validate reports an empty or infinite center and an outputscale outside [1e-100, 1e100].
func (k Linear) Validate() error {
	var l check.List
	l.Require(len(k.Center) > 0, "Linear.Center", k.Center, "at least one entry")
	for i, c := range k.Center {
		l.Finite(fmt.Sprintf("Linear.Center[%d]", i), c)
	}
	l.Within("Linear.Outputscale", k.Outputscale, leastScale, greatestScale)
	return l.Err()
}

// DotProduct is the kernel s0² + a·b of planes whose value at the origin has variance s0² and whose slopes have
// variance 1. Hyperparameter: offset.
type DotProduct struct {
	Offset float64 // s0²
	D      int     // dimension
}

// Name returns "dot".
func (k DotProduct) Name() string { return "dot" }

// Dim returns D.
func (k DotProduct) Dim() int { return k.D }

// Eval returns k(a, b).
func (k DotProduct) Eval(a, b space.Unit) float64 {
	checkDim(k.D, a, b)
	sum := k.Offset
	for j, v := range a {
		sum += v * b[j]
	}
	return sum
}

// Row fills dst[i] with k(x, xs[i]).
func (k DotProduct) Row(dst []float64, x space.Unit, xs []space.Unit) {
	checkRow(k.D, dst, x, xs)
	for i, b := range xs {
		dst[i] = k.Eval(x, b)
	}
}

// Diag returns k(x, x).
func (k DotProduct) Diag(x space.Unit) float64 { return k.Eval(x, x) }

// GradX returns k(a, b) and fills dst with dk/da = b.
func (k DotProduct) GradX(dst []float64, a, b space.Unit) float64 {
	copy(dst, b)
	return k.Eval(a, b)
}

// Hyper describes the offset.
func (k DotProduct) Hyper() []Hyperparameter {
	return []Hyperparameter{{"offset", Shape, leastScale, greatestScale}}
}

// Values returns the offset.
func (k DotProduct) Values() []float64 { return []float64{k.Offset} }

// WithValues returns the kernel with another offset.
func (k DotProduct) WithValues(values []float64) Kernel {
	checkParams(1, values)
	return DotProduct{values[0], k.D}
}

// Params returns the log offset.
func (k DotProduct) Params() []float64 { return logarithms(k.Values()) }

// WithParams returns the kernel with another offset, given as a logarithm.
func (k DotProduct) WithParams(log []float64) Kernel {
	checkParams(1, log)
	return DotProduct{math.Exp(log[0]), k.D}
}

// GradParams returns k(a, b) and fills dst with the derivative by the log offset.
func (k DotProduct) GradParams(dst []float64, a, b space.Unit) float64 {
	dst[0] = k.Offset
	return k.Eval(a, b)
}

// WithCategories returns the kernel as it is.
func (k DotProduct) WithCategories([]bool) Kernel { return k }

func (k DotProduct) drawPrior(stream *rand.Rand, _ int) sample {
	return drawPlane(make([]float64, k.D), k.Offset, 1, stream)
}

// Validate reports a dimension below 1 and an offset outside [1e-100, 1e100].
func (k DotProduct) Validate() error {
	var l check.List
	l.Require(k.D >= 1, "DotProduct.D", k.D, "at least 1")
	l.Within("DotProduct.Offset", k.Offset, leastScale, greatestScale)
	return l.Err()
}

// plane is the function value + slope·(x - center), the exact draw for linear kernels.
type plane struct {
	center space.Unit
	slope  []float64
	value  float64
}

func drawPlane(center space.Unit, offset, variance float64, stream *rand.Rand) *plane {
	f := &plane{center: center, slope: make([]float64, len(center)), value: math.Sqrt(offset) * stream.NormFloat64()}
	for j := range f.slope {
		f.slope[j] = math.Sqrt(variance) * stream.NormFloat64()
	}
	return f
}

func (f *plane) at(x space.Unit) float64 {
	sum := f.value
	for j, s := range f.slope {
		sum += s * (x[j] - f.center[j])
	}
	return sum
}

func (f *plane) addGrad(x space.Unit, dst []float64) float64 {
	floats.Add(dst, f.slope)
	return f.at(x)
}
