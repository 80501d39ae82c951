package surrogate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/space"
)

// FeatureEvidence is the log evidence of one set of data under Features kernels of any weights, with its gradient by the weights and the
// hyperparameters. It is the work space of many evaluations and for one goroutine. The mean of the prior is zero.
// Memory: 24n² bytes and two passes of n points.
type FeatureEvidence struct {
	kernel *Features // of the last evaluation
	of     Kernel    // the same as an interface
	data   *evidence
	in     []float64 // what the network sees
	pass   *network.Pass
	pull   []float64 // n×n: w ∘ K, where ½ w is the derivative by K
	slopes []float64 // n×features
	sums   []float64 // of the rows of pull
}

// NewFeatureEvidence returns the evidence of the targets y (length n) at the points x (n×d) under kernels like k, that is with its shape and its
// axis. Target i has noise of the variance λ + variances[i], as in ConditionKnown. Numbers that are not finite and variances below 0 are an
// error (check.FieldError); wrong lengths are bugs and panic.
func NewFeatureEvidence(k Features, x []space.Unit, y, variances []float64) (*FeatureEvidence, error) {
	if err := errors.Join(k.Validate(), checkData(k.Dim(), x, y), known(variances).check(len(x))); err != nil {
		return nil, err
	}
	n, h := len(x), k.net.shape.Outputs()
	k.net = &features{shape: k.net.shape, encoding: k.net.encoding, name: "features"}
	e := &FeatureEvidence{
		kernel: &k, of: &k, pass: k.net.shape.NewPass(n),
		pull: make([]float64, n*n), slopes: make([]float64, n*h), sums: make([]float64, n),
	}
	wide, d := make([]space.Unit, n), k.Dim()
	memory := make([]float64, n*(d+h))
	for i, point := range x {
		wide[i] = memory[i*(d+h) : (i+1)*(d+h) : (i+1)*(d+h)]
		copy(wide[i], point)
		e.in = k.inputs(e.in, point)
	}
	e.data = &evidence{x: wide, y: slices.Clone(y), known: slices.Clone(variances), alpha: make([]float64, n), w: make([]float64, n)}
	return e, nil
}

// Len returns how many numbers At takes.
func (e *FeatureEvidence) Len() int { return e.kernel.net.shape.Weights() + len(e.kernel.Hyper()) + 1 }

// At returns the log evidence where theta are the weights, then the logarithms of radius, outputscale and, over a fidelity, decay, and last that
// of the noise λ. Unless grad is nil it is filled with the derivatives. A number in theta that is not finite, or a hyperparameter out of range, is
// an error (check.FieldError), and so is ErrNotPositiveDefinite; jitter is added as in Condition. Wrong lengths are bugs and panic. With
// G = ½ (ααᵀ - A⁻¹) and B = G ∘ K the derivatives by the features Z are -4/r² (diag(B 1) Z - B Z), which go back through the network. Cost
// O(n³ + n² features + n·weights).
func (e *FeatureEvidence) At(theta, grad []float64) (float64, error) {
	return e.AtMean(theta, nil, grad, nil)
}

// AtMean is At where the prior mean is mean[i] at point i; nil: zero. Unless dmean is nil it is filled with the derivatives by these means,
// which are α; then grad must not be nil.
func (e *FeatureEvidence) AtMean(theta, mean, grad, dmean []float64) (float64, error) {
	n := len(e.data.x)
	if len(theta) != e.Len() || grad != nil && len(grad) != len(theta) || mean != nil && len(mean) != n || dmean != nil && (grad == nil || len(dmean) != n) {
		panic("surrogate: gradient of the wrong length")
	}
	clear(grad)
	prior, err := e.set(theta)
	if err != nil || len(e.data.x) == 0 {
		return 0, err
	}
	e.image(theta)
	factor, _, err := factorize(prior, e.data.x, e.data.known, e.data.factor)
	if err != nil {
		return math.Inf(-1), err
	}
	e.data.factor = factor
	copy(e.data.alpha, e.data.y)
	if mean != nil {
		floats.Sub(e.data.alpha, mean)
	}
	factor.forward(0, 0, e.data.alpha)
	value := logDensity(factor, e.data.alpha)
	if grad == nil {
		return value, nil
	}
	factor.backward(e.data.alpha)
	e.data.inverse = factor.invert(e.data.inverse)
	e.data.factor = e.data.inverse.gram(factor)
	copy(dmean, e.data.alpha)
	w := e.kernel.net.shape.Weights()
	e.gradientHyper(prior, grad[w:])
	e.gradientWeights(grad[:w])
	return value, nil
}

