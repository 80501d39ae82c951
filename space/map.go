package space

import (
	"fmt"
	"math"
	"slices"
)

// Value maps a point of the unit cube to user units; what is inactive there is NaN. It allocates the result.
func (s Space) Value(u Unit) Point {
	s.checkDim(u)
	x := make(Point, len(u))
	for i, p := range s.parameters {
		x[i] = p.Value(u[i])
	}
	if s.when != nil {
		s.keep(x, s.Active(u))
	}
	if s.points == nil {
		return x
	}
	// A listed point comes back to the bit: its own numbers, not the round trip through the cube.
	if k := s.nearest(u); k >= 0 {
		for j, i := range s.actions {
			x[i] = s.points[k][j]
		}
	}
	return x
}

// Unit maps a point in user units to the unit cube; what is inactive there goes to 0.5, whatever it is. The error wraps
// ErrOutsideSpace and names the parameter.
func (s Space) Unit(x Point) (Unit, error) {
	if err := s.Contains(x); err != nil {
		return nil, err
	}
	return s.toUnit(x), nil
}

// toUnit is Unit of a point of the space.
func (s Space) toUnit(x Point) Unit {
	u, active := make(Unit, len(x)), s.ActiveAt(x)
	for i, p := range s.parameters {
		if u[i] = idle; active.Has(i) {
			u[i] = p.Unit(x[i])
		}
	}
	return u
}

// Exact returns x, in user units, with each rounded value replaced by the value it stands for, see Parameter.Exact, and with
// NaN for each inactive parameter. x has an entry for each parameter, or for each action only; an x of another length is
// returned unchanged.
func (s Space) Exact(x Point) Point {
	switch len(x) {
	case len(s.parameters):
		return s.exact(x)
	case len(s.actions):
		return action(s, s.exact(s.spread(x)))
	}
	return slices.Clone(x)
}

// ExactContext is Exact for a point of the context parameters, in their order.
func (s Space) ExactContext(z Point) Point {
	if len(z) != len(s.contexts) {
		return slices.Clone(z)
	}
	out := make(Point, len(z))
	for j, i := range s.contexts {
		out[j] = s.parameters[i].Exact(z[j])
	}
	return out
}

// exact is Exact of a point with contexts.
func (s Space) exact(x Point) Point {
	out := make(Point, len(x))
	for i, p := range s.parameters {
		out[i] = p.Exact(x[i])
	}
	return s.silence(out)
}

// Contains returns nil when x, in user units, is a point of the space. It compares values exactly; call Exact first for
// rounded ones. It does not look at inactive parameters.
func (s Space) Contains(x Point) error {
	if len(x) != len(s.parameters) {
		return fmt.Errorf("%w: %d coordinates, want %d", ErrOutsideSpace, len(x), len(s.parameters))
	}
	active := s.ActiveAt(x)
	for i, p := range s.parameters {
		if active.Has(i) && !p.Contains(x[i]) {
			return fmt.Errorf("%w: %s = %v, want %s", ErrOutsideSpace, p.Name, x[i], p.Range())
		}
	}
	if s.points == nil {
		return nil
	}
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) } // of an inactive one, of which the parents decide
	if action := action(s, x); !slices.ContainsFunc(s.points, func(p Point) bool { return slices.EqualFunc(p, action, same) }) {
		return fmt.Errorf("%w: %v is none of the %d listed points", ErrOutsideSpace, action, len(s.points))
	}
	return nil
}

// ContainsContext returns nil when z, in user units, has a value for each context parameter, in their order.
func (s Space) ContainsContext(z Point) error {
	if len(z) != len(s.contexts) {
		return fmt.Errorf("%w: %d context values, want %d", ErrOutsideSpace, len(z), len(s.contexts))
	}
	for j, i := range s.contexts {
		if p := s.parameters[i]; !p.Contains(z[j]) {
			return fmt.Errorf("%w: context %s = %v, want %s", ErrOutsideSpace, p.Name, z[j], p.Range())
		}
	}
	return nil
}

