package surrogate

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
)

var logTwoPi = math.Log(2 * math.Pi)

// LogEvidence returns the logarithm of the density of the targets under the prior,
// -½ (y-m)ᵀα - Σ log L_ii - (n/2) log 2π. Cost O(n). Rasmussen & Williams 2006, eq. (2.30).
func (p *Posterior) LogEvidence() float64 {
	sum := -0.5*floats.Dot(p.z, p.z) - 0.5*float64(len(p.z))*logTwoPi
	for i, row := range p.rows {
		sum -= math.Log(row[i])
	}
	return sum
}

// InformationGain returns ½ log det(I + K/λ), the information in nats that the observed points carry about the
// function, where λ includes the jitter. It does not depend on the targets, and is +Inf without noise. Cost O(n).
// Srinivas et al. 2010, eq. (5).
func (p *Posterior) InformationGain() float64 {
	var sum float64
	half := 0.5 * math.Log(p.prior.Noise+p.jitter)
	for i, row := range p.rows {
		sum += math.Log(row[i]) - half
	}
	return sum
}

// LeaveOneOut returns mean and variance (both of length n) of each target as predicted from all others at the same
// hyperparameters; the variance includes the noise. Cost O(n³/3). Rasmussen & Williams 2006, eq. (5.12).
func (p *Posterior) LeaveOneOut() (mean, variance []float64) {
	n := len(p.x)
	mean, variance = make([]float64, n), make([]float64, n)
	column := make([]float64, n) // of L⁻¹; the squares of its entries add up to a diagonal entry of (K + λI)⁻¹
	for i := range n {
		clear(column)
		column[i] = 1
		forward(p.rows, column, i)
		variance[i] = 1 / floats.Dot(column[i:], column[i:])
		mean[i] = p.y[i] - p.alpha[i]*variance[i]
	}
	return mean, variance
}

// ForwardChain returns mean and variance (both of length n) of each target as predicted from those before it; the
// variance includes the noise. With z = L⁻¹ (y - m) they are y_i - L_ii z_i and L_ii², so the cost is O(n).
func (p *Posterior) ForwardChain() (mean, variance []float64) {
	mean, variance = make([]float64, len(p.x)), make([]float64, len(p.x))
	for i, row := range p.rows {
		mean[i] = p.y[i] - row[i]*p.z[i]
		variance[i] = row[i] * row[i]
	}
	return mean, variance
}

// gradientParams is what kernels with a faster way through a row of derivatives offer.
type gradientParams interface {
	addGradParams(dst, w, x []float64, xs [][]float64)
}

// Evidence returns the log evidence of the targets y (length n) at the points x (n×d). Unless grad is nil it must have
// one entry for each of p.Kernel.Params() and one more, and is filled with the derivatives by these logarithms and by
// log λ: ½ tr((ααᵀ - (K + λI)⁻¹) dK/dθ), Rasmussen & Williams 2006, eq. (5.9). Jitter is added as in Condition and
// held fixed. The same errors as Condition. Cost O(n³ + n²d).
func Evidence(p Prior, x [][]float64, y []float64, grad []float64) (float64, error) {
	if err := p.Validate(); err != nil {
		return 0, err
	}
	params := len(p.Kernel.Params())
	if grad != nil && len(grad) != params+1 {
		panic("surrogate: gradient of the wrong length")
	}
	if err := checkData(p.Kernel.Dim(), x, y); err != nil {
		return 0, err
	}
	return newEvidence(x, y).at(p, grad)
}

// evidence is the work space for many evaluations on the same data.
type evidence struct {
	x     [][]float64
	y     []float64
	dense []float64 // n×n, lower triangle
	alpha []float64
	w     []float64
}

func newEvidence(x [][]float64, y []float64) *evidence {
	n := len(x)
	return &evidence{x: x, y: y, dense: make([]float64, n*n), alpha: make([]float64, n), w: make([]float64, n)}
}

// at returns the log evidence under a valid prior and fills grad unless it is nil.
func (e *evidence) at(p Prior, grad []float64) (float64, error) {
	n := len(e.x)
	clear(grad)
	if n == 0 {
		return 0, nil
	}
	err := climb(p, e.x, func(jitter float64) bool { return factorizeDense(p, e.x, jitter, e.dense) })
	if err != nil {
		return math.Inf(-1), err
	}
	lower := blas64.Triangular{N: n, Stride: n, Data: e.dense, Uplo: blas.Lower, Diag: blas.NonUnit}
	for i, v := range e.y {
		e.alpha[i] = v - p.Mean
	}
	vector := blas64.Vector{N: n, Inc: 1, Data: e.alpha}
	blas64.Trsv(blas.NoTrans, lower, vector)
	value := -0.5*floats.Dot(e.alpha, e.alpha) - 0.5*float64(n)*logTwoPi
	for i := range n {
		value -= math.Log(e.dense[i*n+i])
	}
	if grad == nil {
		return value, nil
	}
	blas64.Trsv(blas.Trans, lower, vector)
	if _, ok := lapack64.Potri(lower); !ok {
		return math.Inf(-1), errors.Join(errInverse, ErrNotPositiveDefinite)
	}
	e.gradient(p, grad)
	return value, nil
}

var errInverse = errors.New("surrogate: inverse of the covariance matrix overflows")

// gradient needs the weights in alpha and the inverse in the lower triangle of dense. Pairs below the diagonal count
// twice, which takes the place of the factor ½.
func (e *evidence) gradient(p Prior, grad []float64) {
	n, last := len(e.x), len(grad)-1
	fast, isFast := p.Kernel.(gradientParams)
	pair := make([]float64, last)
	for i, x := range e.x {
		w := e.w[:i+1]
		for j, inverse := range e.dense[i*n : i*n+i+1] {
			w[j] = e.alpha[i]*e.alpha[j] - inverse
		}
		w[i] *= 0.5
		grad[last] += p.Noise * w[i]
		if isFast {
			fast.addGradParams(grad[:last], w, x, e.x[:i+1])
			continue
		}
		for j, b := range e.x[:i+1] {
			p.Kernel.GradParams(pair, x, b)
			floats.AddScaled(grad[:last], w[j], pair)
		}
	}
}
