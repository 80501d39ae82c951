package acquisition

import (
	"math"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// FidelityGain is the logarithm of what a noisy value of any fidelity tells about the maximum of the function at the greatest one, in
// nats: the mean over some samples of the maximum of EntropyGainNoisy, with the mean and the variance of the function at the target, and
// with the correlation of the value with it. (Zhang 2024, eq. 5.23, conditions the function of the lower fidelity itself, as if it could
// not be above the maximum, and leaves the noise out.)
type FidelityGain struct {
	Posterior *surrogate.Posterior
	Space     space.Space
	Maxima    []float64 // samples of the maximum, at least one, in the model's units; ascending they cost least
}

// negligible is how much less the logarithm of a gain is than another where it does not count. Between the gain of a value without noise
// and the bound of MatchedGain, ρ² times it where γ is large, any gain falls at least as e^(−γ²/2)·γ/ρ².
const negligible = 60

// leastShared is the squared correlation below which a value tells nothing.
const leastShared = 1e-12

// Value returns the logarithm of the gain at x. Cost O(n²).
func (f FidelityGain) Value(x space.Unit) float64 {
	var out [1]float64
	f.Values([]space.Unit{x}, out[:])
	return out[0]
}

// Values fills out[i] with the logarithm of the gain at xs[i]. It is fastest where points that differ by the fidelity alone follow each
// other. Cost O(n²) for each point and for each target.
func (f FidelityGain) Values(xs []space.Unit, out []float64) {
	q := surrogate.NewPredictor(f.Posterior, batch)
	pairs := make([]surrogate.Pair, batch)
	for len(xs) > 0 {
		target, n := f.Space.AtTarget(xs[0]), 1
		for n < len(xs) && n+1 < batch && within(f.Space.AtTarget(xs[n]), target, 0) {
			n++
		}
		q.Pairs(pairs, xs[:n], target)
		for i, pair := range pairs[:n] {
			out[i], _ = f.of(pair)
		}
		xs, out = xs[n:], out[n:]
	}
}

// Gradient returns the logarithm of the gain at x and writes its derivatives as the point moves at its fidelity, and the target with it.
// Cost O(n²).
func (f FidelityGain) Gradient(x space.Unit, grad []float64) float64 {
	slopes := surrogate.NewPairSlopes(len(x))
	pair := surrogate.NewPredictor(f.Posterior, 2).PairGrad(x, f.Space.AtTarget(x), slopes)
	value, by := f.of(pair)
	for j := range grad {
		grad[j] = by.Mean*slopes.Mean[j] + by.Variance*slopes.Variance[j] + by.Own*slopes.Own[j] + by.Covariance*slopes.Covariance[j]
	}
	return value
}

// of returns the logarithm of the gain and its derivatives by the numbers of the pair.
func (f FidelityGain) of(pair surrogate.Pair) (value float64, by surrogate.Pair) {
	variance, all := max(pair.Variance, minVariance), max(pair.Own, minVariance)+f.Posterior.Noise()
	sd, shared := math.Sqrt(variance), pair.Covariance*pair.Covariance/(variance*all)
	rho2 := min(max(shared, leastShared), 1-leastShared)
	value = math.Inf(-1)
	var dmean, dlog float64
	var dvariance float64 // by way of γ alone
	first := (f.Maxima[0] - pair.Mean) / sd
	for _, greatest := range f.Maxima {
		gam := (greatest - pair.Mean) / sd
		if first > 1 && (gam-first)*(gam+first)/2+math.Log(rho2) > negligible+math.Log(gam/first) {
			continue
		}
		own, dgam, dl := logEntropyGainNoisy(gam, rho2, 1-rho2)
		before := value
		value, dmean, dvariance = blend(before, own, dmean, -dgam/sd, dvariance, -dgam*gam/(2*variance))
		_, dlog, _ = blend(before, own, dlog, dl, 0, 0)
	}
	by.Mean, by.Variance = dmean, dvariance
	if shared > leastShared && shared < 1-leastShared {
		by.Covariance = 2 * dlog / pair.Covariance
		by.Variance -= dlog / variance
		by.Own = -dlog / all
	}
	if pair.Variance <= minVariance {
		by.Variance = 0
	}
	return value - math.Log(float64(len(f.Maxima))), by
}
