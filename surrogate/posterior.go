package surrogate

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/space"
)

// Posterior is a Gaussian process given n observations. It is an immutable value: Append, Remove, Retarget, Hallucinate,
// Revise and WithPool return new ones, which share the rows of the factor with the old, and any number of goroutines may use one.
// Memory: 4n² bytes for the factor and 8nN for a pool of N points, shared among all that grew from the same rows.
type Posterior struct {
	prior   Prior
	jitter  float64
	clamped int // appended rows whose pivot had to be lifted

	x        []space.Unit // points, as the kernel has them kept
	known    known        // variance of the noise of each target besides λ; nil where nothing is known
	rowMeans []float64    // m(x) by row; nil where it is prior.Mean at each
	factor   matrix       // L
	y        []float64    // targets
	z        []float64    // L⁻¹ (y - m)
	alpha    []float64    // L⁻ᵀ z
	whole    int          // leading rows of z that stand in panels that were full when they were solved

	pool   *Pool  // nil when there is none; then so are the fields below
	index  []int  // number of each point in the pool, or -1
	pooled matrix // V = L⁻¹ K(X, pool), rows of length N

	poolMean, poolVariance []float64
	sums                   [][]float64 // sums[k] is m + Σ z_i V_i over the rows before panel k
	joint                  *jointCache // of all that grew from the same pool
}

// Clone returns the same posterior whose points, pool and numbers of the pool are its own: who changes what X, PoolMean, PoolVariance and
// Pool.Point return does not change the receiver's. Of a pool that several have there is one copy, in pools. Of nil it is nil. Cost O(nd + Nd).
func (p *Posterior) Clone(pools map[*Pool]*Pool) *Posterior {
	if p == nil {
		return nil
	}
	q := *p
	q.x, q.poolMean, q.poolVariance = clonePoints(p.x), slices.Clone(p.poolMean), slices.Clone(p.poolVariance)
	if p.pool != nil {
		if pools[p.pool] == nil {
			pool := *p.pool
			pool.points = clonePoints(pool.points)
			pools[p.pool] = &pool
		}
		q.pool = pools[p.pool]
	}
	return &q
}

// Len returns the number n of observations.
func (p *Posterior) Len() int { return len(p.x) }

// Dim returns the dimension d of the points.
func (p *Posterior) Dim() int { return p.prior.Kernel.Dim() }

// Prior returns the prior that was conditioned.
func (p *Posterior) Prior() Prior { return p.prior }

// Jitter returns the variance that was added to the noise to make the covariance matrix positive definite.
func (p *Posterior) Jitter() float64 { return p.jitter }

// Noise returns the variance of the noise of an observation of which nothing more is known, jitter included.
func (p *Posterior) Noise() float64 { return p.prior.Noise + p.jitter }

// Clamped returns how many rows were appended with a lifted pivot (see Append). Above zero, conditioning from scratch
// is advisable.
func (p *Posterior) Clamped() int { return p.clamped }

// X returns point i, which must not be changed.
func (p *Posterior) X(i int) space.Unit { return p.x[i][:p.Dim():p.Dim()] }

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

// Usable reports whether the weights and the means of the pool are numbers that predictions can be made of. Rows with lifted
// pivots can make them grow beyond all bounds; then conditioning from scratch with more noise is the way out. Cost O(n + N).
func (p *Posterior) Usable() bool {
	for _, part := range [][]float64{p.alpha, p.poolMean} {
		for _, v := range part {
			if !(math.Abs(v) < greatestWeight) {
				return false
			}
		}
	}
	return true
}

// greatestWeight leaves room for sums of products.
const greatestWeight = 1e200

// noise is the variance on the diagonal besides the kernel.
func (p *Posterior) noise() float64 { return p.prior.Noise + p.jitter }
