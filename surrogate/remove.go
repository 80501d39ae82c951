package surrogate

import (
	"math"
	"slices"
)

// Remove returns the posterior without row i, by rotating its column out of the rows behind it: a rank-one update of
// their triangle, which loses no digits (Golub & Van Loan 2013, section 6.5.4). The receiver stays as it is. Cost
// O(n² + nN). A row that does not exist is a bug and panics.
func (p *Posterior) Remove(i int) *Posterior {
	q := p.removed(i)
	q.squarePool()
	q.solve(slices.Delete(slices.Clone(p.y), i, i+1))
	return q
}

// removed is Remove but for all that depends on the targets, and for the variances of the pool, which squarePool must fill.
func (p *Posterior) removed(i int) *Posterior {
	if i < 0 || i >= len(p.x) {
		panic("surrogate: row that does not exist")
	}
	return p.rotated([]int{i})
}

// squarePool computes the variances of the pool from V. Cost O(nN).
func (p *Posterior) squarePool() {
	if p.pool == nil {
		return
	}
	p.poolVariance = slices.Clone(p.pool.diag)
	for i := range p.x {
		takeSquares(p.poolVariance, p.pooled.row(i))
	}
}

// rotation of two columns, by its cosine and sine.
type rotation struct{ c, s float64 }

// rotateRow fills dst with a row of the factor without column i, whose weight the rotations of the columns behind it
// carry on, and returns that of the row's own column.
func rotateRow(dst, row []float64, i int, behind []rotation) rotation {
	copy(dst, row[:i])
	carried, last := row[i], len(row)-1
	kept, out := row[i+1:last], dst[i:last]
	for j, r := range behind[:len(kept)] {
		out[j] = r.c*kept[j] + r.s*carried
		carried = r.c*carried - r.s*kept[j]
	}
	pivot := math.Hypot(row[last], carried)
	dst[last-1] = pivot
	return rotation{row[last] / pivot, carried / pivot}
}
