package acquisition

import (
	"slices"

	"github.com/tarry-bo/tarry/space"
)

const (
	maxEnumerated  = 4096
	maxLevelsTried = 32  // levels of one discrete parameter that the coordinate search tries
	levelBudget    = 512 // values that the coordinate search may take
	levelStarts    = 3   // points it starts from
	levelSweeps    = 3   // over all discrete parameters
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

// climbDiscrete changes one discrete action at a time of the best points while that helps, then climbs once more over the
// real ones from where that led.
func (s *Search) climbDiscrete(e evaluator, found []candidate) []candidate {
	var discrete []int
	for _, i := range s.Space.Actions() {
		if s.Space.Parameter(i).Kind != space.KindFloat {
			discrete = append(discrete, i)
		}
	}
	if len(discrete) == 0 {
		return found
	}
	var moved []candidate
	for _, c := range found[:min(levelStarts, len(found))] {
		if after := s.climbLevels(e, discrete, c, levelBudget/levelStarts); after.value > c.value {
			moved = append(moved, after)
		}
	}
	if len(moved) > 0 {
		found = append(append(s.climb(e, moved), moved...), found...)
	}
	return found
}

// climbLevels tries every level of a parameter with few and the neighbours and ends of one with many, the parameters in
// random order, until nothing helps any more or the budget is spent.
func (s *Search) climbLevels(e evaluator, discrete []int, c candidate, budget int) candidate {
	for range levelSweeps {
		before := c.value
		for _, at := range s.Stream.Perm(len(discrete)) {
			i := discrete[at]
			p := s.Space.Parameter(i)
			var xs [][]float64
			for _, k := range tried(p, c.x[i]) {
				x := slices.Clone(c.x)
				x[i] = level(p, k)
				xs = append(xs, x)
			}
			xs = xs[:min(len(xs), budget)]
			budget -= len(xs)
			for _, other := range score(e, xs) {
				if other.value > c.value {
					c = other
				}
			}
		}
		if c.value <= before || budget == 0 {
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
