package acquisition

import (
	"math"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Sum is the sum of functions, such as of logarithms: the logarithm of a product.
type Sum []Function

// slow reports whether a function costs more than one of a single posterior.
func slow(f Function) bool {
	switch f.(type) {
	case Sum, LeftOut:
		return true
	}
	return false
}

// Value returns the sum at x.
func (f Sum) Value(x space.Unit) float64 {
	sum := 0.0
	for _, part := range f {
		sum += part.Value(x)
	}
	return sum
}

// Gradient returns the sum at x and writes its derivatives to grad.
func (f Sum) Gradient(x space.Unit, grad []float64) float64 {
	sum, own := 0.0, make([]float64, len(grad))
	clear(grad)
	for _, part := range f {
		sum += part.Gradient(x, own)
		for j, d := range own {
			grad[j] += d
		}
	}
	return sum
}

// PoolValues returns the sum at each point of a pool whose points are those of the pools of all parts, and nil where some part has
// no faster way.
func (f Sum) PoolValues(pool *surrogate.Pool) []float64 {
	sum := make([]float64, pool.Len())
	for _, part := range f {
		values := alike(part, pool)
		if values == nil {
			return nil
		}
		for i, v := range values {
			sum[i] += v
		}
	}
	return sum
}

// alike returns a function at the points of a pool, from the pool of its own posterior where that has the same points; nil where
// that does not help.
func alike(f Function, pool *surrogate.Pool) []float64 {
	own := pool
	if p := poolOf(f); p != nil {
		own = p
	}
	pooled, is := f.(Pooled)
	if !is || !own.Alike(pool) {
		return nil
	}
	return pooled.PoolValues(own)
}

// poolOf is the pool of the posterior of a function; nil without one.
func poolOf(f Function) *surrogate.Pool {
	switch f := f.(type) {
	case At:
		return f.Posterior.Pool()
	case There:
		return f.Posterior.Pool()
	case LeftOut:
		return f.Rows.Posterior().Pool()
	case Face:
		return poolOf(f.Function)
	case LogJointEntropyGain:
		return f.posterior.Pool()
	}
	return nil
}

// LogProbability returns the logarithm of the probability that every constraint of the region holds at a point, their functions
// taken to be independent: Σ log Φ((μ − Least)/σ) with the latent σ (Schonlau et al. 1998; Gardner et al. 2014).
func (r Region) LogProbability() Sum {
	out := make(Sum, len(r))
	for i, b := range r {
		out[i] = At{Posterior: b.Posterior, Utility: LogProbabilityOfImprovement{Best: b.Least}}
	}
	return out
}

// sums evaluates a sum of functions.
type sums struct {
	parts []evaluator
	value []float64
	grads [][]float64
}

func newSums(f Sum) *sums {
	s := &sums{}
	for _, part := range f {
		s.parts = append(s.parts, newEvaluator(part))
	}
	return s
}

func (s *sums) values(xs []space.Unit, out []float64) {
	own := make([]float64, len(xs))
	clear(out[:len(xs)])
	for _, part := range s.parts {
		part.values(xs, own)
		for i, v := range own {
			out[i] = numbered(out[i] + v)
		}
	}
}

func (s *sums) gradients(xs []space.Unit, out []float64, grads [][]float64) {
	if len(xs) > len(s.value) {
		s.value, s.grads = make([]float64, len(xs)), make([][]float64, len(xs))
		for i := range s.grads {
			s.grads[i] = make([]float64, len(xs[0]))
		}
	}
	for k, part := range s.parts {
		if k == 0 {
			part.gradients(xs, out, grads)
			continue
		}
		part.gradients(xs, s.value[:len(xs)], s.grads[:len(xs)])
		for i, v := range s.value[:len(xs)] {
			out[i] = numbered(out[i] + v)
			for j, d := range s.grads[i] {
				grads[i][j] += d
			}
		}
	}
}

// summed returns points of the pool with what the posteriors of a sum know of them; nil where that does not help.
func summed(f Sum) []candidate {
	if len(f) == 0 {
		return nil
	}
	pool := poolOf(f[0])
	if pool == nil {
		return nil
	}
	return valued(pool, f.PoolValues(pool))
}

// valued are the points of a pool with their values, but for those that are −Inf; nil without values.
func valued(pool *surrogate.Pool, values []float64) []candidate {
	if values == nil {
		return nil
	}
	out := make([]candidate, 0, len(values))
	for i, v := range values {
		if !math.IsInf(v, -1) {
			out = append(out, candidate{pool.Point(i), numbered(v)})
		}
	}
	return out
}
