package safety

import (
	"math"

	"github.com/tarry-bo/tarry/internal/check"
)

// expands reports whether a candidate that is not safe would be if the constraints at candidate i were measured at their
// upper bounds u = μ + βσ. One more observation changes the moments of a function elsewhere by a matrix of rank one: with
// the covariance c between both places and s = σ² + λ the variance of the observation,
//
//	μ' = μ + c βσ/s,   σ'² = σ² - c²/s.
//
// Rasmussen & Williams 2006, eqs. (2.25) and (2.26).
func (v *sight) expands(i int) bool {
	if v.Beta.Infinite || len(v.all) == len(v.safe) {
		return false
	}
	would := make([]bool, len(v.safe))
	for j, safe := range v.safe {
		would[j] = !safe
	}
	for k, m := range v.on {
		belief := v.Constraints[k].Belief
		total := m.sd[i]*m.sd[i] + belief.Noise()
		if !(total > 0) {
			clear(v.row) // what is known already tells nothing
			total = 1
		} else {
			belief.PoolCovariance(v.row, i)
		}
		grown := false
		for j, c := range v.row {
			if !would[j] {
				continue
			}
			mean := m.mean[j] + c*v.Beta.Value*m.sd[i]/total
			sd := math.Sqrt(max(m.sd[j]*m.sd[j]-c*c/total, 0))
			would[j] = mean-v.Beta.Value*sd >= 0
			grown = grown || would[j]
		}
		if !grown {
			return false
		}
	}
	return true
}

// NormBeta is β of SafeOpt where the constraint is a function whose norm in the space of the kernel is at most bound:
// β = bound + 4 sigma √(gain + 1 + ln(1/delta)), for noise with standard deviation sigma, the largest information gain of the queries
// in nats, and a probability delta of being wrong (Zhang 2024, eq. 6.19). It is what a Promise does without. Numbers
// that are not finite, negative ones and delta outside of (0, 1) are errors.
func NormBeta(bound, sigma, gain, delta float64) (Beta, error) {
	var l check.List
	l.NotNegative("NormBeta.Bound", bound)
	l.NotNegative("NormBeta.Sigma", sigma)
	l.NotNegative("NormBeta.Gain", gain)
	l.Require(delta > 0 && delta < 1, "NormBeta.Delta", delta, "0 < Delta < 1")
	if err := l.Err(); err != nil {
		return Beta{}, err
	}
	return Beta{Value: bound + 4*sigma*math.Sqrt(gain+1-math.Log(delta))}, nil
}
