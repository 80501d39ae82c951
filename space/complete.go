package space

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Admits returns nil when the space has a point with the values of x, in user units, actions only or with contexts. NaN is any
// value; a value given is one of an active parameter, unless x itself says that it is inactive, where it is not looked at.
func (s Space) Admits(x Point) error {
	_, _, err := s.admitted(x)
	return err
}

// admitted returns x with contexts and without what is inactive, and what it asks of parents that it leaves open.
func (s Space) admitted(x Point) (Point, []need, error) {
	switch len(x) {
	case len(s.parameters):
		x = s.silence(slices.Clone(x))
	case len(s.actions):
		x = s.silence(s.spread(x))
	default:
		want := fmt.Sprint(len(s.parameters))
		if len(s.actions) < len(s.parameters) {
			want += fmt.Sprintf(", or %d without what the world or the policy sets", len(s.actions))
		}
		return nil, nil, fmt.Errorf("%w: %d coordinates, want %s", ErrOutsideSpace, len(x), want)
	}
	for i, p := range s.parameters {
		if !math.IsNaN(x[i]) && !p.Contains(x[i]) {
			return nil, nil, fmt.Errorf("%w: %s = %v, want %s", ErrOutsideSpace, p.Name, x[i], p.Range())
		}
	}
	open, err := s.open(x)
	if err == nil && s.points != nil && len(s.Matching(x)) == 0 {
		err = fmt.Errorf("%w: none of the %d points that the space lists", ErrOutsideSpace, len(s.points))
	}
	return x, open, err
}

// open returns what the values given ask of parents that are left open. Cost O(d + c) for c conditions.
func (s Space) open(x Point) (asked []need, err error) {
	if s.when == nil {
		return nil, nil
	}
	var seen Set
	for _, i := range s.when.given {
		if math.IsNaN(x[i]) {
			continue
		}
		for _, n := range s.when.asked(i, &seen) {
			if !math.IsNaN(x[n.at]) {
				continue
			}
			j := slices.IndexFunc(asked, func(m need) bool { return m.at == n.at })
			if j < 0 {
				asked = append(asked, n)
				continue
			}
			if asked[j] = asked[j].and(n); asked[j].count() == 0 {
				return nil, fmt.Errorf("%w: %s = %s is inactive wherever the others that are given are active: no value of %s allows all of them",
					ErrOutsideSpace, s.parameters[i].Name, s.parameters[i].Format(x[i]), s.parameters[n.at].Name)
			}
		}
	}
	return asked, nil
}

// Complete returns a point in user units with the values of x, for which Admits is nil, and what x leaves open drawn at random:
// parents such that what is given is active, and what is inactive NaN. Contexts are drawn too, for the caller to replace; what
// depends on them has a value, as if it were active. A fidelity that is left open is the greatest. The same point in the unit cube
// comes second.
func (s Space) Complete(x Point, stream *rand.Rand) (whole Point, unit Unit, err error) {
	x, asked, err := s.admitted(x)
	if err != nil {
		return nil, nil, err
	}
	if i, has := s.Fidelity(); has && math.IsNaN(x[i]) {
		x[i] = s.parameters[i].Value(s.Target())
	}
	u := s.drawn(x, stream)
	for _, n := range asked {
		if p := s.parameters[n.at]; !n.holds(p.Rank(u[n.at])) {
			u[n.at] = p.Level(n.level(stream.IntN(n.count())))
		}
	}
	filled := s.everywhere(u)
	for i, v := range x {
		if math.IsNaN(v) {
			x[i] = filled[i]
		}
	}
	unit = make(Unit, len(x))
	active := s.activeByActions(x)
	for i, p := range s.parameters {
		if active.Has(i) {
			unit[i] = p.Unit(x[i])
		} else {
			x[i], unit[i] = math.NaN(), idle
		}
	}
	return x, unit, nil
}

// drawn returns a random point of the unit cube for what x leaves open: a point of a list has what x gives.
func (s Space) drawn(x Point, stream *rand.Rand) Unit {
	if s.when != nil && s.points == nil {
		return s.levels(s.uniform(stream)) // also of what is inactive there: with the values of x it may be active
	}
	u := s.Random(stream)
	if points := s.Matching(x); len(points) > 0 {
		point := points[stream.IntN(len(points))]
		for j, i := range s.actions {
			u[i] = point[j]
		}
	}
	return u
}

// everywhere is Value as if every parameter were active, where the space is no list.
func (s Space) everywhere(u Unit) Point {
	if s.points != nil {
		return s.Value(u)
	}
	x := make(Point, len(u))
	for i, p := range s.parameters {
		x[i] = p.Value(u[i])
	}
	return x
}
