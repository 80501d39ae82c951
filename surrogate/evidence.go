package surrogate

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

var logTwoPi = math.Log(2 * math.Pi)

// LogEvidence returns the logarithm of the density of the targets under the prior,
// -½ (y-m)ᵀα - Σ log L_ii - (n/2) log 2π. Cost O(n). Rasmussen & Williams 2006, eq. (2.30).
func (p *Posterior) LogEvidence() float64 { return logDensity(p.factor, p.z) }

// logDensity is the log evidence for the factor and z = L⁻¹ (y - m).
func logDensity(factor matrix, z []float64) float64 {
	sum := -0.5*floats.Dot(z, z) - 0.5*float64(len(z))*logTwoPi
	for i := range z {
		sum -= math.Log(factor.diag(i))
	}
	return sum
}

// InformationGain returns ½ log det(I + K/λ), with Λ = diag(λ + Known(i)) for λ where more is known of the noise, the information in nats that the observed points carry about the
// function, where λ includes the jitter. It does not depend on the targets, and is +Inf without noise. Cost O(n).
// Srinivas et al. 2010, eq. (5).
func (p *Posterior) InformationGain() float64 {
	var sum float64
	half := 0.5 * math.Log(p.noise())
	for i := range p.x {
		if p.known != nil {
			half = 0.5 * math.Log(p.noiseAt(i))
		}
		sum += math.Log(p.factor.diag(i)) - half
	}
	return sum
}

// LeaveOneOut returns mean and variance (both of length n) of each target as predicted from all others at the same
// hyperparameters; the variance includes the noise. Cost O(n³/3). Rasmussen & Williams 2006, eq. (5.12).
func (p *Posterior) LeaveOneOut() (mean, variance []float64) {
	mean, variance = make([]float64, len(p.x)), p.factor.invert(matrix{}).columnSquares()
	for i, square := range variance {
		variance[i] = 1 / square
		mean[i] = p.y[i] - p.alpha[i]*variance[i]
	}
	return mean, variance
}

// ForwardChain returns mean and variance (both of length n) of each target as predicted from those before it; the
// variance includes the noise. With z = L⁻¹ (y - m) they are y_i - L_ii z_i and L_ii², so the cost is O(n).
func (p *Posterior) ForwardChain() (mean, variance []float64) {
	mean, variance = make([]float64, len(p.x)), make([]float64, len(p.x))
	for i := range p.x {
		d := p.factor.diag(i)
		mean[i] = p.y[i] - d*p.z[i]
		variance[i] = d * d
	}
	return mean, variance
}

// gradientParams is what kernels with a faster way through a row of derivatives offer.
type gradientParams interface {
	addGradParams(dst, w []float64, x space.Unit, xs []space.Unit)
}

// gradientParamsIn is the same of kernels that need memory for it.
type gradientParamsIn interface {
	addGradParamsIn(memory, dst, w []float64, x space.Unit, xs []space.Unit)
}

// memoryFor is how many numbers addGradParamsIn needs: two for each of xs, and one for each of dst and for one parameter more.
func memoryFor(xs, dst int) int { return 2*xs + dst + 1 }

// Evidence returns the log evidence of the targets y (length n) at the points x (n×d). Unless grad is nil it must have
// one entry for each of p.Kernel.Params() and one more, and is filled with the derivatives by these logarithms and by
// log λ: ½ tr((ααᵀ - (K + λI)⁻¹) dK/dθ), Rasmussen & Williams 2006, eq. (5.9). Jitter is added as in Condition and
// held fixed. The same errors as Condition. Cost O(n³ + n²d).
func Evidence(p Prior, x []space.Unit, y []float64, grad []float64) (float64, error) {
	return evidenceOf(p, x, y, nil, grad)
}

func evidenceOf(p Prior, x []space.Unit, y []float64, variances known, grad []float64) (float64, error) {
	if err := p.Validate(); err != nil {
		return 0, err
	}
	params := len(p.Kernel.Params())
	if grad != nil && len(grad) != params+1 {
		panic("surrogate: gradient of the wrong length")
	}
	if err := errors.Join(checkData(p.Kernel.Dim(), x, y), variances.check(len(x))); err != nil {
		return 0, err
	}
	return newEvidence(p, x, y, variances).at(p, grad)
}

// evidence is the work space for many evaluations on the same data, by kernels that differ in their hyperparameters.
type evidence struct {
	points  []space.Unit // as they came
	x       []space.Unit // as the kernel has them kept
	y       []float64
	trend   []float64 // of the prior at the points; nil without one
	known   known
	factor  matrix // then the inverse of the covariance matrix
	inverse matrix // of the factor
	alpha   []float64
	w       []float64
	memory  []float64 // of gradientParamsIn
}

// newEvidence returns the work space for priors that differ from p in hyperparameters alone.
func newEvidence(p Prior, x []space.Unit, y []float64, v known) *evidence {
	e := &evidence{points: x, x: kept(p.Kernel, x), y: y, known: v, alpha: make([]float64, len(x)), w: make([]float64, len(x))}
	if p.Trend != nil {
		e.trend = make([]float64, len(x))
		for i, point := range x {
			e.trend[i] = p.Trend.At(point)
		}
	}
	return e
}

// at returns the log evidence under a valid prior and fills grad unless it is nil.
func (e *evidence) at(p Prior, grad []float64) (float64, error) {
	clear(grad)
	if len(e.x) == 0 {
		return 0, nil
	}
	if InputsOf(p.Kernel) != nil { // what is kept depends on hyperparameters
		e.x = kept(p.Kernel, e.points)
	}
	factor, _, err := factorize(p, e.x, e.known, e.factor)
	if err != nil {
		return math.Inf(-1), err
	}
	e.factor = factor
	for i, v := range e.y {
		if e.alpha[i] = v - p.Mean; e.trend != nil {
			e.alpha[i] -= e.trend[i]
		}
	}
	factor.forward(0, 0, e.alpha)
	value := logDensity(factor, e.alpha)
	if grad == nil {
		return value, nil
	}
	factor.backward(e.alpha)
	e.inverse = factor.invert(e.inverse)
	e.factor = e.inverse.gram(factor)
	e.gradient(p, grad)
	return value, nil
}

// gradient needs the weights in alpha and the inverse of the covariance matrix in factor. Pairs below the diagonal count
// twice, which takes the place of the factor ½.
func (e *evidence) gradient(p Prior, grad []float64) {
	last := len(grad) - 1
	fast, isFast := p.Kernel.(gradientParams)
	in, isIn := p.Kernel.(gradientParamsIn)
	if isIn && e.memory == nil {
		e.memory = make([]float64, memoryFor(len(e.x), last))
	}
	for i, x := range e.x {
		w := e.w[:i+1]
		for j, inverse := range e.factor.row(i) {
			w[j] = e.alpha[i]*e.alpha[j] - inverse
		}
		w[i] *= 0.5
		grad[last] += p.Noise * w[i]
		switch {
		case isIn:
			in.addGradParamsIn(e.memory, grad[:last], w, x, e.x[:i+1])
		case isFast:
			fast.addGradParams(grad[:last], w, x, e.x[:i+1])
		default:
			addEachGradParams(p.Kernel, grad[:last], w, x, e.x[:i+1])
		}
	}
}

// addEachGradParams adds Σ_i w_i dk(x, xs[i])/d log θ to dst, pair by pair.
func addEachGradParams(k Kernel, dst, w []float64, x space.Unit, xs []space.Unit) {
	pair := make([]float64, len(dst))
	for i, b := range xs {
		k.GradParams(pair, x, b)
		floats.AddScaled(dst, w[i], pair)
	}
}
