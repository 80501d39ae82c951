package model

import "slices"

// An evaluation may fail because of its point, or because of its machine or a lost answer. If the point is the cause, most
// evaluations near it fail too; if not, the evaluations near it fail as often as all others. A mixture of these two hypotheses
// is fitted to all failures at once and gives the probability that the point is the cause. A failure is blamed on its point
// where that probability is high, as it is where failures lie close together, and forgiven where it is low, as it is where
// failures are scattered or have no near neighbors. An infeasible point is never forgiven.
//
// The model gives a blamed failure a bad value, so that the policy avoids a region that crashes. It gives a forgiven failure
// its posterior mean, as it does a pending query: the row carries no value, but its small variance keeps the next queries away
// from the point, which later failures may still blame. A hallucinated row costs more than any other, so forgiven failures lose
// their rows, except the latest ones, when rows are chosen anew: with new hyperparameters, and after many failures. Of the
// latest failures without a row, those that are blamed by then get their rows back.
const (
	innocence    = 0.499 // a failure is forgiven up to this probability that its point is the cause; without evidence it is ½
	keptForgiven = 8     // latest forgiven failures that keep their rows
	maxSpared    = 500   // latest failures without a row that are judged again
	manyFailures = 64    // rows are chosen anew after so many failures, and an eighth as many as there are rows
)

// failing reports whether so many evaluations have failed since the rows were chosen that they are chosen anew.
func (m sight) failing() bool {
	return len(m.failed)-len(m.hopeless) > m.suspects+manyFailures+len(m.rows.now)/8
}

// suspect reports whether a query failed and may be forgiven.
func (m sight) suspect(number int) bool {
	failed, hopeless := m.buffer.Failed(number)
	return failed && !hopeless
}

// withoutRow returns the latest suspects that have no row.
func (m sight) withoutRow() []int {
	var out []int
	for number := len(m.points); number > 0 && len(out) < maxSpared; number-- {
		if m.suspect(number) && !m.rows.has(number) {
			out = append(out, number)
		}
	}
	slices.Reverse(out)
	return out
}

// innocent returns a predicate: whether a query failed and gets no row, because it is forgiven and not one of the latest
// forgiven ones, or because it has no row and is not blamed now. Cost O(n·d) for each failure.
func (m sight) innocent() func(number int) bool {
	if len(m.failed) == len(m.hopeless) && len(m.spared) == 0 {
		return func(int) bool { return false }
	}
	forgiven, blamed := m.plan().judged(m.rows.now)
	forgiven = forgiven[:max(len(forgiven)-keptForgiven, 0)]
	return func(number int) bool {
		if !m.suspect(number) {
			return false
		}
		if _, yes := slices.BinarySearch(forgiven, number); yes {
			return true
		}
		_, no := slices.BinarySearch(blamed, number)
		return !no && !m.rows.has(number)
	}
}

// forgiven returns the rows of the forgiven failures, ascending. Cost O(n·d) for each failure.
func (p plan) forgiven(rows []int) []int {
	if len(p.failed) == len(p.hopeless) {
		return nil
	}
	numbers, _ := p.judged(rows)
	var out []int
	for _, i := range p.failed {
		if _, yes := slices.BinarySearch(numbers, rows[i]); yes {
			out = append(out, i)
		}
	}
	return out
}

// judged returns the numbers of the forgiven and of the blamed failures, both ascending, among those with a row and the spared
// ones without.
func (p plan) judged(rows []int) (forgiven, blamed []int) {
	near := newNeighborhood(p, slices.Concat(rows, p.spared))
	var mine []int
	var evidence []float64
	for i, s := range near.state {
		if s == suspicious {
			mine, evidence = append(mine, near.numbers[i]), append(evidence, near.evidence(i))
		}
	}
	for k, at := range atFault(evidence) {
		if at <= innocence {
			forgiven = append(forgiven, mine[k])
		} else {
			blamed = append(blamed, mine[k])
		}
	}
	slices.Sort(forgiven)
	slices.Sort(blamed)
	return forgiven, blamed
}
