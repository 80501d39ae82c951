package acquisition

import "github.com/tarry-bo/tarry/space"

// warped returns the points in warped coordinates: the same ones where nothing is warped.
func (s *Search) warped(xs []space.Unit) []space.Unit { return s.mapped(xs, s.Inputs.To) }

// unwarped returns points in warped coordinates as they are in the cube.
func (s *Search) unwarped(xs []space.Unit) []space.Unit { return s.mapped(xs, s.Inputs.From) }

func (s *Search) mapped(xs []space.Unit, by func(space.Unit) space.Unit) []space.Unit {
	if s.Inputs == nil {
		return xs
	}
	out := make([]space.Unit, len(xs))
	for i, x := range xs {
		out[i] = by(x)
	}
	return out
}

// warpedBox is the box at x in warped coordinates.
func (s *Search) warpedBox(x space.Unit) (lower, upper []float64) {
	lower, upper = s.box(x)
	return s.Inputs.To(lower), s.Inputs.To(upper)
}

// from is where in the cube a local search is in warped coordinates. What it has not moved is where it began, to the bit.
func (s *Search) from(c *climber, bent []float64) space.Unit {
	if s.Inputs == nil {
		return bent
	}
	x := s.Inputs.From(bent)
	for j, v := range s.Inputs.To(c.start.x) {
		if bent[j] == v {
			x[j] = c.start.x[j]
		}
	}
	return x
}
