package loop

import (
	"iter"
	"slices"

	"github.com/tarry-bo/tarry/space"
)

// sites finds the evaluations at a point. It follows from the evaluations.
type sites struct {
	latest  map[uint64]int // by the hash of a point: the number of the latest evaluation there; looked up only
	earlier []int          // by number less one: the evaluation before it with the same hash, 0 without
	firsts  []int          // by number less one: the first evaluation at the same point

	distinct int // points
}

// enter adds the evaluation with the next number, which is there already.
func (l *ledger) enter(x space.Unit) {
	p := &l.sites
	if p.latest == nil {
		p.latest = map[uint64]int{}
	}
	first := l.first(x)
	if first == 0 {
		p.distinct++
		first = len(p.earlier) + 1
	}
	p.firsts = append(p.firsts, first)
	hash := space.Hash(x)
	p.earlier = append(p.earlier, p.latest[hash])
	p.latest[hash] = len(p.earlier)
}

// first is the number of the first evaluation at exactly x; 0 without one. Cost O(d).
func (l *ledger) first(x space.Unit) int {
	for e := range l.at(x) {
		return l.sites.firsts[e.Number-1]
	}
	return 0
}

// last is the last evaluation at exactly x that is so; nil without one. Cost O(d) for each there that came after it.
func (l *ledger) last(x space.Unit, so func(e *Evaluation) bool) *Evaluation {
	for e := range l.at(x) {
		if so(e) {
			return e
		}
	}
	return nil
}

// at yields the evaluations at exactly x, the latest first. Cost O(d) for each.
func (l *ledger) at(x space.Unit) iter.Seq[*Evaluation] {
	return func(yield func(*Evaluation) bool) {
		for number := l.sites.latest[space.Hash(x)]; number > 0; number = l.sites.earlier[number-1] {
			if e := l.get(number); slices.Equal(e.X, x) && !yield(e) {
				return
			}
		}
	}
}
