package surrogate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// LeftOut is what tells the variance of a posterior without some of its rows, such as those that pend, beside its own, and where these are hallucinated
// all else of the posterior without them, at a cost of O(n) for each of the rows in place of O(n²): without the rows P it is greater by |R⁻¹ w|², where w are the entries P of (K + λI)⁻¹ k(x) and R Rᵀ is the
// block ((K + λI)⁻¹)_PP. It is an immutable value, and any number of goroutines may use one.
type LeftOut struct {
	posterior *Posterior
	rows      []int
	columns   [][]float64 // of L⁻¹ at the rows, of which column i is zero before i
	gram      matrix      // R
}

// LeaveOut returns what tells the variance without some rows, ascending. It is false where they are more than 256, or so close to others that
// the block of the inverse is singular in floating point: then Without is the way, whose cost is far greater. Cost O((n - i)²) for row i. A row that does not exist is a bug and panics.
func (p *Posterior) LeaveOut(rows []int) (*LeftOut, bool) {
	if len(rows) > manyPending {
		return nil, false
	}
	if len(rows) > 0 && (rows[0] < 0 || rows[len(rows)-1] >= len(p.x)) {
		panic("surrogate: row that does not exist")
	}
	columns, gram, ok := p.inverseBlock(rows)
	if !ok {
		return nil, false
	}
	return &LeftOut{posterior: p, rows: slices.Clone(rows), columns: columns, gram: gram}, true
}

// Posterior returns the posterior with all of its rows.
func (l *LeftOut) Posterior() *Posterior { return l.posterior }

// Predict returns mean and variance at x like Posterior.Predict, the variance without the rows, up to round-off. Where the rows are hallucinated the mean is that without
// them too. Many predictions are cheaper with Predictor.PredictLeftOut. Cost O(nd + n²), and O(n) for each of the rows.
func (l *LeftOut) Predict(x space.Unit) (mean, variance float64) {
	p := l.posterior
	row := p.row(x)
	mean = p.prior.meanAt(x) + floats.Dot(row, p.alpha)
	p.factor.forward(0, 0, row)
	left := p.prior.Kernel.Diag(x) - floats.Dot(row, row)
	return mean, max(left+l.rise(row, make([]float64, len(l.rows))), 0)
}

// VarianceAt returns the latent variance at observed point i without the rows, of which it is none. Like Posterior.VarianceAt it reads it from the inverse where that has
// the digits: an entry of the inverse without the rows is what is left of it once they are known. Cost O((n - i)²), and O(n) for each of the rows.
func (l *LeftOut) VarianceAt(i int) float64 {
	p := l.posterior
	if p.directAt(i) {
		_, variance := l.Predict(p.x[i])
		return variance
	}
	column := make([]float64, len(p.x))
	column[i] = 1
	p.factor.forward(i, i, column)
	noise := p.noiseAt(i)
	return max(noise-noise*noise*(floats.Dot(column[i:], column[i:])-l.rise(column, make([]float64, len(l.rows)))), 0)
}

// PoolVariance returns the latent variances at the points of the pool without the rows, up to round-off; nil without a pool. Cost O(nN) for each of the rows.
func (l *LeftOut) PoolVariance() []float64 {
	p := l.posterior
	if p.pool == nil {
		return nil
	}
	variance, solved := slices.Clone(p.poolVariance), rectangle(len(l.rows), p.pool.Len())
	for k := range p.pooled.panels { // a panel serves all rows while it is at hand
		low, high := p.pooled.span(k)
		part := p.pooled.prefix(high)
		for a, i := range l.rows {
			if i < high {
				part.addRows(solved[a], max(low, i), l.columns[a])
			}
		}
	}
	for a, w := range solved {
		row := l.gram.row(a)
		for b, before := range solved[:a] {
			floats.AddScaled(w, -row[b], before)
		}
		floats.Scale(1/row[a], w)
		for j, v := range w {
			variance[j] += v * v
		}
	}
	return variance
}

