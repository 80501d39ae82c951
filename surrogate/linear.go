package surrogate

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/internal/check"
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
func (k Linear) Eval(a, b []float64) float64 {
	checkDim(len(k.Center), a, b)
	var sum float64
	for j, c := range k.Center {
		sum += (a[j] - c) * (b[j] - c)
	}
	return k.Outputscale * sum
}

// Row fills dst[i] with k(x, xs[i]).
func (k Linear) Row(dst, x []float64, xs [][]float64) {
	checkRow(len(k.Center), dst, x, xs)
	for i, b := range xs {
		dst[i] = k.Eval(x, b)
	}
}

// Diag returns k(x, x).
func (k Linear) Diag(x []float64) float64 { return k.Eval(x, x) }

// GradX returns k(a, b) and fills dst with dk/da.
func (k Linear) GradX(dst, a, b []float64) float64 {
	for j, c := range k.Center {
		dst[j] = k.Outputscale * (b[j] - c)
	}
	return k.Eval(a, b)
}

// Params returns the log outputscale.
func (k Linear) Params() []float64 { return []float64{math.Log(k.Outputscale)} }

// ParamNames returns "outputscale".
func (k Linear) ParamNames() []string { return []string{"outputscale"} }

// WithParams returns the kernel with another outputscale, given as a logarithm.
func (k Linear) WithParams(log []float64) Kernel {
	checkParams(1, log)
	return Linear{k.Center, math.Exp(log[0])}
}

// GradParams returns k(a, b) and fills dst with the derivative by the log outputscale.
func (k Linear) GradParams(dst, a, b []float64) float64 {
	dst[0] = k.Eval(a, b)
	return dst[0]
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
func (k DotProduct) Eval(a, b []float64) float64 {
	checkDim(k.D, a, b)
	sum := k.Offset
	for j, v := range a {
		sum += v * b[j]
	}
	return sum
}

// Row fills dst[i] with k(x, xs[i]).
func (k DotProduct) Row(dst, x []float64, xs [][]float64) {
	checkRow(k.D, dst, x, xs)
	for i, b := range xs {
		dst[i] = k.Eval(x, b)
	}
}

// Diag returns k(x, x).
func (k DotProduct) Diag(x []float64) float64 { return k.Eval(x, x) }

// GradX returns k(a, b) and fills dst with dk/da = b.
func (k DotProduct) GradX(dst, a, b []float64) float64 {
	copy(dst, b)
	return k.Eval(a, b)
}

// Params returns the log offset.
func (k DotProduct) Params() []float64 { return []float64{math.Log(k.Offset)} }

// ParamNames returns "offset".
func (k DotProduct) ParamNames() []string { return []string{"offset"} }

// WithParams returns the kernel with another offset, given as a logarithm.
func (k DotProduct) WithParams(log []float64) Kernel {
	checkParams(1, log)
	return DotProduct{math.Exp(log[0]), k.D}
}

// GradParams returns k(a, b) and fills dst with the derivative by the log offset.
func (k DotProduct) GradParams(dst, a, b []float64) float64 {
	dst[0] = k.Offset
	return k.Eval(a, b)
}

// Validate reports a dimension below 1 and an offset outside [1e-100, 1e100].
func (k DotProduct) Validate() error {
	var l check.List
	l.Require(k.D >= 1, "DotProduct.D", k.D, "at least 1")
	l.Within("DotProduct.Offset", k.Offset, leastScale, greatestScale)
	return l.Err()
}
