package surrogate

import "slices"

// Without returns the posterior without some rows, ascending, and with the targets y of the others, up to round-off: with their columns rotated
// out of the rows behind them, or with the factor made anew from the first of them on, whichever takes less time. Cost O(n²) for each row at most, and no
// more than O(n³), with a pool of N points O(nN) and O(n²N). A row that does not exist and a wrong number of targets are bugs and panic.
func (p *Posterior) Without(rows []int, y []float64) *Posterior {
	if len(rows) == 0 {
		return p.Retarget(y)
	}
	if rows[0] < 0 || rows[len(rows)-1] >= len(p.x) {
		panic("surrogate: row that does not exist")
	}
	if p.fasterAnew(rows) {
		if q, ok := p.anew(rows); ok {
			if q = q.Retarget(y); q.Usable() {
				return q
			}
		}
	}
	q := p.rotated(rows)
	q.squarePool()
	return q.Retarget(y)
}

// rest is the posterior with the points that are not among some rows. Its factor, and all that follows from it, is still that of all.
func (p *Posterior) rest(rows []int) *Posterior {
	q := *p
	q.x, q.known, q.rowMeans, q.index = except(p.x, rows), except(p.known, rows), except(p.rowMeans, rows), except(p.index, rows)
	q.whole = min(p.whole, rows[0])
	return &q
}

// except returns what is of all rows but some, ascending; nil of nil.
func except[S ~[]T, T any](all S, rows []int) S {
	if all == nil {
		return nil
	}
	left := make(S, 0, len(all)-len(rows))
	from := 0
	for _, i := range rows {
		left = append(left, all[from:i]...)
		from = i + 1
	}
	return append(left, all[from:]...)
}

// rotated is the posterior without some rows, ascending, but for what depends on the targets and the variances of the pool. Each row behind the first of
// them is rotated once for each of them that is before it: the numbers are those of removing one after another, from the last one on.
func (p *Posterior) rotated(rows []int) *Posterior {
	q := p.rest(rows)
	first, n := rows[0], len(p.x)
	rotations := make([][]rotation, len(rows))
	carried := make([][]float64, len(rows)) // rows of V on their way
	q.factor = p.factor.prefix(first)
	if p.pool != nil {
		q.pooled = p.pooled.prefix(first)
	}
	buffer, before := make([]float64, 0, n), 0
	for k := first; k < n; k++ {
		if before < len(rows) && rows[before] == k {
			if p.pool != nil {
				carried[before] = slices.Clone(p.pooled.row(k))
			}
			rotations[before] = make([]rotation, 0, n-k-1)
			before++
			continue
		}
		row := append(buffer, p.factor.row(k)...)
		var v []float64
		if p.pool != nil {
			q.pooled, v = q.pooled.grow()
			copy(v, p.pooled.row(k))
		}
		for a := before - 1; a >= 0; a-- {
			last := len(row) - 1
			r := rotateRow(row[:last], row, rows[a], rotations[a])
			rotations[a], row = append(rotations[a], r), row[:last]
			if v != nil {
				r.apply(v, carried[a])
			}
		}
		var dst []float64
		q.factor, dst = q.factor.grow()
		copy(dst, row)
	}
	return q
}

// apply replaces v by c·v + s·w, and w by c·w − s·v.
func (r rotation) apply(v, w []float64) {
	w = w[:len(v)]
	for j, b := range v {
		v[j] = r.c*b + r.s*w[j]
		w[j] = r.c*w[j] - r.s*b
	}
}

// rectangle returns rows of zeros.
func rectangle(rows, columns int) [][]float64 {
	all, out := make([]float64, rows*columns), make([][]float64, rows)
	for i := range out {
		out[i] = all[i*columns : (i+1)*columns]
	}
	return out
}

// anew is rotated up to round-off, with the factor made anew from the panel on that has the first of the rows, and the variances of the pool. It is false where that is not positive
// definite in floating point.
func (p *Posterior) anew(rows []int) (*Posterior, bool) {
	q := p.rest(rows)
	panel := rows[0] / panelRows
	q.factor = p.factor.renewed(panel, len(q.x))
	if !q.factor.factorize(panel, q.prior, q.x, q.known, q.jitter) {
		return nil, false
	}
	if q.pool != nil {
		q.pooled = p.pooled.renewed(panel, len(q.x))
		for i := panel * panelRows; i < len(q.x); i++ {
			q.prior.Kernel.Row(q.pooled.row(i), q.x[i], q.pool.kept)
		}
		q.factor.forwardRows(panel, q.pooled)
		q.squarePool()
	}
	return q, true
}

// What a number takes that is rotated, of the factor and of V, as measured, in units of what one takes that is multiplied for a new factor: rotations
// carry a number along the row, and each waits for the one before.
const (
	rotationCost     = 8
	poolRotationCost = 4
)

// fasterAnew reports whether it takes less time to make the factor anew from the first of the rows on than to rotate them out.
func (p *Posterior) fasterAnew(rows []int) bool {
	pool := float64(p.pooled.width)
	rotations := 0.0
	for at, i := range rows {
		behind := float64(len(p.x) - i - (len(rows) - at))
		rotations += rotationCost*behind*behind/2 + poolRotationCost*behind*pool
	}
	kept, left := float64(rows[0]/panelRows*panelRows), float64(len(p.x)-len(rows))
	return (left*left*left-kept*kept*kept)/6+(left*left-kept*kept)/2*pool < rotations
}
