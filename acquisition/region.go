package acquisition

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Bound is a constraint as a model sees it: it holds where the function of the posterior is at least Least, in the posterior's units.
type Bound struct {
	Posterior *surrogate.Posterior
	Least     float64
}

// mean returns the posterior mean at x, from the pool where x belongs to it.
func (b Bound) mean(x space.Unit) float64 {
	if pool := b.Posterior.Pool(); pool != nil {
		if i := pool.Index(x); i >= 0 {
			return b.Posterior.PoolMean()[i]
		}
	}
	return b.Posterior.Mean(x)
}

// Region are the points where each of some constraints holds with a probability of at least a half: where every posterior mean is at
// least its bound. Means cost O(n·d), so that a search can look at many. The empty region is everything.
type Region []Bound

// Has reports whether x is in the region. Cost O(n·d) for each constraint.
func (r Region) Has(x space.Unit) bool {
	for _, b := range r {
		if !(b.mean(x) >= b.Least) {
			return false
		}
	}
	return true
}

// Probability returns the probability that every constraint holds at x, see LogProbability. Cost O(n²) for each.
func (r Region) Probability(x space.Unit) float64 { return math.Exp(r.LogProbability().Value(x)) }

const penaltyWeight = 30 // of the square of what a mean lacks, in the units of the models

// penalty is what is taken from the utility at x outside of the region, smooth in x; its derivatives are added to slopes where these
// are wanted. Cost O(n·d).
func (r Region) penalty(x space.Unit, slopes []float64) float64 {
	sum, own := 0.0, make([]float64, len(x))
	for _, b := range r {
		var mean float64
		if slopes != nil {
			mean = b.Posterior.MeanGrad(x, own)
		} else {
			mean = b.mean(x)
		}
		lack := b.Least - mean
		if !(lack > 0) {
			continue
		}
		sum += penaltyWeight * lack * lack
		for j := range slopes {
			slopes[j] -= 2 * penaltyWeight * lack * own[j]
		}
	}
	return sum
}

// penalize takes from the values of candidates what the region does.
func (r Region) penalize(all []candidate) {
	for i, c := range all {
		all[i].value = numbered(c.value - r.penalty(c.x, nil))
	}
}

// penalized evaluates a function that is to be maximized within a region: outside of it a search is led back.
type penalized struct {
	evaluator
	region Region
}

func (e penalized) values(xs []space.Unit, out []float64) {
	e.evaluator.values(xs, out)
	for i, x := range xs {
		out[i] = numbered(out[i] - e.region.penalty(x, nil))
	}
}

func (e penalized) gradients(xs []space.Unit, out []float64, grads [][]float64) {
	e.evaluator.gradients(xs, out, grads)
	for i, x := range xs {
		slopes := make([]float64, len(x))
		out[i] = numbered(out[i] - e.region.penalty(x, slopes))
		for j, d := range slopes {
			grads[i][j] -= d
		}
	}
}

// inside returns a candidate or, where it is outside of the region, the one that it is returned to.
func (s *Search) inside(e evaluator, c candidate) candidate {
	if s.Within.Has(c.x) {
		return c
	}
	lower, upper := s.box(c.x)
	x := s.returned(c.x, lower, upper)
	if snapped := s.Space.Snap(x); !slices.Equal(snapped, x) && !s.Within.Has(snapped) {
		lower, upper = s.real(snapped)
		x = s.returned(snapped, lower, upper)
	}
	return score(e, []space.Unit{s.Space.Snap(x)})[0]
}
