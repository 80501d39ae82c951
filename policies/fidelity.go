package policies

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// AtFidelity returns the view in which searches are held at a fidelity, a unit coordinate; without a fidelity in the space it is the view
// itself. A pool of points is at the greatest fidelity, so that elsewhere there is none.
func (v View) AtFidelity(level float64) View {
	at, has := v.Space.Fidelity()
	if !has {
		return v
	}
	j := slices.Index(v.Space.Held(), at)
	if v.Context[j] == level {
		return v
	}
	v.Context = slices.Clone(v.Context)
	v.Context[j] = level
	if v.Posterior != nil && v.Posterior.Pool() != nil {
		v.Posterior = v.Posterior.WithPool(nil)
	}
	return v
}

// hinted reports whether a value of a lower fidelity has come.
func (v View) hinted() bool {
	return v.Posterior != nil && slices.ContainsFunc(v.History, func(a Answer) bool { return a.Below && !a.Infeasible })
}

// apart reports whether values at lower fidelities say nothing of the greatest.
func (v View) apart() bool {
	return v.Posterior != nil && surrogate.Apart(v.Posterior.Prior().Kernel)
}

// targetMeans are the means at the rows of a model, each at the greatest fidelity and at the context.
type targetMeans struct {
	of    *surrogate.Posterior
	means []float64
}

// withRowMeans returns the view with the means at the rows of its model computed, for those who ask for them again and again.
func (v View) withRowMeans() View {
	v.targets = targetMeans{v.Posterior, v.rowMeans()}
	return v
}

// rowMeans are the means at the rows of the model, each at the greatest fidelity and at the context of the view. Cost O(n), and O(n·d) for
// each row of a lower fidelity or of another context.
func (v View) rowMeans() []float64 {
	means := v.Posterior.RowMeans()
	contextual := v.contextual()
	if _, has := v.Space.Fidelity(); !has && !contextual {
		return means
	}
	if v.targets.of == v.Posterior {
		return slices.Clone(v.targets.means)
	}
	if contextual {
		return v.meansHere(nil)
	}
	means = slices.Clone(means)
	for i := range means {
		if x := v.Posterior.X(i); !v.Space.OnTarget(x) {
			means[i] = v.Posterior.Mean(v.Space.AtTarget(x))
		}
	}
	return means
}

// Affordable returns the fidelities among which a query may be, ascending unit coordinates: those after which what is left of the budget
// still pays for one of the greatest, as long as it pays for that now, otherwise those that it pays for, at most some; the least costly
// one where it pays for none. Nil without a fidelity.
func (v View) Affordable(most int) []float64 {
	levels, funds := v.Space.Fidelities(most), v.Funds
	if levels == nil {
		return nil
	}
	if target := v.costOf(v.Space.Target()); funds >= target && !v.last() {
		funds -= target
	}
	out := slices.DeleteFunc(slices.Clone(levels), func(level float64) bool { return v.costOf(level) > funds })
	if len(out) == 0 {
		return []float64{slices.MinFunc(levels, func(a, b float64) int { return cmp.Compare(v.costOf(a), v.costOf(b)) })}
	}
	return out
}

// costOf is what a query of a fidelity is expected to cost.
func (v View) costOf(level float64) float64 {
	at, _ := v.Space.Fidelity()
	p := v.Space.Parameter(at)
	return p.Cost(p.Value(level))
}

// last reports whether what is left of the budget pays for a query of the greatest fidelity, and no more for one after any other query:
// then it is time to measure what was found.
func (v View) last() bool {
	levels := v.Space.Fidelities(mostLevels)
	if levels == nil {
		return false
	}
	target, cheapest := v.costOf(v.Space.Target()), math.Inf(1)
	for _, level := range levels {
		cheapest = min(cheapest, v.costOf(level))
	}
	return v.Funds >= target && v.Funds < target+cheapest
}

// atLevel is x at the contexts of the view and another fidelity.
func (v View) atLevel(x space.Unit, level float64) space.Unit {
	return v.Space.SnapAt(x, v.AtFidelity(level).Context)
}

// mostLevels is how many fidelities are compared, of a parameter that has more.
const mostLevels = 8

