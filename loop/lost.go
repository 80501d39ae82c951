package loop

import (
	"iter"
	"math"
	"slices"
)

// The point of a query whose lease ended is asked again, as another evaluation, which may be lost in its turn. What it waits for is an outcome
// of the point, whichever evaluation it comes from: a later one of them, an earlier one that is answered late, or somebody who
// measured the point elsewhere. So a lost point is not asked again once such an outcome has come after it was asked last: neither
// where it waits for its turn, nor where it is lost with that known. Where a second value would tell nothing any outcome at the
// point is one, unless the user named the point: he may want it twice. What the user enqueued and was not asked yet is none of this.

// askAgain lets the point of an evaluation that was lost be the next query, after those that were lost before it, unless its outcome has come.
func (l *Loop) askAgain(e *Evaluation) {
	if l.settledSince(e) {
		return
	}
	p := &l.plan
	first := slices.IndexFunc(p.queue, func(r queued) bool { return r.lost == 0 })
	if first < 0 {
		first = len(p.queue)
	}
	p.queue = slices.Insert(p.queue, first, queued{e.X, e.Given, e.Number})
}

// found forgets which lost points an outcome of an evaluation, which it has now, leaves nothing to be asked for.
func (l *Loop) found(e *Evaluation) {
	l.plan.queue = slices.DeleteFunc(l.plan.queue, func(r queued) bool {
		return r.lost == e.Number || r.lost > 0 && l.together(e, l.ledger.get(r.lost)) && l.settledSince(l.ledger.get(r.lost))
	})
}

// settledSince reports whether an outcome has come, since an evaluation that was lost was chosen, that its repeat would wait for. Cost
// O(d) for each query at its point or after it.
func (l *Loop) settledSince(lost *Evaluation) bool {
	second := false // whether there is an outcome of another query
	for e := range l.besides(lost) {
		switch {
		case e.Status == Infeasible && e.Seen == 0: // that is so forever
			if e.Ended >= lost.At {
				return true
			}
		case e.Seen <= lost.Round: // it has none, or was known when the lost one was chosen
		case e.Foreign || e.origin() == lost.origin():
			return true
		default:
			second = true
		}
	}
	return second && !lost.Requested(l.config.Space) && l.quiet()
}

// origin is the number of the query that was the first to ask what an evaluation asks.
func (e *Evaluation) origin() int {
	if e.AgainOf > 0 {
		return e.AgainOf
	}
	return e.Number
}

// besides yields the other evaluations at the point of one: those at exactly its coordinates, and of those after it also whoever was given
// the point as the user has it, which may be other coordinates in the last digit.
func (l *Loop) besides(e *Evaluation) iter.Seq[*Evaluation] {
	return func(yield func(*Evaluation) bool) {
		for other := range l.ledger.at(e.X) {
			if other != e && !yield(other) {
				return
			}
		}
		for i := range l.ledger.evaluations[e.Number:] {
			other := &l.ledger.evaluations[e.Number+i]
			if !slices.Equal(other.X, e.X) && l.together(other, e) && !yield(other) {
				return
			}
		}
	}
}

// lastDigits is more than the coordinates of a point differ by after they were units of the user.
const lastDigits = 1e-9

// together reports whether two evaluations are at the same point for the user.
func (l *Loop) together(a, b *Evaluation) bool {
	for i, u := range a.X {
		if math.Abs(u-b.X[i]) > lastDigits {
			return false
		}
	}
	return slices.Equal(a.X, b.X) || slices.Equal(a.Point(l.config.Space), b.Point(l.config.Space))
}
