package policies

import (
	"slices"

	"github.com/tarry-bo/tarry/space"
)

// autoFar is in how many dimensions points are far apart at most where a few dozen of them tell noise from a function that is rough.
const autoFar = 6

// again returns the point of the best value where it should be queried once more, to see whether values have noise; otherwise nil. In more
// dimensions points are too far apart to tell: a model explains noise by a function that is rough, and takes what was luck for the best. Two values at one point tell
// for certain. That is so once, after the queries that keep apart, where noise is not seen yet; where a parameter is not continuous, which another choice is worth more to, with contexts
// or a fidelity never. Cost O(n·d).
func (v View) again(avoid []space.Unit) space.Unit {
	_, multifidelity := v.Space.Fidelity()
	switch {
	case !v.Space.Continuous() || multifidelity || len(v.Context) > 0 || v.Space.Varying() <= autoFar:
		return nil
	case !v.Quiet || v.Round <= autoYoung || v.noise() >= autoNoisy:
		return nil
	}
	at := make(map[uint64]bool, len(v.Queries))
	for _, q := range v.Queries {
		hash := space.Hash(q.X)
		if at[hash] {
			return nil // was queried again
		}
		at[hash] = true
	}
	if best := v.bestAnswer(); best != nil && !v.mayFail(best.Query.X) && !slices.ContainsFunc(avoid, func(x space.Unit) bool { return slices.Equal(x, best.Query.X) }) {
		return best.Query.X
	}
	return nil
}

// bestAnswer is the one with the greatest value, of those that may be the best; nil without any. Cost O(n).
func (v View) bestAnswer() (best *Answer) {
	for i := range v.History {
		if a := &v.History[i]; a.counts() && (best == nil || a.Value > best.Value) {
			best = a
		}
	}
	return best
}
