package surrogate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// KernelEvidence is the log evidence of one set of data under a kernel with any hyperparameters, with its gradient. It is the work space of many
// evaluations and for one goroutine. The mean of the prior is zero. Memory: 16n² bytes.
type KernelEvidence struct {
	kernel Kernel
	data   *evidence
}

// NewKernelEvidence returns the evidence of the targets y (length n) at the points x (n×d) under kernels like k. variances are what is known of
// the noise of each target, as in ConditionKnown; nil where nothing is. Numbers that are not finite are an error (check.FieldError); wrong
// lengths are bugs and panic.
func NewKernelEvidence(k Kernel, x []space.Unit, y, variances []float64) (*KernelEvidence, error) {
	v := known(variances)
	if err := errors.Join(k.Validate(), checkData(k.Dim(), x, y), v.check(len(x))); err != nil {
		return nil, err
	}
	return &KernelEvidence{k, newEvidence(k, x, slices.Clone(y), v)}, nil
}

// Len returns how many numbers At takes.
func (e *KernelEvidence) Len() int { return len(e.kernel.Params()) + 1 }

// At returns the log evidence where theta are the logarithms of the kernel's hyperparameters, and last that of the noise λ. Unless grad is nil it
// is filled with the derivatives. A number that is not finite, or a hyperparameter out of range, is an error (check.FieldError), and so is
// ErrNotPositiveDefinite; jitter is added as in Condition. Wrong lengths are bugs and panic. Cost O(n³ + n²d).
func (e *KernelEvidence) At(theta, grad []float64) (float64, error) {
	if len(theta) != e.Len() || grad != nil && len(grad) != len(theta) {
		panic("surrogate: gradient of the wrong length")
	}
	clear(grad)
	prior, err := PriorAt(e.kernel, theta)
	if err != nil {
		return 0, err
	}
	return e.data.at(prior, grad)
}

// PriorAt returns the prior with a kernel like k at the logarithms theta of its hyperparameters, of which the last is that of the noise, and mean
// zero. What is not finite or out of range is an error (check.FieldError). A wrong length is a bug and panics.
func PriorAt(k Kernel, theta []float64) (Prior, error) {
	last := len(theta) - 1
	if floats.HasNaN(theta) {
		return Prior{}, &check.FieldError{Field: "Theta", Value: fmt.Sprint(theta), Want: "finite numbers"}
	}
	prior := Prior{Kernel: k.WithParams(theta[:last]), Noise: math.Exp(theta[last])}
	return prior, prior.Validate()
}

// LogBelief is what is believed of the logarithm of a hyperparameter: a normal law within bounds. One that is Fixed is Mean.
type LogBelief struct {
	Mean, Deviation, Low, High float64
	Fixed                      bool
}

// LogBeliefs returns what the options say of the hyperparameters of a kernel, in the order of its Params, and last of the noise. Means
// are the logarithms of modes: the density that a fit maximizes is a normal one around them.
func (o FitOptions) LogBeliefs(k Kernel, noise float64) []LogBelief {
	o = o.withDefaults(k.Dim())
	theta := append(k.Params(), math.Log(noise))
	all := make([]LogBelief, len(theta))
	for i, v := range theta {
		all[i] = LogBelief{Mean: v, Deviation: 1, Low: v, High: v, Fixed: true}
	}
	for _, f := range o.freedoms(k, theta) {
		all[f.slot] = LogBelief{Mean: math.Log(f.law.Mode()), Deviation: f.law.Sigma, Low: f.lower, High: f.upper}
	}
	return all
}
