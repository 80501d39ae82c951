package policies

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// Where a study names constraints a view has a model of each. They are taken to be independent, and a point is feasible as far as all
// hold. Whatever a policy maximizes is then
//
//	a logarithm of a gain or of a chance (MaximizeGain): plus that of the probability of feasibility, so that the product is maximized
//	(Schonlau et al. 1998; Gardner et al. 2014);
//	anything else (Maximize): within the points where each constraint holds with a probability of at least a half.
//
// As long as no feasible point is known, that probability itself is maximized (Gelbart et al. 2014): it is greater where the models
// know little than where they know that a constraint does not hold.

// Constraint is a constraint as the study names it, with the belief about its margin, which is ≥ 0 where it holds.
type Constraint struct {
	outcome.Constraint
	model.Belief
}

// Propose lets a policy choose count points. As long as values have come, but none at a feasible point, the view chooses in its place
// where a feasible one is most likely to be found. A policy of another package gets a copy of the view, at a cost of O(n·d), and what it
// returns is copied: whatever it changes, it changes nothing else.
func Propose(p Policy, v View, count int, stream *rand.Rand) ([]Proposal, error) {
	v = v.lent(p).Avoiding()
	switch traits := p.Traits(); {
	case v.seeks() && !traits.Safety.Seeds: // to look for a feasible point is not safe
		return Sequential(v, count, traits.Pending, func(v View, avoid []space.Unit) space.Unit { return v.seek(avoid, stream) }), nil
	case traits.Adapts && v.level():
		proposals := Sequential(v, count, traits.Pending, func(v View, avoid []space.Unit) space.Unit { return v.unguided(avoid, stream) })
		for i := range proposals {
			proposals[i].Forecast = nil
		}
		return proposals, nil
	}
	proposals, err := p.Propose(v, count, stream)
	if foreign(p) {
		proposals = taken(proposals)
	}
	return proposals, err
}

// seeks reports whether values have come, and none at a feasible point.
func (v View) seeks() bool {
	return len(v.Constraints) > 0 && v.Incumbent == nil && v.Constraints[0].Incumbent != nil
}

// seek returns the point that is most likely to be feasible.
func (v View) seek(avoid []space.Unit, stream *rand.Rand) space.Unit {
	f := v.Region().LogProbability()
	if v.listed() {
		return v.poolBest(acquisition.PoolValues(f, v.Posterior.Pool()), false, avoid, stream)
	}
	return acquisition.Maximize(f, acquisition.Search{
		Space: v.Space, Context: v.Context, Avoid: append(v.Known(), avoid...), Stream: stream, Near: v.leastLacking(), Inputs: v.inputs(),
	})
}

// Region returns where each constraint holds with a probability of at least a half, and a query is expected to succeed; everywhere without
// constraints and failures.
func (v View) Region() acquisition.Region {
	var out acquisition.Region
	for _, c := range v.Constraints {
		out = append(out, acquisition.Bound{Posterior: c.Posterior, Least: c.Units.To(0)})
	}
	return append(out, v.succeeds()...)
}

// lifted returns a region whose bounds are higher by twice what the query nearest to x was measured to lack of them; nil where it lacks
// nothing. A point at the very bound is not feasible where the models err by however little. Cost O(n·d).
func (v View) lifted(region acquisition.Region, x space.Unit) acquisition.Region {
	nearest, distance := 0, math.Inf(1)
	for _, q := range v.Queries {
		if d := floats.Distance(q.X, x, math.Inf(1)); d < distance {
			nearest, distance = q.Number, d
		}
	}
	out := slices.Clone(region)
	lifted := false
	for i, c := range v.Constraints {
		row := slices.Index(c.Rows, nearest)
		if row < 0 || i >= len(out) {
			return nil
		}
		if lack := region[i].Least - c.Posterior.Targets()[row]; lack > 0 {
			out[i].Least += 2 * lack
			lifted = true
		}
	}
	if !lifted {
		return nil
	}
	return out
}

// MaximizeGain is Maximize for the logarithm of a gain or of a chance, such as log EI, which is worth as much as the point is likely to
// be feasible.
func (v View) MaximizeGain(f acquisition.Function, avoid []space.Unit, stream *rand.Rand) space.Unit {
	return v.maximize(v.IfFeasible(f), nil, avoid, stream)
}

