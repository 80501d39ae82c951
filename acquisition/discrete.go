package acquisition

import (
	"slices"

	"github.com/tarry-bo/tarry/space"
)

// enumerate returns every point that the search may choose, when there are few enough; otherwise nil.
func (s *Search) enumerate() [][]float64 {
	if points := s.Space.UnitPoints(); points != nil {
		all := make([][]float64, len(points))
		for i, p := range points {
			all[i] = s.Space.Join(p, s.context())
		}
		return all
	}
	total := 1
	for _, i := range s.Space.Actions() {
		levels := s.Space.Parameter(i).Levels()
		if levels == 0 || levels > maxEnumerated || total*levels > maxEnumerated {
			return nil
		}
		total *= levels
	}
	all := make([][]float64, total)
	for k := range all {
		all[k] = s.Space.Join(s.levels(k), s.context())
	}
	return all
}

// levels is combination k of the levels of all actions, the last action counting fastest.
func (s *Search) levels(k int) []float64 {
	actions := s.Space.Actions()
	out := make([]float64, len(actions))
	for j, i := range slices.Backward(actions) {
		p := s.Space.Parameter(i)
		n := p.Levels()
		out[j] = level(p, k%n)
		k /= n
	}
	return out
}

// level is the unit coordinate of level k of a discrete parameter.
func level(p space.Parameter, k int) float64 {
	if p.Kind == space.KindInt {
		return p.Unit(p.Low + float64(k))
	}
	return p.Unit(float64(k))
}

func (s *Search) context() []float64 {
	if s.Context == nil {
		return make([]float64, len(s.Space.Contexts()))
	}
	return s.Context
}

// candidates are low-discrepancy points of the space, points around those of Near, and those of Near themselves,
// all at the given context.
func (s *Search) candidates() [][]float64 {
	raw := space.HaltonPoints(s.Candidates, s.Space.Dim(), s.Stream)
	for _, near := range s.Near {
		raw = append(raw, near)
		width := 0.1
		for range nearPoints {
			x := slices.Clone(near)
			for j := range x {
				x[j] += width * s.Stream.NormFloat64()
			}
			raw = append(raw, x)
			width *= 0.7
		}
	}
	context := s.context()
	for i, x := range raw {
		x = s.Space.Snap(x)
		for j, k := range s.Space.Contexts() {
			x[k] = context[j]
		}
		raw[i] = x
	}
	return raw
}

// climbLevels changes one discrete action at a time while that helps: every level of a parameter with few, the
// neighbours and the ends of one with many.
func (s *Search) climbLevels(f Function, c candidate) candidate {
	for range 3 {
		before := c.value
		for _, i := range s.Space.Actions() {
			p := s.Space.Parameter(i)
			for _, k := range tried(p, c.x[i]) {
				x := slices.Clone(c.x)
				x[i] = level(p, k)
				if v := f.Value(x); v > c.value {
					c = candidate{x, v}
				}
			}
		}
		if c.value <= before {
			break
		}
	}
	return c
}

// tried lists the levels of p worth trying from coordinate u; none for a real parameter.
func tried(p space.Parameter, u float64) []int {
	n := p.Levels()
	if n <= maxLevelsTried {
		out := make([]int, n)
		for k := range out {
			out[k] = k
		}
		return out
	}
	here := int(p.Value(u))
	if p.Kind == space.KindInt {
		here -= int(p.Low)
	}
	out := []int{0, n - 1}
	for step := 1; step < n; step *= 4 {
		out = append(out, max(here-step, 0), min(here+step, n-1))
	}
	return out
}
