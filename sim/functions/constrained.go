package functions

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// constrained lists every test problem with constraints, sorted by name. A new one is a function that makes it and one word
// here; the tests go through this list.
var constrained = []func() Constrained{
	constrainedAckley, gardner1, gardner2, gramacy, pressureVessel, reactor, speedReducer, tensionSpring, vesselOfAnyThickness, weldedBeam,
}

// Constrained is a test problem with constraints. Other than Function it is to be minimized, as where it comes from.
type Constrained struct {
	Name       string
	Parameters []Parameter

	// Loss returns what is to be minimized at x, a point in user units with a coordinate for each parameter, whether or not it is
	// feasible.
	Loss func(x []float64) float64

	// Limits are the constraints. A point is feasible if it is in the box, at its steps, and within all limits.
	Limits []Limit

	// Minimizers lists the feasible points with the least loss, Minimum that loss. Where there is a closed form they are exact.
	// Otherwise limits and minimum are right to the last digits; along a limit the place of a minimum is known to eight.
	Minimizers [][]float64
	Minimum    float64

	// Reference says where the problem comes from, and which of its versions this is where there are several.
	Reference string
}

// Parameter is one coordinate.
type Parameter struct {
	Name      string // letters, digits and _
	Low, High float64
	Step      float64 // of the values, which are whole multiples of it; 0 for all values
}

// Limit is a constraint: a function with a bound, in its own units.
type Limit struct {
	Name  string // letters, digits and _
	Value func(x []float64) float64
	Bound float64
	Least bool // Bound is the least value that is allowed; otherwise it is the greatest
}

// Slack returns by how much a value is within the limit, in its units; negative if it is not.
func (l Limit) Slack(value float64) float64 {
	if l.Least {
		return value - l.Bound
	}
	return l.Bound - value
}

// Scale returns what slack is small or large against: the size of the bound, at least 1.
func (l Limit) Scale() float64 { return max(math.Abs(l.Bound), 1) }

// Feasible reports whether x is in the box, at its steps, and within all limits, each of which may be missed by the tolerance times its
// Scale.
func (c Constrained) Feasible(x []float64, tolerance float64) bool {
	for j, p := range c.Parameters {
		if x[j] < p.Low || x[j] > p.High || p.Step > 0 && math.Mod(x[j], p.Step) != 0 {
			return false
		}
	}
	for _, l := range c.Limits {
		if !(l.Slack(l.Value(x)) >= -tolerance*l.Scale()) {
			return false
		}
	}
	return true
}

// GetConstrained returns the problem of that name. An unknown name is an error that unwraps to check.ErrInvalidOption. The
// slices in the result belong to the caller.
func GetConstrained(name string) (Constrained, error) {
	for _, problem := range constrained {
		if c := problem(); c.Name == name {
			return c, nil
		}
	}
	return Constrained{}, &check.FieldError{
		Field: "constrained function", Value: fmt.Sprintf("%q", name), Want: "one of " + strings.Join(ConstrainedNames(), ", "),
	}
}

// ConstrainedNames returns the names that GetConstrained knows, sorted.
func ConstrainedNames() []string {
	names := make([]string, len(constrained))
	for i, problem := range constrained {
		names[i] = problem().Name
	}
	return names
}

// atMost and atLeast are limits to one side and to the other.
func atMost(name string, bound float64, value func(x []float64) float64) Limit {
	return Limit{Name: name, Value: value, Bound: bound}
}

func atLeast(name string, bound float64, value func(x []float64) float64) Limit {
	return Limit{Name: name, Value: value, Bound: bound, Least: true}
}

// axes are d parameters x1, ..., xd of one range.
func axes(d int, low, high float64) []Parameter {
	all := make([]Parameter, d)
	for j := range all {
		all[j] = Parameter{Name: fmt.Sprintf("x%d", j+1), Low: low, High: high}
	}
	return all
}
