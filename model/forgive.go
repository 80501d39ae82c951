package model

import (
	"math"
	"math/bits"
	"slices"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

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
//
// A bad value is no measurement, and is not to be taken for one: where values have next to no noise, and lengthscales are fitted to
// them, no function that the model believes in goes through a bad value amid good ones, and those would be missed for it, by thousands
// of their deviations. So its row has noise of its own, which is less the more queries failed: one is an accident, many are a region
// that is to be kept out of. docs/policies.md has what that is worth.
//
// Where failures have no value (Config.Blank) all are hallucinated, and whoever looks at the model is told which are blamed. Then
// only the latest failures keep their rows, whatever they are.
const (
	innocence    = 0.499 // a failure is forgiven up to this probability that its point is the cause; without evidence it is ½
	keptForgiven = 8     // latest forgiven failures that keep their rows
	keptBlank    = 64    // latest failures that do where none has a value
	maxSpared    = 500   // latest failures without a row that are judged again
	badNoise     = 0.03  // variance of the noise of the first bad value, of that of the values; where hyperparameters are known, of that of the prior
	manyFailures = 64    // rows are chosen anew after so many failures, and an eighth as many as there are rows
)

// failing reports whether so many evaluations have failed since the rows were chosen that they are chosen anew.
func (m sight) failing() bool {
	return m.losable() > m.suspects+manyFailures+len(m.rows.now)/8
}

// losable is how many failed rows may go when rows are chosen anew.
func (m sight) losable() int {
	if m.config.Blank {
		return len(m.failed)
	}
	return len(m.failed) - len(m.hopeless)
}

// suspect reports whether a query failed and may lose its row: one that may be forgiven, or any where none has a value.
func (m sight) suspect(number int) bool {
	failed, hopeless := m.failure(number)
	return failed && (m.config.Blank || !hopeless)
}

// tolerate works out the noise of bad values: the first over the square of how many failed, which is rounded down to a power of two. Where
// that is another one than before all of them may have other rows. Cost O(n).
func (m sight) tolerate() {
	if m.config.Blank {
		return
	}
	failures := 0
	for number := range m.points {
		failed, _ := m.failure(number + 1)
		failures += bit(failed)
	}
	before := m.tolerance
	if m.tolerance = 0; failures > 0 {
		m.tolerance = math.Ldexp(badNoise, 2-2*bits.Len(uint(failures)))
	}
	if m.tolerance == before {
		return
	}
	for _, row := range m.failed {
		m.changed = append(m.changed, m.rows.now[row])
	}
}

// tolerated returns the noise of the row of a query that failed and has a bad value; 0 for any other.
func (m sight) tolerated(number int) float64 {
	if failed, _ := m.failure(number); !failed || m.tolerance == 0 {
		return 0
	}
	if !m.spec.Known {
		return m.tolerance
	}
	kernel := m.prior().Kernel
	return m.tolerance * kernel.Diag(surrogate.Keep(kernel, []space.Unit{m.point(number)})[0])
}

// doomed returns those of the spared that are infeasible beyond doubt.
func (m sight) doomed() (out []int) {
	for _, number := range m.spared {
		if _, hopeless := m.failure(number); hopeless {
			out = append(out, number)
		}
	}
	return out
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
	if m.config.Blank {
		return m.failedLongAgo()
	}
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

// failedLongAgo returns a predicate: whether a query failed and is none of the latest that did.
func (m sight) failedLongAgo() func(number int) bool {
	first, left := len(m.points), keptBlank
	for ; first > 0 && left > 0; first-- {
		left -= bit(m.suspect(first))
	}
	return func(number int) bool { return number <= first && m.suspect(number) }
}

// blamed returns the numbers of the failures for which their points are to blame, with a row or spared, ascending; nil where failures
// have a bad value, or none is. Cost O(n·d) for each failure that may be forgiven.
func (p plan) blamed(rows []int) []int {
	if !p.blank || len(p.failed)+len(p.spared) == 0 {
		return nil
	}
	_, out := p.judged(rows)
	out = append(out, p.doomed...)
	for _, i := range p.hopeless {
		out = append(out, rows[i])
	}
	slices.Sort(out)
	return out
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
