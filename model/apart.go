package model

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/surrogate"
)

// A lower fidelity may say nothing of the greatest, or mislead: it is measured in another unit, or is another function. A model over all fidelities has one
// scale, one warp and one set of lengthscales, and bends them to explain the most values, which are not those that count. So where a
// fit chooses it also looks for the best model of the values at the greatest fidelity alone, and takes that where these values are likelier under it
// than under the model of all, given those at lower fidelities. Then fidelities are apart: they have nothing in common, units are measured by the
// values at the greatest, and those at lower ones say nothing. The next fit compares again.
const (
	apartFar     = 1e6 // in units of the model: values at lower fidelities are taken for no more, which nothing depends on
	apartWorth   = 1.  // nats by which the values at the greatest fidelity must be likelier
	foretoldRows = 300 // values by which models are compared, evenly spread over all, at most
)

// together is the fit from where levels have something in common.
func (f Fit) together() Fit {
	if k := f.Start.Kernel; surrogate.Apart(k) {
		values := k.Values()
		values[len(values)-1] = surrogate.DecayPrior().Mode()
		f.Start.Kernel = k.WithValues(values)
	}
	return f
}

// onTarget reports whether an answer is at the greatest fidelity.
func (f Fit) onTarget(i int) bool {
	icm, ok := f.Start.Kernel.(surrogate.ICM)
	return !ok || f.X[i][icm.Axis().At] == f.Target
}

// alone is the fit of the values at the greatest fidelity; false where there are no others, or too few.
func (f Fit) alone() (Fit, bool) {
	if _, ok := f.Start.Kernel.(surrogate.ICM); !ok || f.Meta != nil {
		return f, false
	}
	alone := f.only(f.onTarget)
	return alone, len(alone.Y) >= FitFirst && len(alone.Y) < len(f.Y)
}

// only is the fit of some of the answers.
func (f Fit) only(which func(i int) bool) Fit {
	all := f
	f.X, f.Y, f.Known, f.Numbers, f.Aside = nil, nil, nil, nil, nil
	for i := range all.Y {
		if !which(i) {
			continue
		}
		f.X, f.Y, f.Numbers = append(f.X, all.X[i]), append(f.Y, all.Y[i]), append(f.Numbers, all.Numbers[i])
		if all.Known != nil {
			f.Known = append(f.Known, all.Known[i])
		}
		if all.Aside != nil {
			f.Aside = append(f.Aside, all.Aside[i])
		}
	}
	return f
}

// foretells is the log density of the values at the greatest fidelity, given those at lower ones under a model; −Inf where that cannot be computed.
// Cost O(n³).
func (f Fit) foretells(c choice) float64 {
	units := buffer.Warped(f.Y, buffer.WarpAt(f.Y, c.bend))
	below := f.only(func(i int) bool { return !f.onTarget(i) })
	sum := f.evidence(units, c) - below.evidence(units, c) + buffer.LogJacobian(f.only(f.onTarget).Y, units)
	if math.IsNaN(sum) {
		return math.Inf(-1)
	}
	return sum
}

// evidence is the log density of the targets under a model, 0 of none; NaN where that cannot be computed.
func (f Fit) evidence(units feedback.Units, c choice) float64 {
	if len(f.Y) == 0 {
		return 0
	}
	y := make([]float64, len(f.Y))
	for i, v := range f.Y {
		y[i] = units.To(v)
	}
	p, err := c.prior.ConditionKnown(f.X, y, f.noise(units), nil)
	if err != nil {
		return math.NaN()
	}
	return p.LogEvidence()
}

// misled reports whether the best model of all values foretells those at the greatest fidelity from the others worse than the best one of these alone,
// which is of the other fit.
func (f Fit) misled(all choice, alone Fit, own choice) bool {
	if math.IsInf(own.value, -1) {
		return false
	}
	some := f.some(foretoldRows)
	alone = alone.only(func(i int) bool { return slices.Contains(some.Numbers, alone.Numbers[i]) })
	return alone.foretells(own) > some.foretells(all)+apartWorth
}

// apart reports whether the fidelities of the belief have nothing in common.
func (m sight) apart() bool { return surrogate.Apart(m.learned.prior.Kernel) }

// measured are the values by which units are measured: those at the greatest fidelity where others say nothing.
func (m sight) measured() []float64 {
	values := m.values()
	if !m.apart() {
		return values
	}
	var some []float64
	for i, number := range m.buffer.Answered(m.want.Pending) {
		if m.config.Space.OnTarget(m.points[number-1]) {
			some = append(some, values[i])
		}
	}
	if len(some) == 0 {
		return values
	}
	return some
}

// near is the target of a query, no farther off than numbers allow where nothing depends on it.
func (m sight) near(number int, target float64) float64 {
	if m.apart() && !m.config.Space.OnTarget(m.points[number-1]) {
		return max(-apartFar, min(target, apartFar))
	}
	return target
}
