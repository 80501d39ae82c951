package policies

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// The sides of a trust region, in the unit cube (Eriksson et al. 2019, sec. 2).
const (
	leastSide    = 1.0 / 128
	greatestSide = 1.6
	enoughBetter = 1e-3 // of the distance from the median to the best value, that a success is better by
)

// trustRegion is what the answers so far have made of a trust region: a fold over them, in the order in which they came.
type trustRegion struct {
	side                float64
	begun               int // round of the first query of this region
	since               int // round of the first query chosen with this side
	successes, failures int // in a row, since then
	restarts            int

	best   float64   // feasible value of this region; −Inf before the first
	values []float64 // of this region, ascending
}

// tolerances of a trust region: how many answers in a row double the side, and halve it, and its first one.
type tolerances struct {
	side                float64
	successes, failures int
}

// trust returns the trust region after all answers of the view. An answer is a success or a failure where its query was chosen in the
// region with the side of now, which its forecast and its round tell: those of queries chosen before the side changed, or not by the
// policy, can be the best, but say nothing for or against the side. At contexts values do not compare, and the side stays. Cost O(n) for
// each answer at most.
func (t tolerances) trust(v View) trustRegion {
	r := trustRegion{side: t.side, best: math.Inf(-1)}
	for _, a := range v.History {
		chosen := v.First(a).Round
		if a.Below || chosen < r.begun {
			continue
		}
		better := r.improves(a)
		r.enter(a)
		if a.Forecast != nil && chosen >= r.since && len(v.Space.Contexts()) == 0 {
			r.judge(t, better, a.Seen)
		}
	}
	return r
}

// improves reports whether a value is better than the best by a thousandth of its distance to the median.
func (r *trustRegion) improves(a Answer) bool {
	if a.Infeasible || len(r.values) == 0 {
		return !a.Infeasible
	}
	return a.Value > r.best && a.Value-r.best > enoughBetter*(r.best-r.values[len(r.values)/2])
}

// enter takes a value up.
func (r *trustRegion) enter(a Answer) {
	if !a.Infeasible {
		r.best = max(r.best, a.Value)
		i, _ := slices.BinarySearch(r.values, a.Value)
		r.values = slices.Insert(r.values, i, a.Value)
	}
}

// judge counts an answer that the choice of a round is the first to see, and changes the side or starts again.
func (r *trustRegion) judge(t tolerances, success bool, seen int) {
	if success {
		r.successes, r.failures = r.successes+1, 0
	} else {
		r.successes, r.failures = 0, r.failures+1
	}
	switch {
	case r.successes == t.successes:
		*r = r.changed(min(2*r.side, greatestSide), seen)
	case r.failures == t.failures:
		*r = r.changed(r.side/2, seen)
	}
	if r.side < leastSide {
		*r = trustRegion{side: t.side, begun: seen, since: seen, restarts: r.restarts + 1, best: math.Inf(-1)}
	}
}

// changed is the region with another side for queries from a round on.
func (r *trustRegion) changed(side float64, seen int) trustRegion {
	out := *r
	out.side, out.since, out.successes, out.failures = side, seen, 0, 0
	return out
}

// box is the region as an interval of each coordinate.
type box struct {
	of           space.Space
	lower, upper space.Unit
}

// has reports whether every active coordinate of a point is in its interval.
func (b box) has(x space.Unit) bool {
	active := b.of.Active(x)
	for k, u := range x {
		if active.Has(k) && (u < b.lower[k] || u > b.upper[k]) {
			return false
		}
	}
	return true
}

// whole reports whether a box is all of the cube, but for what is held.
func (b box) whole() bool {
	for _, k := range b.of.Actions() {
		if b.lower[k] > 0 || b.upper[k] < 1 {
			return false
		}
	}
	return true
}

// boxAround is that of a region around a point: its sides are to each other as the lengthscales, and their geometric mean is the side, along warped
// coordinates where the model has such.
// Steps that it reaches into are in it. Choices without an order are free, and what is held is a point.
func (v View) boxAround(center space.Unit, side float64) box {
	b := box{v.Space, slices.Clone(center), slices.Clone(center)}
	choices, weights, warps := v.Space.Categorical(), v.weights(), v.inputs()
	at := warps.To(center)
	lower, upper := slices.Clone(at), slices.Clone(at)
	for _, k := range v.Space.Actions() {
		lower[k], upper[k] = max(at[k]-weights[k]*side/2, 0), min(at[k]+weights[k]*side/2, 1)
	}
	lower, upper = warps.From(lower), warps.From(upper)
	for _, k := range v.Space.Actions() {
		parameter := v.Space.Parameter(k)
		if choices[k] || parameter.Fixed() {
			b.lower[k], b.upper[k] = 0, 1
			continue
		}
		b.lower[k], b.upper[k] = lower[k], upper[k]
		if parameter.Levels() > 0 {
			b.lower[k] = min(b.lower[k], parameter.Unit(parameter.Value(b.lower[k])))
			b.upper[k] = max(b.upper[k], parameter.Unit(parameter.Value(b.upper[k])))
		}
	}
	return b
}

// weights are the lengthscales of the model over their geometric mean, among the ordered parameters that the policy chooses; 1 where the
// kernel does not have one for each.
func (v View) weights() []float64 {
	kernel, choices := v.Posterior.Prior().Kernel, v.Space.Categorical()
	values, hyper := kernel.Values(), kernel.Hyper()
	out, log, count := make([]float64, v.Space.Dim()), 0.0, 0
	for _, k := range v.Space.Actions() {
		out[k] = 1
		if choices[k] || v.Space.Parameter(k).Fixed() {
			continue
		}
		name := fmt.Sprintf("lengthscale[%d]", k)
		i := slices.IndexFunc(hyper, func(h surrogate.Hyperparameter) bool { return h.Name == name })
		if i < 0 {
			return slices.Repeat([]float64{1}, v.Space.Dim())
		}
		out[k] = values[i]
		log, count = log+math.Log(values[i]), count+1
	}
	for _, k := range v.Space.Actions() {
		if !choices[k] && !v.Space.Parameter(k).Fixed() {
			out[k] /= math.Exp(log / float64(count))
		}
	}
	return out
}
