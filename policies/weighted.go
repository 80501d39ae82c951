package policies

import (
	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// weighted is log EI under a weighted sum of the models of earlier studies and of the own one: an acquisition.Function.
type weighted struct {
	own     *surrogate.Posterior
	share   float64 // of the own model
	others  []*surrogate.Posterior
	shares  []float64
	utility acquisition.LogExpectedImprovement
}

// ensemble is that of a view, with the models that have a weight.
func (v View) ensemble(weights []float64) *weighted {
	f := &weighted{own: v.Posterior, share: weights[len(v.Earlier)]}
	for k, e := range v.Earlier {
		if weights[k] > 0 {
			f.others, f.shares = append(f.others, e.Posterior), append(f.shares, weights[k])
		}
	}
	means := v.rowMeans()
	sums := make([]float64, len(means))
	for i, mean := range means {
		sums[i] = f.share * mean
		for k, p := range f.others {
			sums[i] += f.shares[k] * p.Mean(v.Posterior.X(i))
		}
	}
	f.utility.Best = v.greatestFeasible(sums, v.Best)
	return f
}

// moments returns mean and variance of the ensemble at x. Cost O(n² + Σ n_k²).
func (f *weighted) moments(x space.Unit) (mean, variance float64) {
	m, s := f.own.Predict(x)
	mean, spread := f.share*m, f.share*f.share
	for k, p := range f.others {
		m, variance := p.Predict(x)
		mean, spread = mean+f.shares[k]*m, spread+f.shares[k]*f.shares[k]*variance
	}
	return mean, spread * s
}

// Value returns log EI at x.
func (f *weighted) Value(x space.Unit) float64 { return f.utility.Of(f.moments(x)) }

// Gradient returns log EI at x and writes its derivatives to grad.
func (f *weighted) Gradient(x space.Unit, grad []float64) float64 {
	d := len(x)
	scratch := make([]float64, 5*d)
	slope, byVariance, meanSlope, spreadSlope, ownSlope := scratch[:d], scratch[d:2*d], scratch[2*d:3*d], scratch[3*d:4*d], scratch[4*d:]
	m, s := f.own.PredictGrad(x, meanSlope, ownSlope)
	mean, spread := f.share*m, f.share*f.share
	for j := range meanSlope {
		meanSlope[j] *= f.share
	}
	for k, p := range f.others {
		m, variance := p.PredictGrad(x, slope, byVariance)
		w := f.shares[k]
		mean, spread = mean+w*m, spread+w*w*variance
		for j := range slope {
			meanSlope[j] += w * slope[j]
			spreadSlope[j] += w * w * byVariance[j]
		}
	}
	value, dMean, dVariance := f.utility.Slopes(mean, spread*s)
	for j := range grad {
		grad[j] = dMean*meanSlope[j] + dVariance*(spreadSlope[j]*s+spread*ownSlope[j])
	}
	return value
}

// PoolValues are those at the points of a list, of which each model knows its moments.
func (f *weighted) PoolValues(pool *surrogate.Pool) []float64 {
	if f.own.Pool() != pool {
		return nil
	}
	mean, spread := make([]float64, pool.Len()), make([]float64, pool.Len())
	for i, m := range f.own.PoolMean() {
		mean[i], spread[i] = f.share*m, f.share*f.share
	}
	for k, p := range f.others {
		if !sameList(p, pool) {
			return nil
		}
		w, variance := f.shares[k], p.PoolVariance()
		for i, m := range p.PoolMean() {
			mean[i], spread[i] = mean[i]+w*m, spread[i]+w*w*variance[i]
		}
	}
	for i, s := range f.own.PoolVariance() {
		mean[i] = f.utility.Of(mean[i], spread[i]*s)
	}
	return mean
}
