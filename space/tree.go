package space

import (
	"cmp"
	"slices"
	"sort"
)

// tree counts the combinations of the discrete actions of a space with conditions: for each combination of the levels of the
// parents, those of the other actions that are active there. Conditions on contexts are taken to hold.
type tree struct {
	parameters []Parameter
	actions    []int
	parents    []int    // actions, each after those on which it depends
	others     []int    // actions
	needs      [][]need // by parameter, its own on actions only
	total      int      // 0 where an action is a real number, or where there are too many
	blocks     []block
	look       int // parents, others and what they need: the work of a block
}

// block are the combinations with the same levels of the parents.
type block struct {
	end    int   // combinations up to here
	levels []int // of the parents; -1 of one that is inactive, for which no condition holds
}

const (
	treeWork = 1 << 22 // levels of parents and looks at parameters and at what they need, beyond which combinations are not counted
	treeMost = 1 << 29 // combinations beyond which they are not counted
)

// newTree counts the combinations of a space with conditions. Cost at most that of 2^22 looks at a parameter.
func newTree(s Space) *tree {
	t := &tree{parameters: s.parameters, actions: s.actions, needs: make([][]need, len(s.parameters))}
	for _, i := range s.actions {
		if t.parameters[i].Levels() == 0 {
			return t
		}
		for _, n := range s.when.needs[i] {
			if s.parameters[n.at].Role.Chosen() {
				t.needs[i] = append(t.needs[i], n)
			}
		}
		t.look += 1 + len(t.needs[i])
		if s.when.parents[i] {
			t.parents = append(t.parents, i)
		} else {
			t.others = append(t.others, i)
		}
	}
	above := s.above()
	// Whatever a parameter depends on depends on fewer than it does itself.
	slices.SortStableFunc(t.parents, func(i, j int) int { return cmp.Compare(above[i], above[j]) })
	levels := make([]int, len(s.parameters))
	if work := treeWork; !t.grow(0, levels, &work) {
		t.total, t.blocks = 0, nil
	}
	return t
}

// above returns, by parameter, on how many actions its being active depends.
func (s Space) above() []int {
	out, sets := make([]int, len(s.parameters)), make([]Set, len(s.parameters))
	for _, i := range s.when.order {
		for _, n := range s.when.needs[i] {
			if s.parameters[n.at].Role.Chosen() {
				sets[i].add(n.at)
				sets[i].unite(&sets[n.at])
			}
		}
		out[i] = sets[i].count()
	}
	return out
}

// grow adds the blocks in which the first k parents have the given levels, and reports whether they could be counted.
func (t *tree) grow(k int, levels []int, work *int) bool {
	if k == len(t.parents) {
		return t.leaf(levels, work)
	}
	i := t.parents[k]
	if !t.active(i, levels) {
		levels[i] = -1
		return t.grow(k+1, levels, work)
	}
	for level := range t.parameters[i].Levels() {
		if levels[i] = level; !t.grow(k+1, levels, work) {
			return false
		}
	}
	return true
}

// leaf adds the block of the given levels of the parents.
func (t *tree) leaf(levels []int, work *int) bool {
	count := 1
	for _, i := range t.others {
		if t.active(i, levels) {
			n := t.parameters[i].Levels()
			if count > treeMost/n {
				return false
			}
			count *= n
		}
	}
	*work -= t.look
	if t.total += count; t.total > treeMost || *work < 0 {
		return false
	}
	b := block{end: t.total, levels: make([]int, len(t.parents))}
	for j, i := range t.parents {
		b.levels[j] = levels[i]
	}
	t.blocks = append(t.blocks, b)
	return true
}

// active reports whether a parameter is active at the given levels of the parents, by parameter.
func (t *tree) active(i int, levels []int) bool {
	return !slices.ContainsFunc(t.needs[i], func(n need) bool { return !n.holds(levels[n.at]) })
}

// counted is the number of combinations, 0 where there are more than most.
func (t *tree) counted(most int) int {
	if t.total > most {
		return 0
	}
	return t.total
}

// combination returns the unit coordinates of the actions in combination k.
func (t *tree) combination(k int) Unit {
	at := sort.Search(len(t.blocks), func(b int) bool { return t.blocks[b].end > k })
	if at > 0 {
		k -= t.blocks[at-1].end
	}
	u, levels := make([]float64, len(t.parameters)), make([]int, len(t.parameters))
	for j, i := range t.parents {
		u[i], levels[i] = idle, t.blocks[at].levels[j]
		if levels[i] >= 0 {
			u[i] = t.parameters[i].Level(levels[i])
		}
	}
	for _, i := range slices.Backward(t.others) {
		if u[i] = idle; t.active(i, levels) {
			p := t.parameters[i]
			u[i] = p.Level(k % p.Levels())
			k /= p.Levels()
		}
	}
	out := make(Unit, len(t.actions))
	for j, i := range t.actions {
		out[j] = u[i]
	}
	return out
}
