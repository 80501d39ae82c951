package loop

import (
	"math"
	"slices"
)

// A failure may be the fault of its point, or of the machine that it ran on. Its row has a bad value, so that a region
// that crashes is left alone; but where its nearest settled neighbors all have values, it is forgiven: its row is
// hallucinated like that of a pending query, which says nothing but that it was there. A second failure beside it takes
// that back, and one that is infeasible is never forgiven.
const (
	neighbors  = 3   // that are asked
	acquainted = 0.5 // least correlation of a neighbor
)

// forgiven returns the rows of failures that are forgiven, ascending.
func (p posteriorPlan) forgiven(rows []int) []int {
	if len(p.failed) == len(p.hopeless) {
		return nil
	}
	x := p.points(rows)
	const pending, good, bad = 0, 1, 2
	state := make([]int, len(rows))
	for i := range state {
		state[i] = good
	}
	for _, i := range p.unanswered {
		state[i] = pending
	}
	for _, i := range p.failed {
		state[i] = bad
	}
	var out []int
	row, scale := make([]float64, len(rows)), make([]float64, len(rows))
	for i := range x {
		scale[i] = math.Sqrt(p.prior.Kernel.Diag(x[i]))
	}
	for _, i := range p.failed {
		if _, never := slices.BinarySearch(p.hopeless, i); never {
			continue
		}
		p.prior.Kernel.Row(row, x[i], x)
		var nearest [neighbors]neighbor
		for j, k := range row {
			if j != i && state[j] != pending {
				meet(&nearest, neighbor{k / (scale[i] * scale[j]), state[j] == good})
			}
		}
		if allGood(nearest) {
			out = append(out, i)
		}
	}
	return out
}

// neighbor is a settled row near a failure.
type neighbor struct {
	correlation float64
	good        bool
}

// meet keeps the nearest, in order; of equals the earlier rows.
func meet(nearest *[neighbors]neighbor, n neighbor) {
	for k := range nearest {
		if n.correlation > nearest[k].correlation {
			copy(nearest[k+1:], nearest[k:])
			nearest[k] = n
			return
		}
	}
}

// allGood reports whether a failure with these neighbors is forgiven.
func allGood(nearest [neighbors]neighbor) bool {
	for _, n := range nearest {
		if !n.good || n.correlation < acquainted {
			return false
		}
	}
	return true
}
