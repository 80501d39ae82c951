package surrogate

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Posterior is a Gaussian process given n observations. It is an immutable value: Append, Retarget and Hallucinate
// return new ones, which share the rows of the factor with the old, and any number of goroutines may read one.
type Posterior struct {
	prior   Prior
	jitter  float64
	clamped int // appended rows whose pivot had to be lifted

	x      [][]float64 // points
	y      []float64   // targets
	rows   [][]float64 // L, by rows
	z      []float64   // L⁻¹ (y - m)
	alpha  []float64   // L⁻ᵀ z
	pool   *Pool       // nil when there is none; then so are the fields below
	index  []int       // number of each point in the pool, or -1
	pooled [][]float64 // V = L⁻¹ K(X, pool), by rows of length N

	poolMean, poolVariance []float64
}

// Len returns the number n of observations.
func (p *Posterior) Len() int { return len(p.x) }

// Dim returns the dimension d of the points.
func (p *Posterior) Dim() int { return p.prior.Kernel.Dim() }

// Prior returns the prior that was conditioned.
func (p *Posterior) Prior() Prior { return p.prior }

// Jitter returns the variance that was added to the noise to make the covariance matrix positive definite.
func (p *Posterior) Jitter() float64 { return p.jitter }

// Clamped returns how many rows were appended with a lifted pivot (see Append). Above zero, conditioning from scratch
// is advisable.
func (p *Posterior) Clamped() int { return p.clamped }

// X returns point i, which must not be changed.
func (p *Posterior) X(i int) []float64 { return p.x[i] }

// Targets returns a copy of the n targets.
func (p *Posterior) Targets() []float64 { return slices.Clone(p.y) }

// Alpha returns a copy of the n weights (K + λI)⁻¹ (y - m).
func (p *Posterior) Alpha() []float64 { return slices.Clone(p.alpha) }

// Pool returns the pool, or nil.
func (p *Posterior) Pool() *Pool { return p.pool }

// PoolMean returns the posterior means at the points of the pool, nil without one. The slice must not be changed.
func (p *Posterior) PoolMean() []float64 { return p.poolMean }

// PoolVariance returns the latent posterior variances at the points of the pool, nil without one. The slice must not
// be changed.
func (p *Posterior) PoolVariance() []float64 { return p.poolVariance }

// row returns k(x, X) and checks the shape of x.
func (p *Posterior) row(x []float64) []float64 {
	row := make([]float64, len(p.x))
	p.prior.Kernel.Row(row, x, p.x)
	return row
}

// Mean returns the posterior mean at x: Predict without the variance, at a cost of O(nd).
func (p *Posterior) Mean(x []float64) float64 {
	return p.prior.Mean + floats.Dot(p.row(x), p.alpha)
}

// Predict returns the posterior mean m + k(x)ᵀα and the variance k(x, x) - |L⁻¹ k(x)|² of the latent function at x,
// without observation noise and never below 0. Cost O(nd + n²). Rasmussen & Williams 2006, eqs. (2.25) and (2.26).
func (p *Posterior) Predict(x []float64) (mean, variance float64) {
	row := p.row(x)
	mean = p.prior.Mean + floats.Dot(row, p.alpha)
	forward(p.rows, row, 0)
	return mean, max(p.prior.Kernel.Diag(x)-floats.Dot(row, row), 0)
}

// gradientRow is what kernels with a faster way through a row of derivatives offer.
type gradientRow interface {
	addGradX(du, u, dv, v, x []float64, xs [][]float64)
}

// PredictGrad returns what Predict returns and fills dmean and dvar (length d) with the derivatives by x. Where the
// variance is cut off at 0 its derivative is 0. Cost O(nd + n²), about twice that of Predict.
func (p *Posterior) PredictGrad(x, dmean, dvar []float64) (mean, variance float64) {
	checkDim(p.Dim(), dmean, dvar)
	k := p.prior.Kernel
	row := p.row(x)
	mean = p.prior.Mean + floats.Dot(row, p.alpha)
	forward(p.rows, row, 0)
	variance = k.Diag(x) - floats.Dot(row, row)
	backward(p.rows, row) // now (K + λI)⁻¹ k(x)
	clear(dmean)
	k.GradX(dvar, x, x) // by symmetry k(x, x) changes twice as fast as its first argument alone
	fall := make([]float64, len(x))
	p.addGradX(dmean, fall, row, x)
	for j, f := range fall {
		dvar[j] = 2 * (dvar[j] - f)
	}
	if !(variance > 0) {
		clear(dvar)
		variance = 0
	}
	return mean, variance
}

// addGradX adds the derivatives of k(x)ᵀα to dmean and those of k(x)ᵀw at fixed w to dw.
func (p *Posterior) addGradX(dmean, dw, w, x []float64) {
	if fast, ok := p.prior.Kernel.(gradientRow); ok {
		fast.addGradX(dmean, p.alpha, dw, w, x, p.x)
		return
	}
	g := make([]float64, len(x))
	for i, b := range p.x {
		p.prior.Kernel.GradX(g, x, b)
		floats.AddScaled(dmean, p.alpha[i], g)
		floats.AddScaled(dw, w[i], g)
	}
}

// MeanGrad returns the posterior mean at x and fills dmean (length d) with its derivatives. Cost O(nd).
func (p *Posterior) MeanGrad(x, dmean []float64) float64 {
	clear(dmean)
	g := make([]float64, len(x))
	sum := p.prior.Mean
	for i, b := range p.x {
		sum += p.alpha[i] * p.prior.Kernel.GradX(g, x, b)
		floats.AddScaled(dmean, p.alpha[i], g)
	}
	return sum
}

// Covariance returns the posterior covariance k(a, b) - k(a)ᵀ (K + λI)⁻¹ k(b) of the latent function. Cost O(nd + n²).
func (p *Posterior) Covariance(a, b []float64) float64 {
	ra, rb := p.row(a), p.row(b)
	forward(p.rows, ra, 0)
	forward(p.rows, rb, 0)
	return p.prior.Kernel.Eval(a, b) - floats.Dot(ra, rb)
}

// VarianceAt returns the latent variance at observed point i. It is read from the pool when the point belongs to it.
// Otherwise it is λ - λ² [(K + λI)⁻¹]_ii, where the entry of the inverse is the square of column i of L⁻¹, which is zero
// before i. Cost O((n - i)²): little for a recent point.
func (p *Posterior) VarianceAt(i int) float64 {
	if p.pool != nil && p.index[i] >= 0 {
		return p.poolVariance[p.index[i]]
	}
	noise := p.prior.Noise + p.jitter
	if noise < noiseForInverse*p.prior.Kernel.Diag(p.x[i]) || p.clamped > 0 {
		_, variance := p.Predict(p.x[i])
		return variance
	}
	column := make([]float64, len(p.x))
	column[i] = 1
	forward(p.rows, column, i)
	return max(noise-noise*noise*floats.Dot(column[i:], column[i:]), 0)
}

// noiseForInverse is the noise, relative to the prior variance, below which the inverse loses more digits than the
// direct way.
const noiseForInverse = 1e-6
