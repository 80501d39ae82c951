package acquisition

import (
	"slices"

	"github.com/tarry-bo/tarry/space"
)

const (
	maxLevelsTried = 32  // levels of one discrete parameter that the coordinate search tries
	levelBudget    = 512 // values that the coordinate search may take
	levelStarts    = 3   // points it starts from
	levelSweeps    = 3   // over all discrete parameters
	triesPerBranch = 4   // points with other values for each parameter that becomes active, of which
	mostTries      = 16  // are at most so many
)

// enumerate returns every point that the search may choose, when there are few enough; otherwise nil.
func (s *Search) enumerate() []space.Unit {
	if points := s.Space.UnitPoints(); points != nil {
		all := make([]space.Unit, len(points))
		for i, p := range points {
			all[i] = s.Space.Join(p, s.context())
		}
		return all
	}
	if s.Space.Combinations() == 0 {
		return nil
	}
	all := s.Space.Grid()
	for k, action := range all {
		all[k] = s.Space.Join(action, s.context())
	}
	return all
}

func (s *Search) context() space.Unit {
	if s.Context == nil {
		return make(space.Unit, len(s.Space.Held()))
	}
	return s.Context
}

// climbDiscrete changes one discrete action at a time of the best points while that helps, then climbs once more over the
// real ones from where that led.
func (s *Search) climbDiscrete(e evaluator, found []candidate) []candidate {
	discrete := discreteOf(s.Space)
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

// discreteOf lists the actions that have levels to choose from.
func discreteOf(s space.Space) []int {
	var discrete []int
	for _, i := range s.Actions() {
		if s.Parameter(i).Levels() > 1 {
			discrete = append(discrete, i)
		}
	}
	return discrete
}

// climbLevels tries every level of a parameter with few and the neighbours and ends of one with many, the parameters in
// random order, until nothing helps any more or the budget is spent.
func (s *Search) climbLevels(e evaluator, discrete []int, c candidate, budget int) candidate {
	for range levelSweeps {
		before := c.value
		for _, at := range s.Stream.Perm(len(discrete)) {
			i := discrete[at]
			p := s.Space.Parameter(i)
			if !s.Space.Active(c.x).Has(i) {
				continue
			}
			var xs []space.Unit
			for _, k := range tried(p, c.x[i]) {
				if len(xs) >= budget {
					break
				}
				x := slices.Clone(c.x)
				x[i] = p.Level(k)
				xs = append(xs, s.awakened(x, c.x, i)...)
			}
			xs = xs[:min(len(xs), budget)]
			budget -= len(xs)
			for _, other := range score(e, xs) {
				if other.value > c.value {
					c = other
				}
			}
			if budget == 0 {
				return c
			}
		}
		if c.value <= before {
			break
		}
	}
	return c
}

// awakened returns x, in which parameter i has another value than in before, and where that makes others active, some points
// besides that have random values of these: what a branch is worth does not show at one point of it.
func (s *Search) awakened(x, before space.Unit, i int) []space.Unit {
	if !s.Space.Parent(i) {
		return []space.Unit{x}
	}
	var new []int
	now, then := s.Space.Active(x), s.Space.Active(before)
	for _, k := range s.Space.Actions() {
		if now.Has(k) && !then.Has(k) {
			new = append(new, k)
		}
	}
	out := []space.Unit{s.snapped(x)}
	for range min(triesPerBranch*len(new), mostTries) {
		y := slices.Clone(x)
		for _, k := range new {
			y[k] = s.Stream.Float64()
		}
		out = append(out, s.snapped(y))
	}
	return out
}

// free reports whether local searches move the coordinate of parameter i by gradients: that of a real number, and that of a
// number in steps or by rank, which is snapped where they end. In many dimensions that finds far more than trying levels
// does, which comes after it. An int without a step is moved by its levels alone, and so is what decides whether others are
// active.
func (s *Search) free(i int) bool {
	p := s.Space.Parameter(i)
	n := p.Levels()
	return n == 0 || n > 2 && (p.Step != 0 || p.Kind == space.KindOrdered) && !s.Space.Parent(i)
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
	here := p.Rank(u)
	out := []int{0, n - 1}
	for step := 1; step < n; step *= 4 {
		out = append(out, max(here-step, 0), min(here+step, n-1))
	}
	return out
}
