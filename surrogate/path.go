package surrogate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// Path is one draw from a posterior, as a function that can be evaluated anywhere and differentiated. It never changes.
type Path struct {
	before  Prior // of which the mean is added
	x       []space.Unit
	weights []float64
	prior   sample
}

const defaultFeatures = 1024

// Draw returns a function drawn from the posterior by pathwise conditioning (Matheron's rule; Wilson et al. 2020):
// f = f0 + k(·)ᵀ (K + λI)⁻¹ (y - f0(X) - ε) with f0 a draw from the prior and ε from the noise. For linear kernels f0
// is exact. For stationary kernels, of warped coordinates or not, and periodic ones, for fidelities over those and products of such that are not warped it is a sum of the given number of random waves
// (zero means 1024), exact but for a relative error of O(1/√features) in the prior covariance; sums of kernels add
// their draws. Where no representation is known (a product with a linear kernel, a fidelity over a kernel with a constant, a kernel from outside this package)
// the result is nil. Cost O(n² + n·features·d).
func (p *Posterior) Draw(stream *rand.Rand, features int) *Path {
	if features <= 0 {
		features = defaultFeatures
	}
	prior := drawPrior(p.prior.Kernel, stream, features)
	if prior == nil {
		return nil
	}
	noise := make([]float64, len(p.x))
	for i := range noise {
		noise[i] = math.Sqrt(p.noiseAt(i)) * stream.NormFloat64()
	}
	return p.path(prior, noise)
}

// path conditions a draw from the prior with the given draw of the noise.
func (p *Posterior) path(prior sample, noise []float64) *Path {
	w := make([]float64, len(p.x))
	for i, x := range p.x {
		w[i] = p.y[i] - p.rowMean(i) - prior.at(x) - noise[i]
	}
	p.factor.forward(0, 0, w)
	p.factor.backward(w)
	return &Path{before: p.prior, x: p.x, weights: w, prior: prior}
}

// At returns the value at x. Cost O((n + features) d).
func (f *Path) At(x space.Unit) float64 {
	row, x := make([]float64, len(f.x)), keptOne(f.before.Kernel, x)
	f.before.Kernel.Row(row, x, f.x)
	return f.before.meanAt(x) + f.prior.at(x) + floats.Dot(row, f.weights)
}

// Grad returns the value at x and fills dst (length d) with the derivatives there. Cost O((n + features) d).
func (f *Path) Grad(x space.Unit, dst []float64) float64 {
	k := f.before.Kernel
	checkDim(k.Dim(), x, dst)
	n := len(f.x)
	scratch := make([]float64, (1+slopeNumbers(k))*n)
	sum := addWeighted(k, dst, x, f.x, f.weights, scratch[:n], scratch[n:])
	return f.before.addMeanGrad(dst, x) + sum + f.prior.addGrad(x, dst)
}

// DrawPool returns the values (length N) of one function drawn from the posterior at the points of the pool. The draw
// is exact: a joint normal draw from the prior through the pool's factor, then pathwise conditioning as in Draw. It
// needs a pool with a factor (see NewPool) and every observed point in it, otherwise the result is nil. Cost O(n² + nN + rN) with
// r the rank of the factor.
func (p *Posterior) DrawPool(stream *rand.Rand) []float64 {
	if p.pool == nil || p.pool.factor == nil {
		return nil
	}
	for _, i := range p.index {
		if i < 0 {
			return nil
		}
	}
	f := p.poolPrior()
	for _, row := range p.pool.factor {
		floats.AddScaled(f, stream.NormFloat64(), row)
	}
	w := make([]float64, len(p.x))
	for i, at := range p.index {
		w[i] = p.y[i] - f[at] - math.Sqrt(p.noiseAt(i))*stream.NormFloat64()
	}
	p.factor.forward(0, 0, w)
	p.pooled.addRows(f, 0, w) // K(pool, X) (K + λI)⁻¹ = Vᵀ L⁻¹
	return f
}
