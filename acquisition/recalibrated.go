package acquisition

import (
	"math"

	"github.com/tarry-bo/tarry/internal/calibration"
)

// Criterion is what a recalibrated law is judged by.
type Criterion int

// The criteria.
const (
	Improvement Criterion = iota // logarithm of the expected improvement over Best
	Probability                  // logarithm of the probability of an improvement over Best
	UpperBound                   // quantile of level P
)

// LevelMap corrects the quantiles of a model: P holds levels from 0 to 1 and Q, for each, the level of the model's quantile
// that takes the place of the one asked for, both increasing; the map is linear in between. At and Inverse look it up, and
// Moments returns mean and variance of what it makes of N(0, 1).
type LevelMap = calibration.Map

// RecalibratedCriterion is a criterion under the law whose p-quantile is the Map(p)-quantile of the predictive law (Deshpande et
// al. 2024), in closed form. The law is that of a noisy value.
type RecalibratedCriterion struct {
	Map       LevelMap
	Criterion Criterion
	Best      float64 // the value to improve on, in the model's units
	P         float64 // level of UpperBound, in (0, 1)
	Noise     float64 // variance of the noise
}

// Of returns the criterion. Cost O(M) for M points of the map.
func (f RecalibratedCriterion) Of(mean, variance float64) float64 {
	law := calibration.RecalibratedLaw{Mean: mean, Stddev: f.spread(variance), Map: f.Map}
	switch f.Criterion {
	case Probability:
		return law.LogProbabilityOfImprovement(f.Best)
	case UpperBound:
		return law.Quantile(f.P)
	}
	return law.LogExpectedImprovement(f.Best)
}

// Slopes returns the criterion and its derivatives.
func (f RecalibratedCriterion) Slopes(mean, variance float64) (value, dmean, dvariance float64) {
	sd := f.spread(variance)
	law := calibration.RecalibratedLaw{Mean: mean, Stddev: sd, Map: f.Map}
	var dsd float64
	switch f.Criterion {
	case Probability:
		value, dmean, dsd = law.LogPISlopes(f.Best)
	case UpperBound:
		value, dmean, dsd = law.QuantileSlopes(f.P)
	default:
		value, dmean, dsd = law.LogEISlopes(f.Best)
	}
	if variance+f.Noise > minVariance {
		dvariance = dsd / (2 * sd)
	}
	return value, dmean, dvariance
}

func (f RecalibratedCriterion) spread(variance float64) float64 { return spread(variance + f.Noise) }

// MomentMatched is any utility under the law that a map makes of the predictive one, by way of its mean and variance: the
// mean is moved by Mean predictive standard deviations, and the variance of the function is multiplied by Variance. With
// the identity map, 0 and 1, it is the utility. See RecalibratedCriterion for closed forms under the law itself.
type MomentMatched struct {
	Utility        Utility
	Mean, Variance float64 // of what the map makes of N(0, 1); see LevelMap.Moments
	Noise          float64 // variance of the noise
}

// Of returns the utility.
func (f MomentMatched) Of(mean, variance float64) float64 {
	return f.Utility.Of(mean+f.Mean*spread(variance+f.Noise), variance*f.Variance)
}

// Slopes returns the utility and its derivatives.
func (f MomentMatched) Slopes(mean, variance float64) (value, dmean, dvariance float64) {
	sd := spread(variance + f.Noise)
	value, dmean, dvariance = f.Utility.Slopes(mean+f.Mean*sd, variance*f.Variance)
	dvariance *= f.Variance
	if variance > 0 && variance+f.Noise > minVariance {
		dvariance += dmean * f.Mean / (2 * sd)
	}
	return value, dmean, dvariance
}

// LocallyRecalibrated is RecalibratedCriterion with a map for each point.
type LocallyRecalibrated struct {
	At func(x []float64) LevelMap
	RecalibratedCriterion
}

// OfAt returns the criterion under the map at x.
func (f LocallyRecalibrated) OfAt(x []float64, mean, variance float64) float64 {
	f.Map = f.At(x)
	return f.Of(mean, variance)
}

// mapStep is the step in the unit cube by which the dependence on the map is measured.
const mapStep = 1e-5

// SlopesAt returns the criterion with its derivatives; those by x by way of the map are differences, 2d maps.
func (f LocallyRecalibrated) SlopesAt(x []float64, mean, variance float64, dx []float64) (value, dmean, dvariance float64) {
	f.Map = f.At(x)
	value, dmean, dvariance = f.Slopes(mean, variance)
	for j, v := range x {
		high, low := math.Min(v+mapStep, 1), math.Max(v-mapStep, 0)
		x[j] = high
		up := f.OfAt(x, mean, variance)
		x[j] = low
		down := f.OfAt(x, mean, variance)
		x[j] = v
		dx[j] = (up - down) / (high - low)
	}
	return value, dmean, dvariance
}