// ContainsUnit returns nil when u has the right length and every entry is a number in [0, 1].
func (s Space) ContainsUnit(u Unit) error {
	if len(u) != len(s.parameters) {
		return fmt.Errorf("%w: %d coordinates, want %d", ErrOutsideSpace, len(u), len(s.parameters))
	}
	for i, v := range u {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("%w: unit coordinate of %s = %v, want [0, 1]", ErrOutsideSpace, s.parameters[i].Name, v)
		}
	}
	return nil
}

// Snap returns the representable point nearest to u: discrete parameters at the middle of their level's share, and
// the nearest listed point where the space is a finite list, and at 0.5 what is inactive there. Snap(Snap(u)) equals Snap(u).
// Cost O(d), with a list O(N d).
func (s Space) Snap(u Unit) Unit { return s.snap(u, nil) }

// SnapAt is Snap with other unit coordinates of the parameters that are held, in their order: what is active there keeps its
// coordinate, whatever those of u are.
func (s Space) SnapAt(u, held Unit) Unit {
	if len(held) != len(s.held) {
		panic("space: SnapAt: wrong number of coordinates")
	}
	return s.snap(u, held)
}

// snap is SnapAt, with the held coordinates of u where none are given.
func (s Space) snap(u, held Unit) Unit {
	s.checkDim(u)
	out := s.levels(u)
	for j, v := range held {
		out[s.held[j]] = v
	}
	s.Canonical(out)
	if s.when != nil {
		u = out
	}
	if k := s.nearest(u); k >= 0 {
		for j, i := range s.actions {
			out[i] = s.unit[k][j]
		}
	}
	return out
}

// levels is Snap for each parameter by itself.
func (s Space) levels(u Unit) Unit {
	out := make(Unit, len(u))
	for i, p := range s.parameters {
		out[i] = min(max(u[i], 0), 1)
		if p.discrete() {
			out[i] = p.Unit(p.Value(u[i]))
		}
	}
	return out
}

// Join returns the unit-cube point with the given coordinates of actions and of what is held, what is inactive there at 0.5.
func (s Space) Join(action, held Unit) Unit {
	if len(action) != len(s.actions) || len(held) != len(s.held) {
		panic("space: Join: wrong number of coordinates")
	}
	u := make(Unit, len(s.parameters))
	for j, i := range s.actions {
		u[i] = action[j]
	}
	for j, i := range s.held {
		u[i] = held[j]
	}
	return s.Canonical(u)
}

// Lists reports whether the action part of u is one of a finite list. Cost O(d), unless hashes collide.
func (s Space) Lists(u Unit) bool {
	x := action(s, u)
	same := func(point Unit) bool { return slices.Equal(point, x) }
	k, known := s.index[Hash(x)]
	return known && (same(s.unit[k]) || slices.ContainsFunc(s.unit, same))
}

// nearest is the index of the listed point closest to the action part of u (the first of equals), -1 for a box.
func (s Space) nearest(u Unit) int {
	if s.unit == nil {
		return -1
	}
	if k, known := s.index[Hash(action(s, u))]; known && slices.Equal(s.unit[k], action(s, u)) {
		return k
	}
	best, bestDistance := -1, math.Inf(1)
	for k, point := range s.unit {
		distance := 0.0
		for j, i := range s.actions {
			d := point[j] - u[i]
			distance += d * d
		}
		if distance < bestDistance {
			best, bestDistance = k, distance
			if distance == 0 {
				break
			}
		}
	}
	return best
}

// Hash mixes the bits of the coordinates of a point (Fowler, Noll & Vo, by words); −0 and 0 are the same. Equal points have equal
// hashes, and different ones nearly always different hashes.
func Hash[P Unit | Point](u P) uint64 {
	key := uint64(14695981039346656037)
	for _, v := range u {
		key = (key ^ math.Float64bits(v+0)) * 1099511628211
		key ^= key >> 29
	}
	return key
}

// action returns the coordinates of the actions.
func action[P Unit | Point](s Space, x P) P {
	action := make(P, len(s.actions))
	for j, i := range s.actions {
		action[j] = x[i]
	}
	return action
}

func (s Space) checkDim(u Unit) {
	if len(u) != len(s.parameters) {
		panic("space: point has the wrong number of coordinates")
	}
}
