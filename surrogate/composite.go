package surrogate

import (
	"errors"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// Sum is the kernel of the sum of two independent functions. Hyperparameters: those of Left, then those of Right, with
// the prefixes "left." and "right.".
type Sum struct{ Left, Right Kernel }

// Product is the product of two kernels: similar only where both say so. Hyperparameters as for Sum.
type Product struct{ Left, Right Kernel }

// Name returns "sum".
func (k Sum) Name() string { return "sum" }

// Name returns "product".
func (k Product) Name() string { return "product" }

// Dim returns the dimension of the parts.
func (k Sum) Dim() int { return k.Left.Dim() }

// Dim returns the dimension of the parts.
func (k Product) Dim() int { return k.Left.Dim() }

// Eval returns k(a, b).
func (k Sum) Eval(a, b space.Unit) float64 { return k.Left.Eval(a, b) + k.Right.Eval(a, b) }

// Eval returns k(a, b).
func (k Product) Eval(a, b space.Unit) float64 { return k.Left.Eval(a, b) * k.Right.Eval(a, b) }

// Row fills dst[i] with k(x, xs[i]).
func (k Sum) Row(dst []float64, x space.Unit, xs []space.Unit) {
	k.Left.Row(dst, x, xs)
	right := make([]float64, len(dst))
	k.Right.Row(right, x, xs)
	for i, v := range right {
		dst[i] += v
	}
}

// Row fills dst[i] with k(x, xs[i]).
func (k Product) Row(dst []float64, x space.Unit, xs []space.Unit) {
	k.Left.Row(dst, x, xs)
	right := make([]float64, len(dst))
	k.Right.Row(right, x, xs)
	for i, v := range right {
		dst[i] *= v
	}
}

// Diag returns k(x, x).
func (k Sum) Diag(x space.Unit) float64 { return k.Left.Diag(x) + k.Right.Diag(x) }

// Diag returns k(x, x).
func (k Product) Diag(x space.Unit) float64 { return k.Left.Diag(x) * k.Right.Diag(x) }

// GradX returns k(a, b) and fills dst with dk/da.
func (k Sum) GradX(dst []float64, a, b space.Unit) float64 {
	left := k.Left.GradX(dst, a, b)
	more := make([]float64, len(dst))
	right := k.Right.GradX(more, a, b)
	for j, v := range more {
		dst[j] += v
	}
	return left + right
}

// GradX returns k(a, b) and fills dst with dk/da.
func (k Product) GradX(dst []float64, a, b space.Unit) float64 {
	left := k.Left.GradX(dst, a, b)
	more := make([]float64, len(dst))
	right := k.Right.GradX(more, a, b)
	for j, v := range more {
		dst[j] = dst[j]*right + left*v
	}
	return left * right
}

// Hyper describes the hyperparameters of both parts, prefixed.
func (k Sum) Hyper() []Hyperparameter { return prefixed(k.Left, k.Right) }

// Hyper describes the hyperparameters of both parts, prefixed.
func (k Product) Hyper() []Hyperparameter { return prefixed(k.Left, k.Right) }

func prefixed(left, right Kernel) []Hyperparameter {
	var all []Hyperparameter
	for _, h := range left.Hyper() {
		h.Name = "left." + h.Name
		all = append(all, h)
	}
	for _, h := range right.Hyper() {
		h.Name = "right." + h.Name
		all = append(all, h)
	}
	return all
}

// Values returns the hyperparameters of both parts.
func (k Sum) Values() []float64 { return append(k.Left.Values(), k.Right.Values()...) }

// Values returns the hyperparameters of both parts.
func (k Product) Values() []float64 { return append(k.Left.Values(), k.Right.Values()...) }

// WithValues returns the sum with other hyperparameters.
func (k Sum) WithValues(values []float64) Kernel {
	left, right := split(k.Left, k.Right, values, Kernel.WithValues)
	return Sum{left, right}
}

// WithValues returns the product with other hyperparameters.
func (k Product) WithValues(values []float64) Kernel {
	left, right := split(k.Left, k.Right, values, Kernel.WithValues)
	return Product{left, right}
}

// Params returns the parameters of both parts.
func (k Sum) Params() []float64 { return append(k.Left.Params(), k.Right.Params()...) }

// Params returns the parameters of both parts.
func (k Product) Params() []float64 { return append(k.Left.Params(), k.Right.Params()...) }

// WithParams returns the sum with other hyperparameters.
func (k Sum) WithParams(log []float64) Kernel {
	left, right := split(k.Left, k.Right, log, Kernel.WithParams)
	return Sum{left, right}
}

// WithParams returns the product with other hyperparameters.
func (k Product) WithParams(log []float64) Kernel {
	left, right := split(k.Left, k.Right, log, Kernel.WithParams)
	return Product{left, right}
}

// split gives each part its share of the numbers.
func split(left, right Kernel, numbers []float64, with func(Kernel, []float64) Kernel) (Kernel, Kernel) {
	n := len(left.Hyper())
	checkParams(n+len(right.Hyper()), numbers)
	return with(left, numbers[:n]), with(right, numbers[n:])
}

// GradParams returns k(a, b) and fills dst with the derivatives by Params.
func (k Sum) GradParams(dst []float64, a, b space.Unit) float64 {
	n := len(k.Left.Params())
	return k.Left.GradParams(dst[:n], a, b) + k.Right.GradParams(dst[n:], a, b)
}

// GradParams returns k(a, b) and fills dst with the derivatives by Params.
func (k Product) GradParams(dst []float64, a, b space.Unit) float64 {
	n := len(k.Left.Params())
	left, right := k.Left.GradParams(dst[:n], a, b), k.Right.GradParams(dst[n:], a, b)
	for j := range dst {
		if j < n {
			dst[j] *= right
		} else {
			dst[j] *= left
		}
	}
	return left * right
}

// WithCategories returns the sum of both parts with the marks.
func (k Sum) WithCategories(marks []bool) Kernel {
	return Sum{k.Left.WithCategories(marks), k.Right.WithCategories(marks)}
}

// WithCategories returns the product of both parts with the marks.
func (k Product) WithCategories(marks []bool) Kernel {
	return Product{k.Left.WithCategories(marks), k.Right.WithCategories(marks)}
}

// drawPrior adds draws for the parts.
func (k Sum) drawPrior(stream *rand.Rand, features int) sample {
	left, right := drawPrior(k.Left, stream, features), drawPrior(k.Right, stream, features)
	if left == nil || right == nil {
		return nil
	}
	return pair{left, right}
}

// pair is the sum of two independent draws.
type pair struct{ left, right sample }

func (f pair) at(x space.Unit) float64 { return f.left.at(x) + f.right.at(x) }

func (f pair) addGrad(x space.Unit, dst []float64) float64 {
	return f.left.addGrad(x, dst) + f.right.addGrad(x, dst)
}

func (k Product) spectral() bool {
	_, left := spectral(k.Left)
	_, right := spectral(k.Right)
	return left && right
}

// addFrequency adds frequencies of both parts: a frequency of a product is the sum of frequencies of its parts.
func (k Product) addFrequency(stream *rand.Rand, w []float64, signs []uint64) {
	k.Left.(harmonic).addFrequency(stream, w, signs)
	k.Right.(harmonic).addFrequency(stream, w, signs)
}

// Validate reports missing parts, parts of different dimension, and what the parts report.
func (k Sum) Validate() error { return validateParts("Sum", k.Left, k.Right) }

// Validate reports missing parts, parts of different dimension, and what the parts report.
func (k Product) Validate() error { return validateParts("Product", k.Left, k.Right) }

func validateParts(kind string, left, right Kernel) error {
	var l check.List
	l.Require(left != nil, kind+".Left", left, "a kernel")
	l.Require(right != nil, kind+".Right", right, "a kernel")
	if left == nil || right == nil {
		return l.Err()
	}
	if err := errors.Join(left.Validate(), right.Validate()); err != nil {
		return err
	}
	l.Require(left.Dim() == right.Dim(), kind+".Right.Dim", right.Dim(), "the dimension of Left")
	return l.Err()
}
