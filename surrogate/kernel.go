package surrogate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// Kernel is a covariance function with its hyperparameters, which it describes itself: whoever fits, checks or keeps one asks
// the kernel and knows none by its type. Kernels are values: no method changes one. Points have length Dim; slices of another
// length are bugs and panic. Costs are O(d) per pair.
type Kernel interface {
	// Name returns the word by which NewKernel knows the kernel ("sum" and "product" for composites).
	Name() string
	// Dim returns the dimension d of the points.
	Dim() int
	// Eval returns k(a, b). It is symmetric.
	Eval(a, b space.Unit) float64
	// Row fills dst[i] with k(x, xs[i]), the same numbers as Eval. One call does the work of a whole row.
	Row(dst []float64, x space.Unit, xs []space.Unit)
	// Diag returns k(x, x).
	Diag(x space.Unit) float64
	// GradX returns k(a, b) and fills dst (length d) with dk/da. Where k has a kink (Matérn-1/2 at a = b) it is zero.
	GradX(dst []float64, a, b space.Unit) float64
	// Hyper describes the hyperparameters.
	Hyper() []Hyperparameter
	// Values returns a new slice with the hyperparameters, in the order of Hyper. WithValues makes the same kernel of them, to
	// the bit, which Params and WithParams do not: they go through a logarithm.
	Values() []float64
	// WithValues returns the kernel with other hyperparameters, in the order of Hyper.
	WithValues(values []float64) Kernel
	// Params returns a new slice with the natural logarithms of the hyperparameters, in the order of Hyper.
	Params() []float64
	// WithParams returns the kernel with other hyperparameters, given as logarithms in the order of Params.
	WithParams(log []float64) Kernel
	// GradParams returns k(a, b) and fills dst (length of Params) with dk/d log θ.
	GradParams(dst []float64, a, b space.Unit) float64
	// WithCategories returns the kernel with marks for the coordinates whose values have no order, one for each dimension: two
	// of them are equal or not, and no nearer to each other than others. Kernels without a way to tell, those of planes,
	// periodic ones and those of features, take them for numbers.
	WithCategories(marks []bool) Kernel
	// Validate reports every hyperparameter that is out of range, as check.FieldError.
	Validate() error
}

// Hyperparameter describes a number that a kernel has.
type Hyperparameter struct {
	Name      string // "lengthscale[0]", "period", "offset", "outputscale"; of a part of a kernel with the prefix "left." or "right."
	Kind      HyperKind
	Low, High float64 // the range in which Validate wants it
}

// HyperKind is what a hyperparameter is for. A fit has a hyperprior and bounds for each kind.
type HyperKind int

// The kinds of hyperparameter.
const (
	Lengthscale HyperKind = iota // a distance in the unit cube
	Outputscale                  // a variance of the function
	Shape                        // any other: periods and offsets
	Decay                        // how fast correlation falls from one fidelity to the next
	Ratio                        // how many times as steep the warp of a coordinate is at 0 as at 1
)

// kernels are the names NewKernel knows, with what each stands for at its defaults.
var kernels []registered

type registered struct {
	name string
	make func(dim int) Kernel
}

// register makes a kernel known by its name. Call it from the kernel's own file, in a package-level declaration; the names are
// listed in the order of the files. It returns true.
func register(name string, make func(dim int) Kernel) bool {
	kernels = append(kernels, registered{name, make})
	return true
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
		if !(v >= leastLength && v <= greatestLength) { // the name takes longer than all the rest of a validation
			l.Within(fmt.Sprintf("%s[%d]", field, i), v, leastLength, greatestLength)
		}
	}
}

// lengthHyper describes the lengthscales of a kernel and what follows them.
func lengthHyper(dim int, more ...Hyperparameter) []Hyperparameter {
	all := make([]Hyperparameter, 0, dim+len(more))
	for i := range dim {
		all = append(all, Hyperparameter{fmt.Sprintf("lengthscale[%d]", i), Lengthscale, leastLength, greatestLength})
	}
	return append(all, more...)
}

func outputscaleHyper() Hyperparameter {
	return Hyperparameter{"outputscale", Outputscale, leastScale, greatestScale}
}

// WithValuesOf returns k with those hyperparameters that another kernel has by the same names; the others stay as they are.
func WithValuesOf(k, other Kernel) Kernel {
	values, theirs, names := k.Values(), other.Values(), hyperNames(other)
	for i, name := range hyperNames(k) {
		if at := slices.Index(names, name); at >= 0 {
			values[i] = theirs[at]
		}
	}
	return k.WithValues(values)
}

// hyperNames are the names of the hyperparameters of a kernel.
func hyperNames(k Kernel) []string {
	var names []string
	for _, h := range k.Hyper() {
		names = append(names, h.Name)
	}
	return names
}

// logarithms turn the values of hyperparameters into Params, in place.
func logarithms(values []float64) []float64 {
	for i, v := range values {
		values[i] = math.Log(v)
	}
	return values
}
