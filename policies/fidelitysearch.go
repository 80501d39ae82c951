package policies

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/internal/lbfgs"
	"github.com/tarry-bo/tarry/space"
)

const (
	fewPlaces           = 64 // points of a space that are all tried at every fidelity
	fidelityPoints      = 32 // random points that are tried at every fidelity of other spaces
	fidelityStarts      = 3  // of the local searches
	fidelityEvaluations = 12 // of each
)

// priced is a point with what it is worth, its cost taken into account.
type priced struct {
	x     space.Unit
	worth float64
}

// leveled is the logarithm of what a value of any fidelity tells, at many points at once.
type leveled interface {
	acquisition.Function
	Values(xs []space.Unit, out []float64)
}

var _ = []leveled{acquisition.FidelityGain{}, acquisition.TransferGain{}}

// mostForItsCost returns the point and the fidelity with the greatest gain for each unit of cost to the power omega. Where points are
// promising is found out at the greatest fidelity; these points and random ones are compared at every fidelity that what is left of the
// budget pays for, and the best of them moved on at theirs. Without a fidelity it is the best point. Cost O(n²) for each point and
// fidelity.
func (v View) mostForItsCost(f acquisition.FidelityGain, omega float64, avoid []space.Unit, stream *rand.Rand) space.Unit {
	levels := v.Affordable(mostLevels)
	if levels == nil {
		return v.MaximizeGain(v.informing(f.Maxima, false), avoid, stream)
	}
	best := v.MaximizeGain(v.informing(f.Maxima, true), nil, stream)
	if v.last() {
		return v.final(best, avoid, stream)
	}
	return v.bestForItsCost(f, v.places(best, fidelityPoints, stream), levels, omega, avoid)
}

// bestForItsCost returns the best of some points at some fidelities, and of where the slopes lead from the best few.
func (v View) bestForItsCost(f leveled, places []space.Unit, levels []float64, omega float64, avoid []space.Unit) space.Unit {
	all := v.price(f, places, levels, omega)
	slices.SortStableFunc(all, func(a, b priced) int { return cmp.Compare(b.worth, a.worth) })
	for _, start := range apartFrom(all, fidelityStarts) {
		all = append(all, v.moved(f, start, omega))
	}
	chosen := -1
	for i, c := range all {
		if (chosen < 0 || c.worth > all[chosen].worth) && !acquisition.Among(c.x, avoid) && !(v.Quiet && acquisition.Among(c.x, v.Known())) {
			chosen = i
		}
	}
	if chosen < 0 {
		return all[0].x
	}
	return all[chosen].x
}

// places are the points that are compared: every one of a short list or of few combinations, otherwise the best, promising ones and
// so many random ones.
func (v View) places(best space.Unit, random int, stream *rand.Rand) []space.Unit {
	actions := v.Space.UnitPoints()
	if n := v.Space.Combinations(); n > 0 && n <= fewPlaces {
		actions = v.Space.Grid()
	}
	if len(actions) > 0 && len(actions) <= fewPlaces {
		all := make([]space.Unit, len(actions))
		for i, action := range actions {
			all[i] = v.Space.Join(action, v.Context)
		}
		return all
	}
	out := append([]space.Unit{best}, v.Promising()...)
	for range random {
		out = append(out, v.Random(stream, nil))
	}
	return out
}

// price says what points are worth at each of some fidelities.
func (v View) price(f leveled, points []space.Unit, levels []float64, omega float64) []priced {
	var xs []space.Unit
	for _, x := range points {
		for _, level := range levels {
			xs = append(xs, v.atLevel(x, level))
		}
	}
	values := make([]float64, len(xs))
	f.Values(xs, values)
	out := make([]priced, len(xs))
	for i, x := range xs {
		out[i] = priced{x, values[i] + v.feasibly(x) - omega*v.logCost(x)}
	}
	return out
}

// logCost is the logarithm of what a query of x is expected to cost; 0 without a fidelity.
func (v View) logCost(x space.Unit) float64 {
	if _, has := v.Space.Fidelity(); !has {
		return 0
	}
	return math.Log(v.Space.Cost(x))
}

// feasibly is the log probability that x is feasible, at the greatest fidelity.
func (v View) feasibly(x space.Unit) float64 {
	if !v.bounded() {
		return 0
	}
	return v.feasibleAtTarget().Value(x)
}

// apartFrom returns the best few, of which no two are at one point and at one fidelity.
func apartFrom(sorted []priced, count int) []priced {
	var out []priced
	for _, c := range sorted {
		if len(out) == count {
			break
		}
		if !slices.ContainsFunc(out, func(o priced) bool { return floats.Distance(o.x, c.x, math.Inf(1)) < promisingGap }) {
			out = append(out, c)
		}
	}
	return out
}

// moved follows the slopes of a gain from a point at its fidelity; what has no slopes stays as it is.
func (v View) moved(f acquisition.Function, from priced, omega float64) priced {
	g := v.IfFeasible(f)
	lower, upper := slices.Clone(from.x), slices.Clone(from.x)
	active := v.Space.Active(from.x)
	free := false
	for _, i := range v.Space.Actions() {
		if v.Space.Parameter(i).Levels() == 0 && active.Has(i) && v.Space.Size() == 0 {
			lower[i], upper[i], free = 0, 1, true
		}
	}
	if !free {
		return from
	}
	r := lbfgs.Minimize(func(x, grad []float64) float64 {
		value := g.Gradient(x, grad)
		floats.Scale(-1, grad)
		return -value
	}, from.x, lower, upper, lbfgs.Settings{MaxEvaluations: fidelityEvaluations, FirstStep: 0.05})
	x := v.Space.SnapAt(r.X, v.heldOf(from.x))
	worth := f.Value(x) + v.feasibly(x) - omega*v.logCost(x)
	return priced{x, worth}
}

// heldOf are the coordinates of x that no search moves.
func (v View) heldOf(x space.Unit) space.Unit {
	var held space.Unit
	for _, i := range v.Space.Held() {
		held = append(held, x[i])
	}
	return held
}
