package policies

import (
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// members are equally probable models of one set of rows in the same units, such as posteriors under particles of the kernel's
// parameters, with what a value tells under them.
type members struct {
	gain acquisition.TransferGain
	mean expected
	best space.Unit // the candidate with the greatest mean; nil without candidates
}

// memberPoints are random points that are tried at every fidelity.
const memberPoints = 48

// memberBlock is how many candidates are predicted together.
const memberBlock = 16

// membersOf returns the members of some posteriors, at least one, that have the rows of the view's own. Under each the maximum has so
// many samples, quantiles (i − ½)/samples of the Gumbel law of the maximum of the candidates, which are points at the greatest fidelity;
// none is below the greatest mean at the rows (View.Target). beta weighs what a value tells about which member is right. Cost O(n²) for
// each candidate and O(n·d) for each row of a lower fidelity, under each posterior.
func (v View) membersOf(posteriors []*surrogate.Posterior, candidates []space.Unit, samples int, beta float64) members {
	m := members{gain: acquisition.TransferGain{Beta: beta}, mean: posteriors}
	sum := make([]float64, len(candidates))
	mean, variance := make([]float64, len(candidates)), make([]float64, len(candidates))
	for _, p := range posteriors {
		q := surrogate.NewPredictor(p, memberBlock)
		for from := 0; from < len(candidates); from += memberBlock {
			to := min(from+memberBlock, len(candidates))
			q.Predict(candidates[from:to], mean[from:to], variance[from:to])
		}
		for i, y := range mean {
			sum[i] += y
		}
		own := v
		own.Posterior = p
		maxima := make([]float64, samples)
		gumbelMaxima(maxima, mean, variance)
		raise(maxima, own.Target())
		m.gain.Members = append(m.gain.Members, acquisition.FidelityGain{Posterior: p, Space: v.Space, Maxima: maxima})
	}
	if i := greatest(sum); i >= 0 {
		m.best = candidates[i]
	}
	return m
}

// memberForItsCost returns the point and the fidelity with the greatest gain under the members for each unit of cost to the power
// omega. Compared at every fidelity that what is left of the budget pays for are promising points, the one that the members expect most
// of, and random ones; the best of them are moved on at theirs. The last query that the budget pays for is the point that the members
// expect most of. Without a fidelity it is the best point. Cost O(n²) for each point, fidelity and member.
func (v View) memberForItsCost(m members, omega float64, avoid []space.Unit, stream *rand.Rand) space.Unit {
	levels := v.Affordable(mostLevels)
	if levels == nil {
		levels = []float64{1} // of no parameter
	}
	best := v.Random(stream, avoid)
	if m.best != nil {
		best = v.moved(m.mean, priced{x: m.best}, 0).x
	}
	if v.last() {
		return v.unlessKnown(v.surest(m.mean, stream), best, avoid)
	}
	return v.bestForItsCost(m.gain, v.places(best, memberPoints, stream), levels, omega, avoid)
}

// mostExpectedOf returns the point with the greatest mean over the members at the context of the view, not among avoid.
func (v View) mostExpectedOf(m members, avoid []space.Unit, stream *rand.Rand) space.Unit {
	return v.Maximize(m.mean, avoid, stream)
}

// expected is the mean of the posterior means of equally probable models: an acquisition.Function.
type expected []*surrogate.Posterior

// Value returns the mean at x. Cost O(n·d) for each member.
func (e expected) Value(x space.Unit) float64 {
	sum := 0.0
	for _, p := range e {
		sum += p.Mean(x) / float64(len(e))
	}
	return sum
}

// Gradient returns the mean at x and writes its derivatives to grad. Cost twice that of Value.
func (e expected) Gradient(x space.Unit, grad []float64) float64 {
	sum, own := 0.0, make([]float64, len(x))
	clear(grad)
	for _, p := range e {
		sum += p.MeanGrad(x, own) / float64(len(e))
		for j, s := range own {
			grad[j] += s / float64(len(e))
		}
	}
	return sum
}
