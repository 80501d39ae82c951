package acquisition

import (
	"math"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// LogJointEntropyGain is the logarithm of what a noisy value tells about the place and the value of the maximum together, in nats: the
// mean over some samples of them (joint entropy search, Hvarfner et al. 2022; Tu et al. 2022). Told a sample, the posterior is
// conditioned on that value at that place, without noise, and cut off above at it. What is left is counted as normal, with the variance
// that it has, as in MatchedGain.
type LogJointEntropyGain struct {
	posterior *surrogate.Posterior
	optima    []optimum
}

// optimum is a sample of the maximum with what it means for the posterior.
type optimum struct {
	covariance surrogate.CrossCovariance
	value      float64
	lift       float64 // (value − μ(x*))/σ²(x*)
	variance   float64 // σ²(x*)
}

// leastOptimum is the variance at the place of a maximum, of the prior one, below which the place is known and tells nothing.
const leastOptimum = 1e-10

// NewLogJointEntropyGain returns it for maxima at these places, at least one, with these values, in the model's units. Cost O(n²) for
// each.
func NewLogJointEntropyGain(p *surrogate.Posterior, places []space.Unit, values []float64) LogJointEntropyGain {
	f := LogJointEntropyGain{posterior: p}
	for i, x := range places {
		mean, variance := p.Predict(x)
		o := optimum{covariance: p.CrossCovariance(x), value: values[i], variance: math.Inf(1)}
		if variance > leastOptimum*p.Prior().Kernel.Diag(x) {
			o.lift, o.variance = (values[i]-mean)/variance, variance
		}
		f.optima = append(f.optima, o)
	}
	return f
}

// Value returns the logarithm of the gain at x. Cost O(n² + S·n) for S samples.
func (f LogJointEntropyGain) Value(x space.Unit) float64 {
	mean, variance := f.posterior.Predict(x)
	logs := newLogMean(len(f.optima))
	for _, o := range f.optima {
		logs.add(o.gain(mean, variance, f.posterior.Noise(), o.covariance.At(x)))
	}
	return logs.value()
}

// Gradient returns the logarithm of the gain at x and its derivatives. Cost twice that of Value.
func (f LogJointEntropyGain) Gradient(x space.Unit, grad []float64) float64 {
	dmean, dvariance, dcovariance := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	mean, variance := f.posterior.PredictGrad(x, dmean, dvariance)
	logs := newLogMean(len(f.optima))
	clear(grad)
	for _, o := range f.optima {
		g := o.gain(mean, variance, f.posterior.Noise(), o.covariance.Grad(x, dcovariance))
		share := logs.add(g)
		for j := range grad {
			own := g.dmean*dmean[j] + g.dvariance*dvariance[j] + g.dcovariance*dcovariance[j]
			grad[j] += share * (own - grad[j])
		}
	}
	return logs.value()
}

// PoolValues returns the logarithm of the gain at each point of the posterior's own pool, and nil for another pool. Cost O(S·n·N).
func (f LogJointEntropyGain) PoolValues(pool *surrogate.Pool) []float64 {
	if pool == nil || pool != f.posterior.Pool() {
		return nil
	}
	mean, variance := f.posterior.PoolMean(), f.posterior.PoolVariance()
	all, covariance := make([]logMean, pool.Len()), make([]float64, pool.Len())
	for i := range all {
		all[i] = newLogMean(len(f.optima))
	}
	for _, o := range f.optima {
		o.covariance.Pool(covariance)
		for i := range all {
			all[i].add(o.gain(mean[i], variance[i], f.posterior.Noise(), covariance[i]))
		}
	}
	out := make([]float64, len(all))
	for i := range out {
		out[i] = all[i].value()
	}
	return out
}

// jointGain is the logarithm of the gain of one sample and its derivatives.
type jointGain struct{ log, dmean, dvariance, dcovariance float64 }

// gain returns it where the posterior has this mean and latent variance, and this covariance with the value at the maximum.
func (o optimum) gain(mean, variance, noise, covariance float64) jointGain {
	known := max(variance, minVariance)
	told := min(covariance*covariance/o.variance, known) // by the value at the maximum
	left := max(known-told, minVariance)
	sd := math.Sqrt(left)
	gam := (o.value - mean - o.lift*covariance) / sd
	c := cutOffAt(gam)
	all := known + noise
	share := (told + left*c.hazard*c.gap) / all // of the variance, that goes
	rest := (noise + left*c.variance) / all
	if share <= 0 {
		return jointGain{log: math.Inf(-1)}
	}
	twice := -math.Log1p(-share)
	if share > 0.5 {
		twice = -math.Log(rest)
	}
	// By γ and by what is left: that is left·V(γ) with V′ = −R·bend.
	dgam, dleft := left*c.hazard*c.bend, -c.variance+c.hazard*c.bend*(-gam)/2
	unit := 1 / (rest * all * twice)
	g := jointGain{log: math.Log(twice / 2), dmean: -dgam / sd * unit, dvariance: 1/(all*twice) + dleft*unit}
	g.dcovariance = -dgam*o.lift/sd*unit - 2*covariance/o.variance*dleft*unit
	if variance < minVariance || left <= minVariance {
		g.dvariance = 0
	}
	return g
}

// logMean is the logarithm of the mean of some numbers that are given by their logarithms.
type logMean struct{ sum, count float64 }

func newLogMean(count int) logMean { return logMean{math.Inf(-1), float64(count)} }

// add adds a number, and returns its share of the sum so far.
func (l *logMean) add(g jointGain) (share float64) {
	if math.IsInf(g.log, -1) || math.IsNaN(g.log) {
		return 0
	}
	share = 1 / (1 + math.Exp(l.sum-g.log))
	if math.IsInf(l.sum, -1) {
		share = 1
	}
	l.sum = max(l.sum, g.log) + math.Log1p(math.Exp(-math.Abs(l.sum-g.log)))
	return share
}

func (l logMean) value() float64 { return l.sum - math.Log(l.count) }
