package main

import (
	"fmt"
	"strings"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// constraints are those that the study names.
func (s *inspected) constraints() []outcome.Constraint { return s.header.Config.Constraints }

// bounds are the constraints in words, empty without any.
func (s *inspected) bounds() string {
	var all []string
	for _, c := range s.constraints() {
		all = append(all, c.String())
	}
	return strings.Join(all, ", ")
}

// measured are the values of the constraints at an evaluation, by name, or as the list that they came in where they have none.
func (s *inspected) measured(e loop.Evaluation) any {
	named := s.constraints()
	switch {
	case len(e.Constraints) == 0:
		return nil
	case len(named) != len(e.Constraints):
		return e.Constraints
	}
	out := map[string]float64{}
	for i, c := range named {
		out[c.Name] = e.Constraints[i]
	}
	return out
}

// cells are the values of the constraints at an evaluation, one for each that has a name.
func (s *inspected) cells(e loop.Evaluation) (out []any) {
	for i := range s.constraints() {
		cell := ""
		if i < len(e.Constraints) {
			cell = number(e.Constraints[i])
		}
		out = append(out, cell)
	}
	return out
}

// feasible says of a point how likely it is feasible, and of each constraint what was measured and what is expected, with the margins.
func feasible(f *loop.Feasibility, e *loop.Evaluation) []string {
	lines := []string{fmt.Sprintf("feasible     with probability %.3g", f.Probability)}
	for i, m := range f.Constraints {
		lines = append(lines, fmt.Sprintf("  %s: %s measured, margin %s; %s expected, holds with probability %.3g", m.Constraint,
			number(e.Constraints[i]), number(m.Margin(e.Constraints[i])), expected(&m.Prediction), m.Probability))
	}
	return lines
}
