// Package functions holds the test problems of the field with everything a comparison needs to know about them: the
// box, all maximizers and the maximum. The house maximizes, so each value is the negated textbook function. Problems with
// constraints are apart, and are minimized as where they come from: GetConstrained.
//
//	f, err := functions.Get("branin", 0) // 0: the usual dimension
//	if err != nil {
//		return err
//	}
//	regret := f.Maximum - f.Value([]float64{2.5, 7.5}) // 23.73, in user units
//
// The package is pure: a Function or Constrained has no state and adds no noise, and may be evaluated from many goroutines at once.
package functions

import (
	"fmt"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// MaxDim is the largest dimension of the functions that exist in any dimension.
const MaxDim = 1000

// Function is one test problem in one dimension.
type Function struct {
	Name string
	Dim  int

	// Low and High are the corners of the box, in user units, of length Dim.
	Low, High []float64

	// Value returns what is to be maximized at x, a point of length Dim in user units. It is defined outside the box
	// too. A point of any other length is a bug and panics. Cost O(Dim).
	Value func(x []float64) float64

	// Maximizers lists every global maximizer inside the box, each of length Dim. Where the function has a closed form
	// they are exact, otherwise correct to the last bit or two. One function has more of them than are listed: alpine1
	// is largest wherever each coordinate is 0 or has sin x = -0.1, which is 8^Dim points, and lists the origin only.
	Maximizers [][]float64

	// Maximum is the value at the maximizers.
	Maximum float64

	// Reference says where the function comes from, as author and year.
	Reference string
}

// Get returns the function of that name in dim dimensions; dim 0 means its usual dimension. Functions of a fixed
// dimension accept that dimension only. An unknown name and a dimension that the function does not have are errors
// that unwrap to check.ErrInvalidOption. The slices in the result belong to the caller.
func Get(name string, dim int) (Function, error) {
	for _, f := range families {
		if f.name == name {
			return f.in(dim)
		}
	}
	return Function{}, &check.FieldError{
		Field: "function", Value: fmt.Sprintf("%q", name), Want: "one of " + strings.Join(Names(), ", "),
	}
}

// Names returns the names that Get knows, sorted.
func Names() []string {
	names := make([]string, len(families))
	for i, f := range families {
		names[i] = f.name
	}
	return names
}
