package loop

import (
	"math"
	"slices"
)

// A failure may be the fault of its point, or of the machine that it ran on. Its row has a bad value, so that a region that
// crashes is left alone; but where the nearest of its settled neighbors have values, it is forgiven: its row is
// hallucinated like that of a pending query, which says nothing but that it was there. A point that failed twice is not
// forgiven, and neither is one that is infeasible.
const (
	neighbors   = 3   // that are asked
	forgivers   = 2   // of them that must have values
	acquainted  = 0.5 // least correlation of a neighbor
	coincidence = 1 - 1e-12
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
		if outvoted(nearest) {
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
			n, nearest[k] = nearest[k], n
		}
	}
}

// outvoted reports whether a failure with these neighbors is forgiven.
func outvoted(nearest [neighbors]neighbor) bool {
	votes := 0
	for _, n := range nearest {
		switch {
		case n.correlation < acquainted:
		case n.good:
			votes++
		case n.correlation >= coincidence:
			return false
		}
	}
	return votes >= forgivers
}
