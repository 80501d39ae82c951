package policies

import (
	"math"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// alone is what the model of a view says by the answers alone. Where it hallucinates what pends, at the mean, its means are those already, and the variances without
// what pends are told beside its own; no posterior without these rows has to be made, which costs far more where they are many, or lie among the others.
type alone struct {
	View                    // whose model has all rows, or the answers alone
	left *surrogate.LeftOut // what tells the variances without what pends; nil where the model has the answers alone
	pool []float64          // of aloneOnList: the variances over the list
}

// aside is alone for a posterior that it was computed of.
type aside struct {
	of     *surrogate.Posterior
	left   *surrogate.LeftOut
	belief model.Belief // of the answers alone; not where left tells it
}

// alone returns what the model says by the answers alone, up to round-off, without a pool. Cost that of surrogate.Posterior.LeaveOut, and that of Ignoring
// where it cannot be had so; nothing for a view of withAlone.
func (v View) alone() alone {
	known := v.aside
	if known.of != v.Posterior {
		known = v.outside()
	}
	if known.left == nil {
		v.Belief = known.belief
	}
	return alone{View: v, left: known.left}
}

// aloneOnList is alone with the variances over the list too, where the view has one. Cost O(nN) for each query that pends and N points.
func (v View) aloneOnList() alone {
	listed, a := v.listed(), v.alone()
	switch {
	case listed && a.left == nil:
		a = alone{View: v.Ignoring()}
		a.pool = a.Posterior.PoolVariance()
	case listed:
		a.pool = a.left.PoolVariance()
	}
	return a
}

// outside computes it.
func (v View) outside() aside {
	of := v.Posterior
	if pending := v.pendingRows(); len(pending) == 0 || v.Want.Pending == feedback.Hallucinate {
		if left, ok := of.LeaveOut(pending); ok {
			return aside{of: of, left: left}
		}
	}
	v.Posterior = of.WithPool(nil)
	return aside{of: of, belief: v.Ignoring().Belief}
}

// withAlone returns the view with what alone needs computed, for those who ask for it again and again.
func (v View) withAlone() View {
	v.aside = v.outside()
	return v
}

// forecast is View.Forecast by the answers alone.
func (a alone) forecast(x space.Unit) *Forecast {
	if !a.Informed() {
		return nil
	}
	return a.forecastOf(a.moments(x))
}

// logEvidence is that of the answers alone.
func (a alone) logEvidence() float64 {
	if a.left == nil {
		return a.Posterior.LogEvidence()
	}
	return a.left.LogEvidence()
}

// moments returns posterior mean and variance at x.
func (a alone) moments(x space.Unit) (mean, variance float64) {
	if a.left == nil {
		return a.View.moments(x)
	}
	return a.left.Predict(x)
}

// bestLower is the greatest lower bound, so many standard deviations below the mean: over the list where the view has one, otherwise over
// the rows of the posterior that have a value or a report, at the context of the view and at whatever fidelity that says something of the greatest
// one (the bound at the greatest was tried, and is worse: docs/policies.md), and over feasible ones with constraints or failures. Rows whose mean is
// too low are not looked at. Cost O(n²) at most for each of the others, of which there are few.
func (a alone) bestLower(beta float64) float64 {
	best := math.Inf(-1)
	if a.pool != nil && !a.bounded() {
		for i, mean := range a.Posterior.PoolMean() {
			best = max(best, mean-beta*math.Sqrt(a.pool[i]))
		}
		return best
	}
	means, variance, feasible := a.Posterior.RowMeans(), a.Posterior.VarianceAt, a.feasible()
	if a.left != nil {
		variance = a.left.VarianceAt
	}
	if a.contextual() {
		var pending []int
		if a.left != nil {
			pending = a.pendingRows()
		}
		means = a.meansHere(pending)
		variance = func(row int) float64 {
			_, variance := a.moments(a.here(a.Posterior.X(row)))
			return variance
		}
	}
	came, apart := a.answered(), a.apart()
	for _, i := range descending(means) {
		if means[i] <= best {
			break
		}
		if apart && !a.Space.OnTarget(a.Posterior.X(i)) {
			continue
		}
		if reported := a.Rows[i] < 0; (came[i] || reported) && (feasible == nil || feasible[i]) {
			best = max(best, means[i]-beta*math.Sqrt(max(variance(i), 0)))
		}
	}
	return best
}