// atWorth returns the point, chosen at the greatest fidelity, at the one that tells most of it for its cost: that at which a value
// takes away most of the variance of the function there, for each unit of cost. A fidelity that was measured near by tells little
// more, so that promising points climb to the greatest by themselves; the last query that the budget pays for there is of the point
// that the model expects most of. Without a fidelity it is the point. Cost O(n²) for each fidelity.
func (v View) atWorth(x space.Unit, avoid []space.Unit, stream *rand.Rand) space.Unit {
	if _, has := v.Space.Fidelity(); !has {
		return x
	}
	if v.last() {
		return v.final(x, avoid, stream)
	}
	best, greatest := x, -1.0
	for _, level := range v.Affordable(mostLevels) {
		at := v.atLevel(x, level)
		_, variance := v.Posterior.Predict(at)
		shared := v.Posterior.Covariance(at, x)
		worth := shared * shared / (variance + v.Posterior.Noise()) / v.costOf(level)
		if worth > greatest && !slices.ContainsFunc(avoid, func(a space.Unit) bool { return slices.Equal(a, at) }) {
			best, greatest = at, worth
		}
	}
	return best
}

// final returns the point that the model expects most of; another one where a second value there tells nothing.
func (v View) final(otherwise space.Unit, avoid []space.Unit, stream *rand.Rand) space.Unit {
	return v.unlessKnown(v.surest(posteriorMean(v.Posterior), stream), otherwise, avoid)
}

// surest returns the maximizer of a mean where the constraints hold surely: the last query that a budget pays for is not to be lost at
// the very bound, where models err by however little. The bounds are raised by two standard deviations at the maximizer within the
// bounds, and by twice what a query of the greatest fidelity nearby was measured to lack of them. Cost two searches.
func (v View) surest(mean acquisition.Function, stream *rand.Rand) space.Unit {
	v.Quiet = false
	x := v.Maximize(mean, nil, stream)
	region := v.Region()
	if len(region) == 0 {
		return x
	}
	top := v
	top.Queries = slices.DeleteFunc(slices.Clone(v.Queries), func(q Query) bool { return !v.Space.OnTarget(q.X) })
	if higher := top.lifted(region, x); higher != nil {
		region = higher
	}
	for i, b := range region {
		_, variance := b.Posterior.Predict(x)
		region[i].Least += sureDeviations * math.Sqrt(max(variance, 0))
	}
	return v.maximize(mean, region, nil, stream)
}

const sureDeviations = 2

// posteriorMean is the mean of a posterior as an acquisition.Function.
func posteriorMean(p *surrogate.Posterior) acquisition.Function {
	return acquisition.At{Posterior: p, Utility: acquisition.UpperConfidenceBound{}}
}

// unlessKnown returns a point; another one where the first is to be avoided or a second value there tells nothing.
func (v View) unlessKnown(x, otherwise space.Unit, avoid []space.Unit) space.Unit {
	same := func(a space.Unit) bool { return slices.Equal(a, x) }
	if slices.ContainsFunc(avoid, same) || v.Quiet && slices.ContainsFunc(v.Queries, func(q Query) bool { return same(q.X) }) {
		return otherwise
	}
	return x
}

// lastly explains the last query that a budget pays for at the greatest fidelity.
func (v View) lastly() Explanation {
	return Explanation{
		Acquisition: "posterior mean", Of: Level, Function: posteriorMean(v.Posterior), Target: true,
		Why: "the budget pays for no more than a query of the greatest fidelity: it is of the point where the value is expected to be {greatest|least}, unless that is known",
	}
}

// paid explains what is maximized for each unit of cost to the power omega; without a fidelity there is nothing to take off.
func (v View) paid(e Explanation, omega float64) Explanation {
	if _, has := v.Space.Fidelity(); has {
		e.Acquisition, e.Of, e.Function = e.Acquisition+", less that of the cost", Plain, paidFor{e.Function, v, omega}
	}
	return e
}

// paidFor is a logarithm less that of the cost to the power omega.
type paidFor struct {
	acquisition.Function
	view  View
	omega float64
}

// Value returns it at x.
func (f paidFor) Value(x space.Unit) float64 { return f.Function.Value(x) - f.omega*f.view.logCost(x) }

// Gradient returns it at x and writes its derivatives to grad: searches hold the fidelity.
func (f paidFor) Gradient(x space.Unit, grad []float64) float64 {
	return f.Function.Gradient(x, grad) - f.omega*f.view.logCost(x)
}
