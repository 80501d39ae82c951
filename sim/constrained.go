package sim

import (
	"fmt"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/sim/functions"
	"github.com/tarry-bo/tarry/space"
)

// constrained is a test problem with constraints: its loss is minimized, so the negative loss is maximized.
func constrained(name string) (Problem, error) {
	c, err := functions.GetConstrained(name)
	if err != nil {
		return Problem{}, err
	}
	parameters := make([]space.Parameter, len(c.Parameters))
	for i, p := range c.Parameters {
		if parameters[i] = space.Float(p.Name, p.Low, p.High); p.Step > 0 {
			parameters[i] = parameters[i].Stepped(p.Step)
		}
	}
	s, err := space.New(parameters...)
	p := Problem{
		Name: name, Space: s, Value: func(x space.Point) float64 { return -c.Loss(x) }, Maximizers: space.PointsOf(c.Minimizers), Maximum: -c.Minimum,
		Describe: fmt.Sprintf("%d-D, its loss to be minimized; constraints: %d (%s)", len(parameters), len(c.Limits), c.Reference),
		Measure: func(x space.Point) []float64 {
			values := make([]float64, len(c.Limits))
			for i, l := range c.Limits {
				values[i] = l.Value(x)
			}
			return values
		},
	}
	for _, l := range c.Limits {
		p.Constraints = append(p.Constraints, outcome.Constraint{Name: l.Name, Bound: l.Bound, Least: l.Least})
	}
	return p, err
}

// feasible reports whether every constraint holds at x, in user units.
func (p Problem) feasible(x space.Point) bool {
	return p.Measure == nil || outcome.Violation(p.Constraints, p.Measure(x)) == ""
}