// IfFeasible returns the logarithm of a gain or a chance that there is only at a feasible point: times the probability of feasibility.
func (v View) IfFeasible(f acquisition.Function) acquisition.Function {
	if !v.bounded() {
		return f
	}
	return append(acquisition.Sum{f}, v.feasibleAtTarget()...)
}

// feasibleAtTarget is the log probability of feasibility; with a fidelity that of the point at the greatest: what is looked for must be
// feasible there, whatever is measured at a lower one.
func (v View) feasibleAtTarget() acquisition.Sum {
	parts := v.Region().LogProbability()
	if at, has := v.Space.Fidelity(); has {
		for i, f := range parts {
			parts[i] = acquisition.Face{Function: f, At: at, Level: v.Space.Target()}
		}
	}
	return parts
}

// improvable is log EI on the posterior of the view, times the probability of feasibility.
func (v View) improvable() acquisition.Function {
	return v.IfFeasible(acquisition.At{Posterior: v.Posterior, Utility: acquisition.LogExpectedImprovement{Best: v.Target()}})
}

// lacks returns for each query, by number less one, how much the means at it lack of holding the constraints, together and in the
// models' units; NaN where some model has no row for it. Cost O(n) for each constraint.
func (v View) lacks() []float64 {
	out := make([]float64, len(v.Queries))
	for _, c := range v.Constraints {
		least, means := c.Units.To(0), c.Posterior.RowMeans()
		own := make([]float64, len(out))
		for i := range own {
			own[i] = math.NaN()
		}
		for i, number := range c.Rows {
			own[number-1] = max(least-means[i], 0)
		}
		for i, lack := range own {
			out[i] += lack
		}
	}
	return out
}

// feasible reports for each row of the posterior whether its point is feasible: as measured where a value has come, and by the means
// elsewhere and where what was measured is luck, since margins have noise; no failure that is blamed is. It is nil without constraints and failures. Cost O(n),
// and O(n log n) with constraints.
func (v View) feasible() []bool {
	if !v.bounded() {
		return nil
	}
	is := make([]bool, len(v.Queries))
	for i, lack := range v.lacks() {
		is[i] = lack == 0
	}
	if !v.uncertainMargins() {
		for _, a := range v.History {
			is[a.Query.Number-1] = !a.Infeasible
		}
	}
	for _, number := range v.Blamed {
		is[number-1] = false
	}
	rows := make([]bool, len(v.Rows))
	for i, number := range v.Rows {
		rows[i] = is[max(number, -number)-1]
	}
	return rows
}

// greatestFeasible returns the greatest of some numbers, one for each row of the posterior, at rows that are feasible; otherwise where
// none is.
func (v View) greatestFeasible(of []float64, otherwise float64) float64 {
	best, feasible, some := math.Inf(-1), v.feasible(), false
	for i, mean := range of {
		if feasible == nil || feasible[i] {
			best, some = max(best, mean), true
		}
	}
	if feasible != nil && !some {
		return otherwise
	}
	return best
}

// leastLacking returns points to look around where no feasible one is known: those that lack least, and are not close to a better one.
func (v View) leastLacking() []space.Unit {
	var order []int
	lacks := v.lacks()
	for i, lack := range lacks {
		if !math.IsNaN(lack) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case lacks[i] < lacks[j]:
			return -1
		case lacks[i] > lacks[j]:
			return 1
		}
		return 0
	})
	var out []space.Unit
	for _, i := range order {
		out = v.promising(out, v.Queries[i].X)
	}
	return out
}

// seeking explains the search for a feasible point.
func (v View) seeking() Explanation {
	return Explanation{
		Acquisition: "log probability of feasibility", Of: LogChance, Function: v.Region().LogProbability(),
		Why: "no feasible point is known yet: the chance that every constraint holds",
	}
}

// constrained adds what the constraints say to an explanation, and what is expected to fail.
func (v View) constrained(e Explanation) Explanation {
	if !v.bounded() || e.Function == nil {
		return e
	}
	at := e.At
	e.At = func(x space.Unit) (all []Figure) {
		if at != nil {
			all = at(x)
		}
		for _, c := range v.Constraints {
			mean := c.Units.From(c.Posterior.Mean(x))
			all = append(all, Figure{c.Name + ", expected", Plain, c.Value(mean)})
		}
		if v.success != nil {
			all = append(all, Figure{expectedOutcome, Plain, v.success.Mean(x)})
		}
		if len(v.Constraints) == 0 {
			return all
		}
		return append(all, Figure{"probability that the point is feasible", Plain, v.Region().Probability(x)})
	}
	return e
}
