package acquisition

import (
	"math"

	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/space"
)

// Criterion is the utility that RecalibratedCriterion computes.
type Criterion int

// The criteria.
const (
	Improvement Criterion = iota // logarithm of the expected improvement over Best
	Probability                  // logarithm of the probability of an improvement over Best
	UpperBound                   // quantile of level P
)

// LevelMap corrects the quantiles of a model: the corrected quantile of level p is the model's quantile of level At(p). P
// holds levels from 0 to 1 and Q the level of the model that replaces each of them; both increase, and the map is linear in
// between. Moments returns the mean and the variance of the distribution that the map makes of
// N(0, 1).
type LevelMap = calibration.Map

// RecalibratedCriterion is a utility under the recalibrated predictive distribution of a noisy value, in closed form: the
// distribution whose p-quantile is the Map(p)-quantile of the model (Deshpande et al. 2024).
type RecalibratedCriterion struct {
	Map       LevelMap
	Criterion Criterion
	Best      float64 // the value to improve on, in the model's units
	P         float64 // level of UpperBound, in (0, 1)
	Noise     float64 // variance of the noise
}

// Of returns the utility. Cost O(M) for M points of the map.
func (f RecalibratedCriterion) Of(mean, variance float64) float64 {
	corrected := calibration.RecalibratedNormal{Mean: mean, Stddev: f.spread(variance), Map: f.Map}
	switch f.Criterion {
	case Probability:
		return corrected.LogProbabilityOfImprovement(f.Best)
	case UpperBound:
		return corrected.Quantile(f.P)
	}
	return corrected.LogExpectedImprovement(f.Best)
}

// Slopes returns the utility and its derivatives.
func (f RecalibratedCriterion) Slopes(mean, variance float64) (value, dmean, dvariance float64) {
	sd := f.spread(variance)
	corrected := calibration.RecalibratedNormal{Mean: mean, Stddev: sd, Map: f.Map}
	var dsd float64
	switch f.Criterion {
	case Probability:
		value, dmean, dsd = corrected.LogPISlopes(f.Best)
	case UpperBound:
		value, dmean, dsd = corrected.QuantileSlopes(f.P)
	default:
		value, dmean, dsd = corrected.LogEISlopes(f.Best)
	}
	if variance+f.Noise > minVariance {
		dvariance = dsd / (2 * sd)
	}
	return value, dmean, dvariance
}

func (f RecalibratedCriterion) spread(variance float64) float64 { return spread(variance + f.Noise) }

// MomentMatched is a utility under a normal distribution with the mean and the variance of the recalibrated predictive
// distribution: Mean predictive standard deviations are added to the mean, and the variance of the function is multiplied by
// Variance. With the moments of the identity map, 0 and 1, it is the utility itself. RecalibratedCriterion computes three
// utilities under the recalibrated distribution itself.
type MomentMatched struct {
	Utility        Utility
	Mean, Variance float64 // what LevelMap.Moments returns
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

// LocallyRecalibrated is RecalibratedCriterion with a map that depends on the point.
type LocallyRecalibrated struct {
	At func(x space.Unit) LevelMap
	RecalibratedCriterion
}

// OfAt returns the utility under the map at x.
func (f LocallyRecalibrated) OfAt(x space.Unit, mean, variance float64) float64 {
	f.Map = f.At(x)
	return f.Of(mean, variance)
}

// mapStep is the step, in the unit cube, of the finite differences of the map.
const mapStep = 1e-5

// SlopesAt returns the utility and its derivatives. The derivatives that come from the change of the map with x are central
// differences and need 2d maps.
func (f LocallyRecalibrated) SlopesAt(x space.Unit, mean, variance float64, dx []float64) (value, dmean, dvariance float64) {
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
