package surrogate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// Kernel is a covariance function with its hyperparameters. Kernels are values: no method changes one. Points have
// length Dim; slices of another length are bugs and panic. Costs are O(d) per pair.
type Kernel interface {
	// Name returns the word by which NewKernel knows the kernel ("sum" and "product" for composites).
	Name() string
	// Dim returns the dimension d of the points.
	Dim() int
	// Eval returns k(a, b). It is symmetric.
	Eval(a, b []float64) float64
	// Row fills dst[i] with k(x, xs[i]), the same numbers as Eval. One call does the work of a whole row.
	Row(dst, x []float64, xs [][]float64)
	// Diag returns k(x, x).
	Diag(x []float64) float64
	// GradX returns k(a, b) and fills dst (length d) with dk/da. Where k has a kink (Matérn-1/2 at a = b) it is zero.
	GradX(dst, a, b []float64) float64
	// Params returns a new slice with the natural logarithms of the hyperparameters, in the order of ParamNames.
	Params() []float64
	// ParamNames names the hyperparameters: "lengthscale[0]", …, "period", "offset", "outputscale".
	ParamNames() []string
	// WithParams returns the kernel with other hyperparameters, given as logarithms in the order of Params.
	WithParams(log []float64) Kernel
	// GradParams returns k(a, b) and fills dst (length of Params) with dk/d log θ.
	GradParams(dst, a, b []float64) float64
	// Validate reports every hyperparameter that is out of range, as check.FieldError.
	Validate() error
}

// kernels are the names NewKernel knows, with what each stands for at its defaults.
var kernels = []struct {
	name string
	make func(dim int) Kernel
}{
	{"se", func(d int) Kernel { return Stationary{SE, defaultLengthscales(d), 1, nil} }},
	{"matern12", func(d int) Kernel { return Stationary{Matern12, defaultLengthscales(d), 1, nil} }},
	{"matern32", func(d int) Kernel { return Stationary{Matern32, defaultLengthscales(d), 1, nil} }},
	{"matern52", func(d int) Kernel { return Stationary{Matern52, defaultLengthscales(d), 1, nil} }},
	{"periodic", func(d int) Kernel { return Periodic{defaultLengthscales(d), 1, 1} }},
	{"linear", func(d int) Kernel { return Linear{filled(d, 0.5), 1} }},
	{"dot", func(d int) Kernel { return DotProduct{1, d} }},
}

// KernelNames returns the names that NewKernel knows, in a fixed order.
func KernelNames() []string {
	names := make([]string, len(kernels))
	for i, k := range kernels {
		names[i] = k.name
	}
	return names
}

// NewKernel returns the kernel of that name over dim ≥ 1 dimensions with its default hyperparameters: lengthscales at
// the mode of LengthscalePrior, outputscale, period and offset 1, center in the middle of the cube. An unknown name is
// an error that lists the known ones.
func NewKernel(name string, dim int) (Kernel, error) {
	var l check.List
	l.Require(dim >= 1, "Dim", dim, "at least 1")
	for _, k := range kernels {
		if k.name == name && dim >= 1 {
			return k.make(dim), nil
		}
	}
	known := KernelNames()
	if !slices.Contains(known, name) {
		l.Add("Kernel", name, "one of "+strings.Join(known, ", "))
	}
	return nil, l.Err()
}

func defaultLengthscales(dim int) []float64 { return filled(dim, LengthscalePrior(dim).Mode()) }

func filled(n int, v float64) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = v
	}
	return s
}

// The range in which lengthscales and periods must lie keeps squares of scaled distances finite; that of outputscales
// does the same for products.
const (
	leastLength, greatestLength = 1e-9, 1e9
	leastScale, greatestScale   = 1e-100, 1e100
)

func checkLengths(l *check.List, field string, lengths []float64) {
	l.Require(len(lengths) > 0, field, lengths, "at least one entry")
	for i, v := range lengths {
		l.Within(fmt.Sprintf("%s[%d]", field, i), v, leastLength, greatestLength)
	}
}

func lengthscaleNames(dim int, more ...string) []string {
	names := make([]string, 0, dim+len(more))
	for i := range dim {
		names = append(names, fmt.Sprintf("lengthscale[%d]", i))
	}
	return append(names, more...)
}
