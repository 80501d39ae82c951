// Package fidelity holds problems whose values can also be had cheaper and less exact: at fidelities, of which the greatest is the
// one that is wanted. Each comes as a family of tasks that resemble each other.
//
//	p := fidelity.Hartmann(seed, task)
//	cheap, exact := p.Value(x, 0), p.Value(x, len(p.Levels)-1)
//	_, maximum := p.Optimum()
//
// A problem is a pure function of (seed, task); it adds no noise, and may be evaluated from many goroutines at once.
package fidelity

import (
	"slices"

	"github.com/tarry-bo/tarry/space"
)

// Problem is one task: a function to maximize at the greatest of its fidelities.
type Problem struct {
	Name       string
	Parameters []space.Parameter // what is chosen, without the fidelity
	Fidelity   string            // what a fidelity is, as the name of a parameter
	Levels     []float64         // the fidelities, increasing; the last is the one that is wanted
	Costs      []float64         // what an evaluation costs at each, in the units of Budget
	// Value returns the value without noise at x (user units of Parameters) at Levels[level]. NaN says that it failed.
	Value func(x space.Point, level int) float64
	// Optimum returns the greatest value at the last level and one place of it. It computes them when it is first called, and keeps
	// them. Nil: they are not known.
	Optimum func() (x space.Point, value float64)
	Noise   float64 // standard deviation of the noise in the literature
	Budget  float64 // what all evaluations of a task may cost in the literature; 0: there is none
}

// At returns the value at a point whose last coordinate is the fidelity, one of Levels; any other panics.
func (p Problem) At(x space.Point) float64 {
	last := len(x) - 1
	level := slices.Index(p.Levels, x[last])
	if level < 0 {
		panic("fidelity: the last coordinate is none of the levels")
	}
	return p.Value(x[:last], level)
}
