package surrogate

import (
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// known is the variance of the noise of each target besides that of the prior: what is known of single measurements, such as the
// square of a standard error. nil means none.
type known []float64

func (k known) at(i int) float64 {
	if k == nil {
		return 0
	}
	return k[i]
}

// with returns the variances of n rows and of one more.
func (k known) with(n int, variance float64) known {
	if k == nil && variance == 0 {
		return nil
	}
	if k == nil {
		k = make(known, n)
	}
	return append(slices.Clip(k), variance)
}

// check panics on a wrong length, which is a bug, and reports what is no variance.
func (k known) check(n int) error {
	if k != nil && len(k) != n {
		panic("surrogate: wrong number of known variances")
	}
	var l check.List
	for i, v := range k {
		if !(v >= 0) || !isFinite(v) {
			l.NotNegative(fmt.Sprintf("Known[%d]", i), v)
		}
	}
	return l.Err()
}

// ConditionKnown is Condition where something is known of the noise of single targets: target i has noise of the variance
// λ + variances[i]. nil means nothing; a variance that is negative or not finite is an error, a wrong length a bug that panics.
func (p Prior) ConditionKnown(x []space.Unit, y, variances []float64, pool *Pool) (*Posterior, error) {
	return p.condition(x, y, slices.Clone(variances), pool)
}

// EvidenceKnown is Evidence where target i has noise of the variance λ + variances[i], as in ConditionKnown. The derivatives are
// by λ and by the kernel's logarithms; the variances are held fixed.
func EvidenceKnown(p Prior, x []space.Unit, y, variances []float64, grad []float64) (float64, error) {
	return evidenceOf(p, x, y, variances, grad)
}

// Known returns the variance of the noise of row i besides Noise.
func (p *Posterior) Known(i int) float64 { return p.known.at(i) }

// noiseAt is the variance on the diagonal of row i besides the kernel.
func (p *Posterior) noiseAt(i int) float64 { return p.noise() + p.known.at(i) }
