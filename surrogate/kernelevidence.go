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

// KernelEvidence is the log evidence of one set of data under kernels that differ in their hyperparameters, with its gradient: Evidence for many
// evaluations. It is the work space of them and for one goroutine. The mean of the prior is zero. Memory: 8n² bytes.
type KernelEvidence struct {
	kernel Kernel
	params int
	data   *evidence
}

// NewKernelEvidence returns the evidence of the targets y (length n) at the points x (n×d) under kernels like k. Target i has noise of the variance
// λ + variances[i], as in ConditionKnown. Numbers that are not finite and variances below 0 are an error (check.FieldError); wrong lengths are
// bugs and panic.
func NewKernelEvidence(k Kernel, x []space.Unit, y, variances []float64) (*KernelEvidence, error) {
	if err := errors.Join(k.Validate(), checkData(k.Dim(), x, y), known(variances).check(len(x))); err != nil {
		return nil, err
	}
	return &KernelEvidence{k, len(k.Params()), newEvidence(Prior{Kernel: k}, clonePoints(x), slices.Clone(y), slices.Clone(variances))}, nil
}

// Len returns how many numbers At takes.
func (e *KernelEvidence) Len() int { return e.params + 1 }

// At returns the log evidence where theta are the logarithms of the hyperparameters, in the order of Params, and last that of the noise λ. Unless grad is
// nil it is filled with the derivatives. A number in theta that is not finite, or a hyperparameter out of range, is an error (check.FieldError), and so is
// ErrNotPositiveDefinite; jitter is added as in Condition. Wrong lengths are bugs and panic. Cost O(n³ + n²d).
func (e *KernelEvidence) At(theta, grad []float64) (float64, error) {
	if len(theta) != e.Len() || grad != nil && len(grad) != len(theta) {
		panic("surrogate: gradient of the wrong length")
	}
	clear(grad)
	prior, err := PriorOf(e.kernel, theta)
	if err != nil {
		return math.Inf(-1), err
	}
	return e.data.at(prior, grad)
}

// PriorOf returns the prior that theta, in the order of KernelEvidence.At, stands for: the kernel k with those hyperparameters, and the noise, with the mean
// zero. A number that is not finite and a hyperparameter out of range are errors (check.FieldError). A wrong length is a bug and panics.
func PriorOf(k Kernel, theta []float64) (Prior, error) {
	last := len(theta) - 1
	if floats.HasNaN(theta) || math.IsInf(floats.Norm(theta, 1), 1) {
		return Prior{}, &check.FieldError{Field: "Theta", Value: fmt.Sprint(len(theta), " numbers"), Want: "finite numbers"}
	}
	prior := Prior{Kernel: k.WithParams(theta[:last]), Noise: math.Exp(theta[last])}
	return prior, prior.Validate()
}
