package surrogate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Append returns the posterior after one more observation (x, y), by bordering the factor. The receiver stays as it
// is, and several branches may grow from it. x is copied. In exact arithmetic the new pivot is the variance at x plus
// the noise λ; where round-off takes it below max(λ(1 - 1e-8), 1e-12 (k(x, x) + λ)) it is lifted to that and counted
// in Clamped. Numbers that are not finite and a point of the wrong dimension are bugs and panic. Cost O(n² + nN).
func (p *Posterior) Append(x []float64, y float64) *Posterior {
	checkPoint(p.Dim(), x)
	if !isFinite(y) {
		panic("surrogate: target that is not finite")
	}
	n := len(p.x)
	q := *p
	q.x = append(slices.Clip(p.x), slices.Clone(x))
	row := make([]float64, n+1)
	total := covarianceRow(p.prior, row, q.x, n, p.jitter)
	noise := p.prior.Noise + p.jitter
	pivot := border(p.rows, row)
	if least := max(noise*(1-1e-8), leastPivot*total, leastScale); !(pivot >= least) {
		pivot = least
		q.clamped++
	}
	row[n] = math.Sqrt(pivot)
	q.rows = append(slices.Clip(p.rows), row)
	q.y = append(slices.Clip(p.y), y)
	q.z = append(slices.Clip(p.z), (y-p.prior.Mean-floats.Dot(row[:n], p.z))/row[n])
	q.alpha = slices.Clone(q.z)
	backward(q.rows, q.alpha)
	if p.pool != nil {
		q.enterPool(q.x[n], row)
		q.poolMean = slices.Clone(p.poolMean)
		floats.AddScaled(q.poolMean, q.z[n], q.pooled[n])
	}
	return &q
}

// Prefix returns the posterior given the first n observations alone. It is, to the bit, the one from which the others
// were appended, but for the weights, which are solved anew. Rows are shared. More observations than there are is a bug
// and panics. Cost O(n² + nN).
func (p *Posterior) Prefix(n int) *Posterior {
	if n < 0 || n > len(p.x) {
		panic("surrogate: prefix longer than the data")
	}
	q := *p
	q.x, q.rows = p.x[:n:n], p.rows[:n:n]
	if p.pool != nil {
		q.pooled, q.index = p.pooled[:n:n], p.index[:n:n]
		q.poolVariance = slices.Clone(p.pool.diag)
		for _, v := range q.pooled {
			for j, c := range v {
				q.poolVariance[j] = max(q.poolVariance[j]-c*c, 0)
			}
		}
	}
	q.solve(slices.Clone(p.y[:n]))
	return &q
}

// enterPool appends to V the row of the next point, whose row of the factor is given, and takes its square off the
// pool's variances. Only headers that the receiver owns are written.
func (p *Posterior) enterPool(x, row []float64) {
	n := len(p.pooled)
	v := make([]float64, p.pool.Len())
	p.prior.Kernel.Row(v, x, p.pool.points)
	for i, earlier := range p.pooled {
		floats.AddScaled(v, -row[i], earlier)
	}
	variance := make([]float64, len(v))
	scale := 1 / row[n]
	for j, c := range v {
		c *= scale
		v[j] = c
		variance[j] = max(p.poolVariance[j]-c*c, 0)
	}
	p.pooled = append(slices.Clip(p.pooled), v)
	p.index = append(slices.Clip(p.index), p.pool.Index(x))
	p.poolVariance = variance
}

// Retarget returns the posterior with other targets (length n, copied) at the same points. Factor and variances are
// shared; the weights are always solved anew from the targets and never updated, so that they do not depend on the
// order in which targets changed. Targets that are not finite and a wrong length are bugs and panic. Cost O(n² + nN).
func (p *Posterior) Retarget(y []float64) *Posterior {
	if len(y) != len(p.x) {
		panic("surrogate: wrong number of targets")
	}
	for _, v := range y {
		if !isFinite(v) {
			panic("surrogate: target that is not finite")
		}
	}
	q := *p
	q.solve(slices.Clone(y))
	return &q
}

// solve adopts the targets y and recomputes all that depends on them.
func (p *Posterior) solve(y []float64) {
	p.y = y
	p.z = make([]float64, len(y))
	for i, v := range y {
		p.z[i] = v - p.prior.Mean
	}
	forward(p.rows, p.z, 0)
	p.alpha = slices.Clone(p.z)
	backward(p.rows, p.alpha)
	if p.pool != nil {
		p.poolMean = filled(p.pool.Len(), p.prior.Mean)
		for i, v := range p.pooled {
			floats.AddScaled(p.poolMean, p.z[i], v)
		}
	}
}
