package space

import "slices"

// MaxGrid is how many combinations of discrete actions count as few: they are searched one by one.
const MaxGrid = 4096

// Combinations returns how many different actions a space without a list has, 0 when an action is a real number or there
// are more than MaxGrid. Where every action is fixed there is one.
func (s Space) Combinations() int {
	if s.points != nil {
		return 0
	}
	return s.Distinct(MaxGrid)
}

// Distinct returns how many different actions a space has: the points of a list, each counted once, or the combinations of
// discrete actions; 0 where an action is a real number, or where there are more combinations than most. What is inactive does not
// make two of one; of what depends on contexts all that may be active is counted.
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

// Grid returns all Combinations as unit coordinates of the actions, the last action counting fastest.
func (s Space) Grid() [][]float64 {
	out := make([][]float64, s.Combinations())
	for k := range out {
		out[k] = s.Combination(k)
	}
	return out
}

// Combination returns the unit coordinates of the k-th of the Distinct combinations of discrete actions, from 0 on, the last
// action counting fastest; with conditions, the parents count slowest.
func (s Space) Combination(k int) []float64 {
	if s.when != nil {
		return s.when.tree.combination(k)
	}
	out := make([]float64, len(s.actions))
	for j, i := range slices.Backward(s.actions) {
		p := s.parameters[i]
		out[j] = p.Level(k % p.Levels())
		k /= p.Levels()
	}
	return out
}
