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

// Active returns the parameters that are active at a point of the unit cube. Cost O(d + c) for c conditions, O(1) without any; it
// does not allocate.
func (s Space) Active(u Unit) Set {
	return s.active(func(n need) bool { return n.holds(s.parameters[n.at].Rank(u[n.at])) })
}

// ActiveAt is Active at a point in user units. A parent that is NaN may have any value: what depends on it is active then, unless
// another condition says otherwise.
func (s Space) ActiveAt(x Point) Set {
	return s.active(func(n need) bool { return math.IsNaN(x[n.at]) || s.allows(n, x) })
}

// SurelyActive is ActiveAt where every parent has a value that allows it: a point must have a value of these parameters.
func (s Space) SurelyActive(x Point) Set {
	return s.active(func(n need) bool { return !math.IsNaN(x[n.at]) && s.allows(n, x) })
}

// activeByActions returns the parameters that are active at x, whatever is held. A parent that is NaN allows nothing.
func (s Space) activeByActions(x Point) Set {
	return s.active(func(n need) bool {
		return !s.parameters[n.at].Role.Chosen() || !math.IsNaN(x[n.at]) && s.allows(n, x)
	})
}

// active returns the parameters that are active where those conditions hold: whose own do, and whose parents are active.
func (s Space) active(holds func(n need) bool) Set {
	out := everything
	if s.when == nil {
		return out
	}
	for _, i := range s.when.order {
		for _, n := range s.when.needs[i] {
			if !out.Has(n.at) || !holds(n) {
				out.remove(i)
				break
			}
		}
	}
	return out
}

// allows reports whether a condition holds at x, where its parent is not NaN.
func (s Space) allows(n need, x Point) bool {
	p := s.parameters[n.at]
	return n.holds(p.Rank(p.Unit(x[n.at])))
}

// Canonical sets the coordinate of each parameter that is inactive at u to 0.5, and that of a discrete one with conditions to the
// middle of its level, in place, and returns u: so points that mean the same are the same. Cost O(1) without conditions.
func (s Space) Canonical(u Unit) Unit {
	if s.when == nil {
		return u
	}
	active := s.Active(u)
	for _, i := range s.when.given {
		switch p := s.parameters[i]; {
		case !active.Has(i):
			u[i] = idle
		case p.discrete(): // it may have been inactive, at 0.5, where another context was
			u[i] = p.Unit(p.Value(u[i]))
		}
	}
	return u
}

// silence sets each value that is inactive at x, in user units, to NaN, in place.
func (s Space) silence(x Point) Point {
	if s.when != nil {
		s.keep(x, s.ActiveAt(x))
	}
	return x
}

// keep sets each value of a parameter that is not active to NaN, in place.
func (s Space) keep(x Point, active Set) {
	for _, i := range s.when.given {
		if !active.Has(i) {
			x[i] = math.NaN()
		}
	}
}

// facesHeld reports whether some condition is on a parameter that is held.
func (s Space) facesHeld() bool {
	return s.when != nil && slices.ContainsFunc(s.held, func(i int) bool { return s.when.parents[i] })
}

// spread returns a point in user units with the given actions and NaN for what is held.
func (s Space) spread(action Point) Point {
	x := make(Point, len(s.parameters))
	for _, i := range s.held {
		x[i] = math.NaN()
	}
	for j, i := range s.actions {
		x[i] = action[j]
	}
	return x
}
