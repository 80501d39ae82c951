package space

import (
	"math"
	"slices"
)

// idle is the unit coordinate of a parameter that is inactive, wherever the point is.
const idle = 0.5

// Conditional reports whether some parameter has conditions.
func (s Space) Conditional() bool { return s.when != nil }

// Parent reports whether conditions of other parameters are on parameter i.
func (s Space) Parent(i int) bool { return s.when != nil && s.when.parents[i] }

// Active reports whether parameter i is active at a point of the unit cube. Cost O(c) for c conditions, its parents' included.
func (s Space) Active(u Unit, i int) bool {
	if s.when == nil {
		return true
	}
	for _, n := range s.when.needs[i] {
		if !n.holds(s.parameters[n.at].Rank(u[n.at])) {
			return false
		}
	}
	return true
}

// ActiveAt is Active at a point in user units. A parent that is NaN may have any value: what depends on it is active then, unless
// another condition says otherwise.
func (s Space) ActiveAt(x Point, i int) bool {
	if s.when == nil {
		return true
	}
	for _, n := range s.when.needs[i] {
		if p := s.parameters[n.at]; !math.IsNaN(x[n.at]) && !n.holds(p.Rank(p.Unit(x[n.at]))) {
			return false
		}
	}
	return true
}

// SurelyActive is ActiveAt where every parent has a value that allows it: a point must have a value of the parameter.
func (s Space) SurelyActive(x Point, i int) bool {
	return s.ActiveAt(x, i) && (s.when == nil || !slices.ContainsFunc(s.when.needs[i], func(n need) bool { return math.IsNaN(x[n.at]) }))
}

// Canonical sets the coordinate of each parameter that is inactive at u to 0.5, and that of a discrete one with conditions to the
// middle of its level, in place, and returns u: so points that mean the same are the same. Cost O(1) without conditions.
func (s Space) Canonical(u Unit) Unit {
	if s.when != nil {
		for _, i := range s.when.given {
			switch p := s.parameters[i]; {
			case !s.Active(u, i):
				u[i] = idle
			case p.discrete(): // it may have been inactive, at 0.5, where another context was
				u[i] = p.Unit(p.Value(u[i]))
			}
		}
	}
	return u
}

// silence sets each value that is inactive at x, in user units, to NaN, in place.
func (s Space) silence(x Point) Point {
	if s.when != nil {
		for _, i := range s.when.given {
			if !s.ActiveAt(x, i) {
				x[i] = math.NaN()
			}
		}
	}
	return x
}

// facesContexts reports whether some condition is on a context.
func (s Space) facesContexts() bool {
	return s.when != nil && slices.ContainsFunc(s.contexts, func(i int) bool { return s.when.parents[i] })
}

// spread returns a point in user units with the given actions and NaN for the contexts.
func (s Space) spread(action Point) Point {
	x := make(Point, len(s.parameters))
	for _, i := range s.contexts {
		x[i] = math.NaN()
	}
	for j, i := range s.actions {
		x[i] = action[j]
	}
	return x
}
