package model

import "slices"

// A failure may be the fault of its point, or of the machine that it ran on and of answers that get lost. Where the point is
// at fault the neighbors fail mostly, where it is not they fail as often as any query: a mixture of the two, whose share is
// fitted to all failures at once, says which is likelier. So failures that are scattered are forgiven, also those that have
// no near neighbors, and failures that crowd are blamed. One that is infeasible is never forgiven.
//
// A row whose failure is blamed on its point has a bad value, so that a region that crashes is left alone. One that is
// forgiven is hallucinated like that of a pending query, which says nothing but that it was there, so that the next queries
// are not beside it: it may be blamed yet. When rows are chosen anew all but the latest of them lose their rows; of the latest
// without one those that are blamed then get theirs back. That happens with new hyperparameters, and when failures have become many: a hallucinated
// row costs as much as any other, and more.
const (
	innocence    = 0.499 // greatest probability of being at fault that is forgiven: without evidence, ½, a point is blamed
	keptForgiven = 8     // failures that are forgiven and keep their rows, the latest
	maxSpared    = 500   // failures without a row that are looked at, the latest
	manyFailures = 64    // more of them, besides an eighth of the rows, since rows were chosen: they are chosen anew
)

// failing reports whether so many rows have failed since the rows were chosen that it is time to choose anew.
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

// innocent returns what says of a query whether it failed and is to have no row: it is forgiven and not one of the latest, or
// had none already and is not blamed now. Cost O(n·d) for each failure.
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

// forgiven returns the rows of failures that are forgiven, ascending. Cost O(n·d) for each failure.
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

// judged returns the numbers of the failures that are forgiven and of those that are not, ascending, among the rows and those
// that were spared.
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
