package policies

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

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

// successKernel is that of the process, for a length of 1 in units of successLengths.
func (v View) successKernel() surrogate.Stationary {
	return surrogate.Stationary{
		Family: surrogate.Matern52, Outputscale: 1,
		Lengthscales: slices.Repeat([]float64{math.Sqrt(float64(v.Space.Varying()))}, v.Space.Dim()),
	}.WithCategories(v.Space.Categorical()).(surrogate.Stationary)
}

// successPrior is the process before any outcome, with one of successLengths, along scales or (nil) along the ranges as they are.
func (v View) successPrior(length, mean float64, scales surrogate.Inputs) surrogate.Prior {
	kernel := v.successKernel()
	floats.Scale(length, kernel.Lengthscales)
	if scales != nil {
		return surrogate.Prior{Kernel: surrogate.Warped{Of: kernel, Ratios: scales}, Noise: successNoise, Mean: mean}
	}
	return surrogate.Prior{Kernel: kernel, Noise: successNoise, Mean: mean}
}

// successScales returns the scales along which the latest outcomes are best explained; nil where the ranges as they are do as well. Cost O(m³) for the m ≤ 64 outcomes that are
// looked at, four to eight times for each parameter.
func (v View) successScales(mean float64) surrogate.Inputs {
	x, y := v.outcomes(scaleOutcomes)
	trial, err := v.successTrial(mean, nil, x, y)
	if err != nil {
		return nil
	}
	_, best := bestLength(trial)
	scales, worth := surrogate.Inputs(nil), 0.
	if learned := v.inputs(); learned != nil {
		if along, err := v.successTrial(mean, learned, x, y); err == nil {
			if _, evidence := bestLength(along); evidence-asLearned > best {
				trial, best, scales, worth = along, evidence-asLearned, slices.Clone(learned), asLearned
			}
		}
	}
	numbers := v.numeric()
	if len(numbers) > mostScaled {
		numbers = nil
	}
	for _, j := range numbers {
		if ratio, evidence := steepest(trial, j, best+worth); evidence-worth-asScale > best {
			trial.Keep(j, ratio)
			worth += asScale
			if best = evidence - worth; scales == nil {
				scales = v.straight()
			}
			scales[j] = ratio
		}
	}
	return scales
}

// straight are scales that leave the ranges as they are.
func (v View) straight() surrogate.Inputs { return slices.Repeat(surrogate.Inputs{1}, v.Space.Dim()) }

// successTrial returns a trial of outcomes along scales, or (nil) along the ranges as they are.
func (v View) successTrial(mean float64, scales surrogate.Inputs, x []space.Unit, y []float64) (*surrogate.RatioTrial, error) {
	if scales == nil {
		scales = v.straight()
	}
	return surrogate.NewRatioTrial(surrogate.Warped{Of: v.successKernel(), Ratios: scales}, successNoise, mean, x, y)
}

// bestLength returns which of the lengthscales has the most evidence, and that; 0 and -Inf where none has any.
func bestLength(t *surrogate.RatioTrial) (length, evidence float64) {
	evidence = math.Inf(-1)
	for _, l := range successLengths {
		if e := t.LogEvidence(l); e > evidence {
			length, evidence = l, e
		}
	}
	return length, evidence
}

// steepest returns the ratio of coordinate j with the most evidence, and that. A scale of three decades is tried where one of six explains the outcomes not much worse than without has.
func steepest(t *surrogate.RatioTrial, j int, without float64) (ratio, evidence float64) {
	evidence = math.Inf(-1)
	for _, end := range successRatios {
		for _, r := range end {
			t.Try(j, r)
			most := math.Inf(-1)
			for _, longer := range scaleLengths {
				most = max(most, t.LogEvidence(longer))
			}
			if most > evidence {
				ratio, evidence = r, most
			}
			if most < without {
				break
			}
		}
	}
	return ratio, evidence
}
