package space

import "slices"

// MaxGrid is the greatest number of combinations of discrete actions that a search tries one by one.
const MaxGrid = 4096

// Combinations returns the number of different actions of a space without a list, or 0 when an action is a real number or
// there are more than MaxGrid combinations. It is 1 where every action is fixed.
func (s Space) Combinations() int {
	if s.points != nil {
		return 0
	}
	return s.Distinct(MaxGrid)
}

// Distinct returns the number of different actions of a space: the different points of a list, or the combinations of
// discrete actions. It is 0 where an action is a real number, or where there are more combinations than most. Combinations
// that differ in inactive parameters only are counted once; conditions on contexts are taken to hold.
func (s Space) Distinct(most int) int {
	if s.points != nil {
		return len(s.index)
	}
	if s.when != nil {
		return s.when.tree.counted(most)
	}
	total := 1
	for _, i := range s.actions {
		levels := s.parameters[i].Levels()
		if levels == 0 || levels > most || total*levels > most {
			return 0
		}
		total *= levels
	}
	return total
}

// Continuous reports whether every action that varies is a real number, and the space no list.
func (s Space) Continuous() bool {
	return s.points == nil && !slices.ContainsFunc(s.actions, func(i int) bool { return s.parameters[i].Levels() != 0 && !s.parameters[i].Fixed() })
}

// Endless reports whether some action that varies is a real number, and the space no list: no number of queries tries all.
func (s Space) Endless() bool {
	return s.points == nil && slices.ContainsFunc(s.actions, func(i int) bool { return s.parameters[i].Levels() == 0 && !s.parameters[i].Fixed() })
}

// Isolated reports whether no real number that varies is active at a point of the unit cube: no other point is near by. It is so everywhere in a
// list, and where all actions are discrete. Cost O(d + c) for c conditions; it does not allocate.
func (s Space) Isolated(u Unit) bool {
	if s.points != nil {
		return true
	}
	active := s.Active(u)
	return !slices.ContainsFunc(s.actions, func(i int) bool {
		return s.parameters[i].Levels() == 0 && !s.parameters[i].Fixed() && active.Has(i)
	})
}

// Grid returns all Combinations as unit coordinates of the actions, the last action counting fastest.
func (s Space) Grid() []Unit {
	out := make([]Unit, s.Combinations())
	for k := range out {
		out[k] = s.Combination(k)
	}
	return out
}

// Combination returns the unit coordinates of the k-th of the Distinct combinations of discrete actions, from 0 on, the last
// action counting fastest; with conditions, the parents count slowest.
func (s Space) Combination(k int) Unit {
	if s.when != nil {
		return s.when.tree.combination(k)
	}
	out := make(Unit, len(s.actions))
	for j, i := range slices.Backward(s.actions) {
		p := s.parameters[i]
		out[j] = p.Level(k % p.Levels())
		k /= p.Levels()
	}
	return out
}
