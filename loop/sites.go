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

	distinct int // points
}

// enter adds the evaluation with the next number, which is there already.
func (l *ledger) enter(x space.Unit) {
	p := &l.sites
	if p.latest == nil {
		p.latest = map[uint64]int{}
	}
	p.distinct++
	for range l.at(x) {
		p.distinct--
		break
	}
	hash := space.Hash(x)
	p.earlier = append(p.earlier, p.latest[hash])
	p.latest[hash] = len(p.earlier)
}

// first is the number of the first evaluation at exactly x; 0 without one.
func (l *ledger) first(x space.Unit) (number int) {
	for e := range l.at(x) {
		number = e.Number
	}
	return number
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
