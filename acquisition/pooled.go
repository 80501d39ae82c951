package acquisition

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/surrogate"
)

// Pooled is a Function that computes its values at all points of a pool faster than one after another.
type Pooled interface {
	Function
	// PoolValues returns the value at each point of the pool, in its order, as a new slice; nil where it has no faster way
	// for this pool.
	PoolValues(pool *surrogate.Pool) []float64
}

// PoolValues returns f at each point of a pool, in its order. A Pooled function computes all of them at a cost of O(N);
// any other function is evaluated at each of the N points.
func PoolValues(f Function, pool *surrogate.Pool) []float64 {
	if p, ok := f.(Pooled); ok {
		if values := p.PoolValues(pool); values != nil {
			return values
		}
	}
	values := make([]float64, pool.Len())
	for i := range values {
		values[i] = f.Value(pool.Point(i))
	}
	return values
}

// PoolValues returns the utility at each point of the posterior's own pool, whose moments are known, and nil for another
// pool.
func (f At) PoolValues(pool *surrogate.Pool) []float64 {
	if pool != f.Posterior.Pool() {
		return nil
	}
	return poolUtility(f.Posterior, f.Utility)
}

// closeLook is how many points of a pool are looked at in full, those that are best roughly.
const closeLook = 512

// PoolValues returns the utility at the points of the posterior's own pool, whose moments are known, and nil for another
// pool. Of more than 512 points it computes the utility of the best by Rough, and returns −Inf for the others.
func (f There) PoolValues(pool *surrogate.Pool) []float64 {
	if pool != f.Posterior.Pool() {
		return nil
	}
	mean, variance := f.Posterior.PoolMean(), f.Posterior.PoolVariance()
	least, values := math.Inf(-1), make([]float64, len(mean))
	if f.Rough != nil {
		values = poolUtility(f.Posterior, f.Rough)
		if len(values) > closeLook {
			sorted := slices.Clone(values)
			slices.Sort(sorted)
			least = sorted[len(sorted)-closeLook]
		}
	}
	for i, rough := range values {
		if values[i] = math.Inf(-1); rough >= least {
			values[i] = f.Utility.OfAt(pool.Point(i), mean[i], variance[i])
		}
	}
	return values
}

// poolUtility is a utility at each point of the pool of a posterior.
func poolUtility(p *surrogate.Posterior, u Utility) []float64 {
	mean, variance := p.PoolMean(), p.PoolVariance()
	values := make([]float64, len(mean))
	for i := range values {
		values[i] = u.Of(mean[i], variance[i])
	}
	return values
}