// Retarget exchanges the targets (length n, copied). Numbers that are not finite and a wrong length are bugs and panic.
func (e *FeatureEvidence) Retarget(y []float64) {
	checkTargets(len(e.data.x), y)
	copy(e.data.y, y)
}

// set makes the kernel that of theta and returns its prior.
func (e *FeatureEvidence) set(theta []float64) (Prior, error) {
	k, w := e.kernel, e.kernel.net.shape.Weights()
	k.net.weights = theta[:w]
	hyper := theta[w:]
	k.radius, k.outputscale = math.Exp(hyper[0]), math.Exp(hyper[1])
	if k.fidelity() {
		k.decay = math.Exp(hyper[2])
	}
	prior := Prior{Kernel: e.of, Noise: math.Exp(hyper[len(hyper)-1])}
	if floats.HasNaN(theta) || math.IsInf(floats.Norm(theta[:w], 1), 1) {
		return prior, &check.FieldError{Field: "Theta", Value: fmt.Sprint(len(theta), " numbers"), Want: "finite numbers"}
	}
	return prior, prior.Validate()
}

// image computes the features of the points.
func (e *FeatureEvidence) image(theta []float64) {
	d, h := e.kernel.Dim(), e.kernel.net.shape.Outputs()
	out := e.pass.Forward(theta[:e.kernel.net.shape.Weights()], e.in)
	for i, x := range e.data.x {
		copy(x[d:], out[i*h:(i+1)*h])
	}
}

// gradientHyper fills the derivatives by the logarithms of the hyperparameters and of the noise, and pull with its sums.
func (e *FeatureEvidence) gradientHyper(prior Prior, grad []float64) {
	k, n, last := e.kernel, len(e.data.x), len(grad)-1
	clear(e.sums)
	for i, a := range e.data.x {
		w := e.data.w[:i+1]
		for j, inverse := range e.data.factor.row(i) {
			w[j] = e.data.alpha[i]*e.data.alpha[j] - inverse
		}
		w[i] *= 0.5 // pairs below the diagonal count twice, which takes the place of the factor ½
		grad[last] += prior.Noise * w[i]
		for j, b := range e.data.x[:i+1] {
			far, level := k.distances(a, b)
			pull := w[j] * k.outputscale * expNeg(-(far + level))
			grad[0] += 2 * far * pull
			grad[1] += pull
			if k.fidelity() {
				grad[2] -= level * pull
			}
			if i == j {
				pull *= 2
			}
			e.pull[i*n+j], e.pull[j*n+i] = pull, pull
			e.sums[i] += pull
			if i != j {
				e.sums[j] += pull
			}
		}
	}
}

// gradientWeights fills the derivatives by the weights.
func (e *FeatureEvidence) gradientWeights(grad []float64) {
	n, h := len(e.data.x), e.kernel.net.shape.Outputs()
	out := blas64.General{Rows: n, Cols: h, Stride: h, Data: e.pass.Outputs()}
	slopes := blas64.General{Rows: n, Cols: h, Stride: h, Data: e.slopes}
	steep := e.kernel.steep() // -4/r² of G, of which pull is twice as much
	for i, sum := range e.sums {
		floats.ScaleTo(e.slopes[i*h:(i+1)*h], steep*sum, out.Data[i*h:(i+1)*h])
	}
	blas64.Gemm(blas.NoTrans, blas.NoTrans, -steep, blas64.General{Rows: n, Cols: n, Stride: n, Data: e.pull}, out, 1, slopes)
	e.pass.Backward(e.slopes, grad, nil)
}
