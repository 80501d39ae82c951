package surrogate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// Append returns the posterior after one more observation (x, y), by bordering the factor. The receiver stays as it
// is, and several branches may grow from it. x is copied. In exact arithmetic the new pivot is the variance at x plus
// the noise λ; where round-off takes it below max(λ(1 - 1e-8), 1e-12 (k(x, x) + λ)) it is lifted to that and counted
// in Clamped. Numbers that are not finite and a point of the wrong dimension are bugs and panic. Cost O(n² + nN).
func (p *Posterior) Append(x space.Unit, y float64) *Posterior {
	checkTargets(len(p.x)+1, p.y, y)
	q := p.appended(x, 0)
	q.solve(append(slices.Clip(p.y), y))
	return q
}

// Edit is one change of the points of a posterior: a point that is appended, or the row that is removed when X is nil.
type Edit struct {
	X     space.Unit
	Known float64 // variance of the noise of its target besides λ
	Row   int     // among the rows as they are when its turn comes
}

// Revise returns the posterior after the edits, in their order, with the targets y (one for each row that is there in the
// end) and hallucinated targets at the pending rows, as Hallucinate does; pending may be nil. It is Append, Remove and
// Hallucinate in one, with one solution at the end instead of one for each. Cost O(n² + nN) for each edit.
func (p *Posterior) Revise(edits []Edit, y []float64, pending []int) *Posterior {
	removed := false
	for _, e := range edits {
		if e.X == nil {
			p, removed = p.removed(e.Row), true
		} else {
			p = p.appended(e.X, e.Known)
		}
	}
	if removed {
		p.squarePool() // the posterior is new, and nobody else has it
	}
	if len(pending) > 0 {
		return p.Hallucinate(y, pending)
	}
	return p.Retarget(y)
}

// appended is Append but for all that depends on the targets, which solve must fill.
func (p *Posterior) appended(x space.Unit, variance float64) *Posterior {
	checkPoint(p.Dim(), x)
	if !(variance >= 0) || !isFinite(variance) {
		panic("surrogate: known variance that is none")
	}
	q := *p
	q.x = append(slices.Clip(p.x), keptOne(p.prior.Kernel, slices.Clone(x)))
	n := len(p.x)
	q.known = p.known.with(n, variance)
	if p.prior.Trend != nil {
		q.rowMeans = append(slices.Clip(p.rowMeans), p.prior.meanAt(x))
	}
	var row []float64
	q.factor, row = p.factor.grow()
	total := covarianceRow(p.prior, row, q.x, n, p.jitter+variance)
	pivot := p.factor.border(row)
	if least := max((p.noise()+variance)*(1-1e-8), leastPivot*total, leastScale); !(pivot >= least) {
		pivot = least
		q.clamped++
	}
	row[n] = math.Sqrt(pivot)
	if p.pool != nil {
		q.enterPool(q.x[n], row)
	}
	return &q
}

// takeSquares takes the squares of v off the variances, which stay at least 0.
func takeSquares(variance, v []float64) {
	v = v[:len(variance)]
	for j, c := range v {
		variance[j] = max(variance[j]-c*c, 0)
	}
}

// enterPool appends to V the row of the next point, whose row of the factor is given, and takes its square off the
// pool's variances.
func (p *Posterior) enterPool(x space.Unit, row []float64) {
	before := p.pooled
	var v []float64
	p.pooled, v = before.grow()
	p.prior.Kernel.Row(v, x, p.pool.kept)
	n := before.n
	lifted := make([]float64, n)
	for i, c := range row[:n] {
		lifted[i] = -c
	}
	before.addRows(v, 0, lifted)
	floats.Scale(1/row[n], v)
	p.poolVariance = slices.Clone(p.poolVariance)
	takeSquares(p.poolVariance, v)
	p.index = append(slices.Clip(p.index), p.pool.Index(x))
}

// Retarget returns the posterior with other targets (length n, copied) at the same points. Factor and variances are
// shared; the weights are always solved anew from the targets and never updated, so that they do not depend on the
// order in which targets changed. Targets that are not finite and a wrong length are bugs and panic. Cost O(n² + nN),
// less where only recent targets change.
func (p *Posterior) Retarget(y []float64) *Posterior {
	checkTargets(len(p.x), y)
	q := *p
	q.solve(slices.Clone(y))
	return &q
}

func checkTargets(n int, y []float64, more ...float64) {
	if len(y)+len(more) != n {
		panic("surrogate: wrong number of targets")
	}
	for _, v := range y {
		if !isFinite(v) {
			panic("surrogate: target that is not finite")
		}
	}
	for _, v := range more {
		if !isFinite(v) {
			panic("surrogate: target that is not finite")
		}
	}
}

// solve adopts the targets y and recomputes all that depends on them. What is kept are numbers of full panels before
// the first target that changed: they would come out the same.
func (p *Posterior) solve(y []float64) {
	n := len(y)
	kept := min(p.whole, len(p.y), n)
	for i := range kept {
		if y[i] != p.y[i] {
			kept = i
			break
		}
	}
	kept = kept / panelRows * panelRows
	z := make([]float64, n)
	copy(z, p.z[:kept])
	for i := kept; i < n; i++ {
		z[i] = y[i] - p.rowMean(i)
	}
	p.factor.forward(kept, 0, z)
	p.y, p.z, p.whole = y, z, n/panelRows*panelRows
	p.alpha = slices.Clone(z)
	p.factor.backward(p.alpha)
	if p.pool != nil {
		p.sumPool(kept / panelRows)
	}
}

// sumPool recomputes the means of the pool from the panel on whose sum of the earlier ones is known.
func (p *Posterior) sumPool(known int) {
	sums := slices.Clone(p.sums[:min(known+1, len(p.sums))])
	if len(sums) == 0 {
		sums = append(sums, p.poolPrior())
	}
	for k := len(sums) - 1; k < len(p.pooled.panels); k++ {
		low, high := p.pooled.span(k)
		next := slices.Clone(sums[k])
		p.pooled.prefix(high).addRows(next, low, p.z)
		sums = append(sums, next)
	}
	p.sums, p.poolMean = sums, sums[len(sums)-1]
}