// LogEvidence returns the log evidence of the targets of the other rows, up to round-off, where the rows are hallucinated: the density of their targets
// given the others is then that of a normal vector at its mean, whose covariance is (R Rᵀ)⁻¹. Cost O(n).
func (l *LeftOut) LogEvidence() float64 {
	sum := l.posterior.LogEvidence() + 0.5*float64(len(l.rows))*logTwoPi
	for a := range l.rows {
		sum -= math.Log(l.gram.diag(a))
	}
	return sum
}

// rise returns by how much the variance at a point is greater without the rows, whose L⁻¹ k(x) is given, and fills solved with R⁻¹ w.
func (l *LeftOut) rise(row, solved []float64) float64 {
	for a, i := range l.rows {
		solved[a] = floats.Dot(l.columns[a][i:], row[i:])
	}
	l.gram.forward(0, 0, solved)
	return floats.Dot(solved, solved)
}

// part fills dst with what the rows have of L⁻¹ k(x), whose R⁻¹ w is given and lost: C (R Rᵀ)⁻¹ w.
func (l *LeftOut) part(dst, solved []float64) {
	l.gram.backward(solved)
	clear(dst)
	for a, i := range l.rows {
		floats.AddScaled(dst[i:], solved[a], l.columns[a][i:])
	}
}

// besides is memory of a predictor for rows that are left out.
type besides struct {
	solved []float64   // R⁻¹ w
	parts  [][]float64 // what the rows have of (K + λI)⁻¹ k(x)
}

// besidesOf returns it for so many points.
func (q *Predictor) besidesOf(l *LeftOut, points int) *besides {
	if l.posterior != q.posterior {
		panic("surrogate: rows of another posterior")
	}
	if cap(q.besides.solved) < len(l.rows) {
		q.besides.solved = make([]float64, len(l.rows))
	}
	q.besides.solved = q.besides.solved[:len(l.rows)]
	for len(q.besides.parts) < points {
		q.besides.parts = append(q.besides.parts, make([]float64, q.posterior.Len()))
	}
	return &q.besides
}

// PredictLeftOut fills mean and variance like Predict, and without, as long, with the variances that the posterior has without some rows, up to
// round-off. Cost O(n² + nd) for each point and O(n) for each of the rows; nothing is allocated after the first call. Rows that were left out of
// another posterior are a bug and panic.
func (q *Predictor) PredictLeftOut(l *LeftOut, xs []space.Unit, mean, variance, without []float64) {
	solved := q.besidesOf(l, 0).solved
	k, xs, rows := q.forward(xs, mean)
	for s, x := range xs {
		left := k.Diag(x) - floats.Dot(rows[s], rows[s])
		variance[s], without[s] = max(left, 0), max(left+l.rise(rows[s], solved), 0)
	}
}

// PredictGradLeftOut fills all that PredictGrad does, and like PredictLeftOut the variances without some rows, and their derivatives (length d each).
// Cost about three times that of PredictLeftOut.
func (q *Predictor) PredictGradLeftOut(l *LeftOut, xs []space.Unit, mean, variance, without []float64, dmean, dvar, dwithout [][]float64) {
	of := q.besidesOf(l, len(xs))
	k, xs, rows := q.forwardSlopes(xs, mean)
	parts := of.parts[:len(xs)]
	for s, x := range xs {
		variance[s] = k.Diag(x) - floats.Dot(rows[s], rows[s])
		without[s] = variance[s] + l.rise(rows[s], of.solved)
		l.part(parts[s], of.solved)
	}
	q.posterior.factor.backward(rows...)
	q.posterior.factor.backward(parts...)
	for s, x := range xs {
		variance[s] = q.slopesAt(s, x, variance[s], dmean[s], dvar[s])
		mean[s] = q.posterior.prior.addMeanGrad(dmean[s], x) + mean[s]
		floats.Sub(rows[s], parts[s]) // the weights without the rows, which are zero there
		without[s] = q.slopesAt(s, x, without[s], q.waste, dwithout[s])
	}
}
