package surrogate

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// row returns k(x, X) and checks the shape of x.
func (p *Posterior) row(x space.Unit) []float64 {
	row := make([]float64, len(p.x))
	p.prior.Kernel.Row(row, x, p.x)
	return row
}

// Mean returns the posterior mean at x: Predict without the variance, at a cost of O(nd).
func (p *Posterior) Mean(x space.Unit) float64 {
	return p.prior.meanAt(x) + floats.Dot(p.row(x), p.alpha)
}

// Predict returns the posterior mean m + k(x)ᵀα and the variance k(x, x) - |L⁻¹ k(x)|² of the latent function at x,
// without observation noise and never below 0. Many predictions are cheaper with a Predictor. Cost O(nd + n²).
// Rasmussen & Williams 2006, eqs. (2.25) and (2.26).
func (p *Posterior) Predict(x space.Unit) (mean, variance float64) {
	row := p.row(x)
	mean = p.prior.meanAt(x) + floats.Dot(row, p.alpha)
	p.factor.forward(0, 0, row)
	return mean, max(p.prior.Kernel.Diag(x)-floats.Dot(row, row), 0)
}

// PredictGrad returns what Predict returns and fills dmean and dvar (length d) with the derivatives by x. Where the
// variance is cut off at 0 its derivative is 0. Many predictions are cheaper with a Predictor. Cost O(nd + n²), about
// twice that of Predict.
func (p *Posterior) PredictGrad(x space.Unit, dmean, dvar []float64) (mean, variance float64) {
	q := NewPredictor(p, 1)
	var m, v [1]float64
	q.PredictGrad([]space.Unit{x}, m[:], v[:], [][]float64{dmean}, [][]float64{dvar})
	return m[0], v[0]
}

// RowMeans returns the posterior mean (length n) at each of the observed points: what the noise leaves of the target,
// y_i - λ_i α_i with λ_i = λ + jitter + Known(i). Cost O(n); where pivots were lifted, whose noise is not known, O(n²d).
func (p *Posterior) RowMeans() []float64 {
	means := slices.Clone(p.y)
	for i := range means {
		if p.clamped > 0 {
			means[i] = p.Mean(p.x[i])
		} else {
			means[i] -= p.noiseAt(i) * p.alpha[i]
		}
	}
	return means
}

// MeanGrad returns the posterior mean at x and fills dmean (length d) with its derivatives. Cost O(nd).
func (p *Posterior) MeanGrad(x space.Unit, dmean []float64) float64 {
	n := len(p.x)
	scratch := make([]float64, (1+slopeNumbers(p.prior.Kernel))*n)
	sum := addWeighted(p.prior.Kernel, dmean, x, p.x, p.alpha, scratch[:n], scratch[n:])
	return p.prior.addMeanGrad(dmean, x) + sum
}

// addWeighted returns Σ w_i k(x, xs_i), fills dst with its derivatives by x and row with the k(x, xs_i). slopes is scratch of
// slopeNumbers times the length of xs. Cost O(nd).
func addWeighted(k Kernel, dst []float64, x space.Unit, xs []space.Unit, w, row, slopes []float64) float64 {
	checkDim(k.Dim(), x, dst)
	clear(dst)
	if fast, ok := k.(weighted); ok {
		return fast.addWeighted(dst, x, xs, w, row, slopes)
	}
	g := make([]float64, len(x))
	var sum float64
	for i, b := range xs {
		row[i] = k.GradX(g, x, b)
		sum += w[i] * row[i]
		floats.AddScaled(dst, w[i], g)
	}
	return sum
}

// weighted is what kernels with a faster way through a weighted sum of a row offer.
type weighted interface {
	addWeighted(dst []float64, x space.Unit, xs []space.Unit, w, row, slopes []float64) float64
}

// Covariance returns the posterior covariance k(a, b) - k(a)ᵀ (K + λI)⁻¹ k(b) of the latent function. Cost O(nd + n²).
func (p *Posterior) Covariance(a, b space.Unit) float64 {
	ra, rb := p.row(a), p.row(b)
	p.factor.forward(0, 0, ra, rb)
	return p.prior.Kernel.Eval(a, b) - floats.Dot(ra, rb)
}

// VarianceAt returns the latent variance at observed point i. It is read from the pool when the point belongs to it.
// Otherwise it is λ_i - λ_i² [A⁻¹]_ii, where the entry of the inverse is the square of column i of L⁻¹, which is zero
// before i. Cost O((n - i)²): little for a recent point.
func (p *Posterior) VarianceAt(i int) float64 {
	if p.pool != nil && p.index[i] >= 0 {
		return p.poolVariance[p.index[i]]
	}
	if p.directAt(i) {
		_, variance := p.Predict(p.x[i])
		return variance
	}
	noise := p.noiseAt(i)
	column := make([]float64, len(p.x))
	column[i] = 1
	p.factor.forward(i, i, column)
	return max(noise-noise*noise*floats.Dot(column[i:], column[i:]), 0)
}

// directAt reports whether the variance at observed point i is computed as at any other, because the inverse would lose its digits.
func (p *Posterior) directAt(i int) bool {
	return p.noiseAt(i) < noiseForInverse*p.prior.Kernel.Diag(p.x[i]) || p.clamped > 0
}

// noiseForInverse is the noise, relative to the prior variance, below which the inverse loses more digits than the
// direct way.
const noiseForInverse = 1e-6
