package surrogate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// Warped is a stationary kernel of warped coordinates: k(a, b) = Of(w(a), w(b)). Of a function that changes by the order of magnitude of a
// parameter, within a range that spans several, it is as smooth as the kernel is; lengthscales are those of the warped coordinates.
// Categories are not warped. Hyperparameters: those of the kernel, then ratio[0..d-1].
type Warped struct {
	Of     Stationary
	Ratios Inputs
}

var (
	_ = register("warped-se", warpedOf(SE))
	_ = register("warped-matern32", warpedOf(Matern32))
	_ = register("warped-matern52", warpedOf(Matern52))
	_ = register("warped-rq", warpedOf(RationalQuadratic))
)

func warpedOf(f Family) func(dim int) Kernel {
	return func(d int) Kernel {
		return Warped{Stationary{Family: f, Lengthscales: defaultLengthscales(d), Outputscale: 1}, filled(d, 1)}
	}
}

// Name returns "warped-" and the name of the kernel.
func (k Warped) Name() string { return "warped-" + k.Of.Name() }

// Dim returns the number of coordinates.
func (k Warped) Dim() int { return k.Of.Dim() }

// inputs are the warps, with those of categories as they count: not at all.
func (k Warped) inputs() Inputs {
	if k.Of.Categorical == nil {
		return k.Ratios
	}
	w := slices.Clone(k.Ratios)
	for j, category := range k.Of.Categorical {
		if category {
			w[j] = 1
		}
	}
	return w
}

// Eval returns k(a, b).
func (k Warped) Eval(a, b space.Unit) float64 {
	return k.Of.Eval(k.bent(a), k.bent(b))
}

// Row fills dst[i] with k(x, xs[i]).
func (k Warped) Row(dst []float64, x space.Unit, xs []space.Unit) {
	k.behind().Row(dst, k.bent(x), k.keepMissing(xs))
}

// Diag returns the outputscale and the variance of the constant.
func (k Warped) Diag(x space.Unit) float64 { return k.Of.Diag(x) }

// GradX returns k(a, b) and fills dst with dk/da.
func (k Warped) GradX(dst []float64, a, b space.Unit) float64 {
	value := k.Of.GradX(dst, k.bent(a), k.bent(b))
	k.bend(dst, a)
	return value
}

// Hyper describes the lengthscales, the outputscale and the ratios.
func (k Warped) Hyper() []Hyperparameter {
	all := k.Of.Hyper()
	for j := range k.Ratios {
		all = append(all, Hyperparameter{fmt.Sprintf("ratio[%d]", j), Ratio, leastRatio, greatestRatio})
	}
	return all
}

// Values returns lengthscales, outputscale and ratios.
func (k Warped) Values() []float64 { return slices.Concat(k.Of.Values(), k.Ratios) }

// WithValues returns the kernel with other hyperparameters.
func (k Warped) WithValues(values []float64) Kernel {
	d := k.Dim()
	checkParams(2*d+1, values)
	return Warped{k.Of.WithValues(values[:d+1]).(Stationary), slices.Clone(values[d+1:])}
}

// Params returns the logarithms of the hyperparameters.
func (k Warped) Params() []float64 { return logarithms(k.Values()) }

// WithParams returns the kernel with other hyperparameters, in the order of Params.
func (k Warped) WithParams(log []float64) Kernel {
	d := k.Dim()
	checkParams(2*d+1, log)
	return Warped{k.Of.WithParams(log[:d+1]).(Stationary), exponentials(log[d+1:])}
}

// GradParams returns k(a, b) and fills dst with the derivatives by Params.
func (k Warped) GradParams(dst []float64, a, b space.Unit) float64 {
	clear(dst)
	k.addGradParams(dst, []float64{1}, a, []space.Unit{b})
	return k.Eval(a, b)
}

// WithCategories returns the kernel with those marks.
func (k Warped) WithCategories(marks []bool) Kernel {
	k.Of = k.Of.WithCategories(marks).(Stationary)
	return k
}

// Validate reports what the kernel does, ratios outside [1e-6, 1e6] and another number of them than of coordinates.
func (k Warped) Validate() error {
	var l check.List
	l.Require(len(k.Ratios) == k.Dim(), "Warped.Ratios", k.Ratios, "one for each dimension")
	for j, r := range k.Ratios {
		if !(r >= leastRatio && r <= greatestRatio) {
			l.Within(fmt.Sprintf("Warped.Ratios[%d]", j), r, leastRatio, greatestRatio)
		}
	}
	return errors.Join(k.Of.Validate(), l.Err())
}
