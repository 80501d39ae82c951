package policies

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Where ranges are far too wide, or go over orders of magnitude, what fails does so within a thousandth of them, or everywhere but there: runs diverge at a
// thirtieth of the greatest rate, and code fails at a bound of exactly 0. A process along the ranges as they are takes such a bound for a coincidence and the
// points beside it for lost. So the outcomes choose scales too (surrogate.Inputs), one parameter after the other.
const (
	scaleOutcomes = 32 // of each kind, the latest, by which scales are chosen
	asScale       = 5  // nats that the scale of a parameter must be worth
	asLearned     = 1  // nats that those which the model of the values has must be worth
	mostScaled    = 12 // parameters that get scales of their own
)

var (
	successRatios = [...][2]float64{{1e6, 1e3}, {1e-6, 1e-3}} // from either end, the steeper first
	scaleLengths  = [...]float64{0.2, 0.8}                    // with which scales are tried
)

// successPrior is the process before any outcome, with one of successLengths, along scales or (nil) along the ranges as they are.
func (v View) successPrior(length, mean float64, scales surrogate.Inputs) surrogate.Prior {
	kernel := surrogate.Stationary{
		Family: surrogate.Matern52, Outputscale: 1,
		Lengthscales: slices.Repeat([]float64{length * math.Sqrt(float64(v.Space.Varying()))}, v.Space.Dim()),
	}.WithCategories(v.Space.Categorical())
	if scales != nil {
		kernel = surrogate.Warped{Of: kernel.(surrogate.Stationary), Ratios: scales}
	}
	return surrogate.Prior{Kernel: kernel, Noise: successNoise, Mean: mean}
}

// successScales returns the scales along which the latest outcomes are best explained; nil where the ranges as they are do as well. A scale of three decades is
// tried where one of six explains them no worse than none. Cost O(m³) for the m ≤ 64 outcomes that are looked at, four to eight times for each parameter.
func (v View) successScales(mean float64) surrogate.Inputs {
	x, y := v.outcomes(scaleOutcomes)
	best, scales := math.Inf(-1), surrogate.Inputs(nil)
	try := func(lengths []float64, along surrogate.Inputs, worth float64) float64 {
		most := math.Inf(-1)
		for _, length := range lengths {
			_, evidence := conditioned(v.successPrior(length, mean, along), x, y)
			most = max(most, evidence-worth)
		}
		if most > best {
			best, scales = most, along
		}
		return most
	}
	try(successLengths[:], nil, 0)
	worth := 0.
	if learned := v.inputs(); learned != nil && try(successLengths[:], learned, asLearned) == best {
		worth = asLearned
	}
	numbers := v.numeric()
	if len(numbers) > mostScaled {
		return scales
	}
	for _, j := range numbers {
		before, least := scales, best
		if before == nil {
			before = slices.Repeat([]float64{1}, v.Space.Dim())
		}
		for _, ratios := range successRatios {
			for _, ratio := range ratios {
				next := slices.Clone(before)
				next[j] = ratio
				if try(scaleLengths[:], next, worth+asScale) < least-asScale {
					break
				}
			}
		}
		if best > least {
			worth += asScale
		}
	}
	return scales
}

// conditioned returns the process that has heard of the outcomes, and the log evidence of these; -Inf where there is no such process.
func conditioned(prior surrogate.Prior, x []space.Unit, y []float64) (*surrogate.Posterior, float64) {
	p, err := prior.Condition(x, y, nil)
	if err != nil || !p.Usable() {
		return nil, math.Inf(-1)
	}
	return p, p.LogEvidence()
}
