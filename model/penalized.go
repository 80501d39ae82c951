package model

import (
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/outcome"
)

// What a fit takes for penalties (penalties.go) are failures of their points, whatever came: they have no value in the belief, and are forgiven where they are
// scattered. So is each that comes later, until the next fit, which looks at all values anew.

// takesForPenalty reports whether a value is taken for a penalty.
func (l *learned) takesForPenalty(value float64) bool { return l.penal && value <= l.penalty }

// Penalized reports whether a value of an output is taken for a penalty.
func (m *Model) Penalized(of Output, value float64) bool {
	latest := m.outputs[of].latest()
	return latest.takesForPenalty(value)
}

// mayPenalize reports whether values of the belief may be penalties: those of the objective, where failures have no value, and nothing but the point makes values
// differ.
func (m sight) mayPenalize() bool {
	return m.config.Blank && m.want.Output.outlying() && m.chooses() && m.spec.Fidelity == nil && m.variances == nil &&
		len(m.config.Space.Contexts()) == 0
}

// penalized reports whether the value of a query is taken for a penalty.
func (m sight) penalized(number int) bool {
	return m.penal && m.buffer.Usable(number, m.want.Pending) && m.takesForPenalty(m.buffer.Value(number))
}

// foretold reports whether a query has no value, and a report says that it would be one that is taken for a penalty.
func (m sight) foretold(number int) bool {
	if failed, _ := m.buffer.Failed(number); !m.penal || failed || m.buffer.Revealed(number) {
		return false
	}
	in, found := m.interim(number)
	return found && m.takesForPenalty(in.Value)
}

// penalties are the numbers of the queries whose values are taken for penalties, ascending; nil without any. Cost O(n) where there are some.
func (m sight) penalties() (numbers []int) {
	for number := 1; m.penal && number <= len(m.points); number++ {
		if m.penalized(number) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// withoutPenalties returns those of the values that are none.
func (m sight) withoutPenalties(values []float64) []float64 {
	if !m.penal {
		return values
	}
	return slices.DeleteFunc(values, m.takesForPenalty)
}

// failure reports whether a query failed, or has a penalty for a value or is to have one, and whether it is infeasible beyond doubt.
func (m sight) failure(number int) (failed, hopeless bool) {
	if m.penalized(number) || m.foretold(number) {
		return true, false
	}
	return m.buffer.Failed(number)
}

// valued reports whether the belief sees a value of a query that is no penalty.
func (m sight) valued(number int) bool {
	return m.buffer.Usable(number, m.want.Pending) && !m.penalized(number)
}

// checkPenalty looks at what was learned or read of penalties.
func (s Spec) checkPenalty(l learned) error {
	if !outcome.Finite(l.penalty) || l.penal && (len(s.Kernels) == 0 || s.Fidelity != nil) || !l.penal && l.penalty != 0 {
		return fmt.Errorf("penalties %t up to %v of an output with %d kernels to choose from", l.penal, l.penalty, len(s.Kernels))
	}
	return nil
}
