package surrogate

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// CrossCovariance is the posterior covariance of the latent function between one point and any other, as a function of the other,
// which can be differentiated. It never changes.
type CrossCovariance struct {
	posterior *Posterior
	x         []space.Unit // the observed points, and the one
	half      []float64    // L⁻¹ k(x)
	weights   []float64    // −(K + λI)⁻¹ k(x), and 1
}

// CrossCovariance returns the covariances between x, which is copied, and other points. Cost O(n² + nd).
func (p *Posterior) CrossCovariance(x space.Unit) CrossCovariance {
	half := p.row(x)
	p.factor.forward(0, 0, half)
	weights := slices.Clone(half)
	p.factor.backward(weights)
	floats.Scale(-1, weights)
	return CrossCovariance{p, append(slices.Clip(p.x), keptOne(p.prior.Kernel, slices.Clone(x))), half, append(weights, 1)}
}

// At returns the covariance with a. Cost O(nd).
func (c CrossCovariance) At(a space.Unit) float64 {
	row := make([]float64, len(c.x))
	c.posterior.prior.Kernel.Row(row, a, c.x)
	return floats.Dot(row, c.weights)
}

// Grad returns the covariance with a and fills dst (length d) with its derivatives by a. Cost O(nd).
func (c CrossCovariance) Grad(a space.Unit, dst []float64) float64 {
	n := len(c.x)
	scratch := make([]float64, (1+slopeNumbers(c.posterior.prior.Kernel))*n)
	return addWeighted(c.posterior.prior.Kernel, dst, a, c.x, c.weights, scratch[:n], scratch[n:])
}

// Pool fills dst (length N) with the covariances with all points of the posterior's pool. A posterior without a pool and a dst of
// another length are bugs and panic. Cost O(nN + Nd).
func (c CrossCovariance) Pool(dst []float64) {
	p := c.posterior
	if p.pool == nil || len(dst) != p.pool.Len() {
		panic("surrogate: covariances of another pool")
	}
	p.prior.Kernel.Row(dst, c.x[len(p.x)], p.pool.kept)
	p.pooled.addRows(dst, 0, negated(c.half))
}

func negated(v []float64) []float64 {
	out := slices.Clone(v)
	floats.Scale(-1, out)
	return out
}
