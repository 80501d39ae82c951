package surrogate

import (
	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// Predictor predicts several points at once with memory that it uses again (nothing is allocated in up
// to 128 dimensions). Each look at the factor serves all points
// of a call, which makes a prediction among sixteen two to three times as cheap as one alone for large n. It is for one
// goroutine; the posterior may have any number of them. Memory: 16 n bytes for each of the points of a call, 40 n over
// a fidelity.
type Predictor struct {
	posterior *Posterior
	rows      [][]float64 // k(x, X), then L⁻¹ k(x, X), then (K + λI)⁻¹ k(x, X)
	slopes    [][]float64 // what the derivatives of the row need
	own       []float64   // derivative of k(x, x)
	fall      []float64
	slope     sloped // the kernel, if it has a faster way; else nil
	grad      []float64
	waste     []float64 // derivatives of a mean that are known already
	besides   besides
}

// sloped kernels hand out with a row of covariances what their derivatives by x need, so that these cost no second
// evaluation of the kernel.
type sloped interface {
	slopeNumbers() int                                              // for each pair
	rowSlopes(dst, slopes []float64, x space.Unit, xs []space.Unit) // without the row where dst is nil
	addSlopes(du, u, dv, v, slopes []float64, x space.Unit, xs []space.Unit)
}

var _ = []sloped{Stationary{}, Additive{}, ICM{}, Features{}, Warped{}}

// slopeNumbers is how much scratch for the derivatives of a row a kernel wants, for each pair.
func slopeNumbers(k Kernel) int {
	if s, ok := k.(sloped); ok {
		return s.slopeNumbers()
	}
	return 1
}

// NewPredictor returns a predictor for up to size points a call, at least 1.
func NewPredictor(p *Posterior, size int) *Predictor {
	n, d := p.Len(), p.Dim()
	size = max(size, 1)
	numbers := slopeNumbers(p.prior.Kernel)
	backing := make([]float64, (1+numbers)*size*n+4*d)
	cut := func(length int) []float64 {
		part := backing[:length:length]
		backing = backing[length:]
		return part
	}
	q := &Predictor{posterior: p, own: cut(d), fall: cut(d), grad: cut(d), waste: cut(d)}
	q.slope, _ = p.prior.Kernel.(sloped)
	for range size {
		q.rows = append(q.rows, cut(n))
		q.slopes = append(q.slopes, cut(numbers*n))
	}
	return q
}

// Size returns how many points a call may have.
func (q *Predictor) Size() int { return len(q.rows) }

// Posterior returns the posterior that predicts.
func (q *Predictor) Posterior() *Posterior { return q.posterior }

// forward fills mean with the posterior means, and returns the kernel, the points as it has them kept, and their rows L⁻¹ k(x, X).
func (q *Predictor) forward(xs []space.Unit, mean []float64) (Kernel, []space.Unit, [][]float64) {
	p := q.posterior
	k, rows := p.prior.Kernel, q.rows[:len(xs)]
	xs = kept(k, xs)
	q.fill(rows, xs)
	for s, x := range xs {
		mean[s] = p.prior.meanAt(x) + floats.Dot(rows[s], p.alpha)
	}
	p.factor.forward(0, 0, rows...)
	return k, xs, rows
}

// fill fills rows[i] with k(xs[i], X). Points that follow each other and differ in the fidelity alone share what an ICM kernel computes
// of the other coordinates. It takes the slopes of the first point for scratch.
func (q *Predictor) fill(rows [][]float64, xs []space.Unit) {
	p := q.posterior
	k, levels := p.prior.Kernel.(ICM)
	for i, x := range xs {
		if !levels {
			p.prior.Kernel.Row(rows[i], x, p.x)
			continue
		}
		base := q.slopes[0][:len(p.x)]
		if i == 0 || !k.together(xs[i-1], x) {
			k.wide.Row(base, x, p.x)
		}
		copy(rows[i], base)
		k.scale(rows[i], x, p.x)
	}
}

// Predict fills mean and variance (as long as xs, at most Size) with what Posterior.Predict returns. Cost O(n² + nd) for
// each point; nothing is allocated.
func (q *Predictor) Predict(xs []space.Unit, mean, variance []float64) {
	k, xs, rows := q.forward(xs, mean)
	for s, x := range xs {
		variance[s] = max(k.Diag(x)-floats.Dot(rows[s], rows[s]), 0)
	}
}

// PredictJoint fills mean (as long as xs, at most Size) with the posterior means and covariance, its square by rows, with the posterior
// covariances of the latent function at the points: what Posterior.Mean and Posterior.Covariance return, such as of one point at several
// fidelities. Variances below 0 are 0. Cost O(n² + nd) for each point and O(n) for each pair.
func (q *Predictor) PredictJoint(xs []space.Unit, mean, covariance []float64) {
	k, xs, rows := q.forward(xs, mean)
	for s, a := range xs {
		k.Row(covariance[s*len(xs):s*len(xs)+s], a, xs[:s])
		for t := range s {
			covariance[s*len(xs)+t] -= floats.Dot(rows[s], rows[t])
			covariance[t*len(xs)+s] = covariance[s*len(xs)+t]
		}
		covariance[s*len(xs)+s] = max(k.Diag(a)-floats.Dot(rows[s], rows[s]), 0)
	}
}

// PredictGrad fills mean and variance like Predict, and each of dmean and dvar (as many slices as points, of length d)
// with the derivatives, like Posterior.PredictGrad. Cost about twice that of Predict; nothing is allocated for kernels of
// this package that are stationary.
func (q *Predictor) PredictGrad(xs []space.Unit, mean, variance []float64, dmean, dvar [][]float64) {
	k, xs, rows := q.forwardSlopes(xs, mean)
	for s, x := range xs {
		variance[s] = k.Diag(x) - floats.Dot(rows[s], rows[s])
	}
	q.posterior.factor.backward(rows...)
	for s, x := range xs {
		variance[s] = q.slopesAt(s, x, variance[s], dmean[s], dvar[s])
		mean[s] = q.posterior.prior.addMeanGrad(dmean[s], x) + mean[s]
	}
}

// forwardSlopes is forward for derivatives: mean is without that of the prior, and the slopes are filled.
func (q *Predictor) forwardSlopes(xs []space.Unit, mean []float64) (Kernel, []space.Unit, [][]float64) {
	p := q.posterior
	k := p.prior.Kernel
	rows, xs := q.rows[:len(xs)], kept(k, xs)
	for s, x := range xs {
		if q.slope != nil {
			q.slope.rowSlopes(rows[s], q.slopes[s], x, p.x)
		} else {
			k.Row(rows[s], x, p.x)
		}
		mean[s] = floats.Dot(rows[s], p.alpha)
	}
	p.factor.forward(0, 0, rows...)
	return k, xs, rows
}

// slopesAt fills dmean and dvar with the derivatives at point s, whose row is that of its weights (K + λI)⁻¹ k(x), and returns the variance, at least 0.
func (q *Predictor) slopesAt(s int, x space.Unit, variance float64, dmean, dvar []float64) float64 {
	checkDim(q.posterior.Dim(), dmean, dvar)
	clear(dmean)
	clear(q.fall)
	q.posterior.prior.Kernel.GradX(q.own, x, x) // by symmetry k(x, x) changes twice as fast as its first argument alone
	q.addGrad(s, x, dmean)
	for j, f := range q.fall {
		dvar[j] = 2 * (q.own[j] - f)
	}
	if !(variance > 0) {
		clear(dvar)
		return 0
	}
	return variance
}

// MeanGrad returns what Posterior.MeanGrad returns, without allocating. Cost O(nd).
func (q *Predictor) MeanGrad(x space.Unit, dmean []float64) float64 {
	p := q.posterior
	sum := addWeighted(p.prior.Kernel, dmean, x, p.x, p.alpha, q.rows[0], q.slopes[0])
	return p.prior.addMeanGrad(dmean, x) + sum
}

// addGrad adds the derivatives of k(x)ᵀα to dmean and those of k(x)ᵀw, w = (K + λI)⁻¹ k(x) held fixed, to fall.
func (q *Predictor) addGrad(s int, x space.Unit, dmean []float64) {
	p := q.posterior
	if q.slope != nil {
		q.slope.addSlopes(dmean, p.alpha, q.fall, q.rows[s], q.slopes[s], x, p.x)
		return
	}
	for i, b := range p.x {
		p.prior.Kernel.GradX(q.grad, x, b)
		floats.AddScaled(dmean, p.alpha[i], q.grad)
		floats.AddScaled(q.fall, q.rows[s][i], q.grad)
	}
}
