package policies

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/calibration"
)

// Forecast is the prediction of the noisy value of a query. It is kept with the query and judged when the value comes,
// however late.
type Forecast struct {
	Mean, Stddev float64       // in the model's units at the time of the proposal
	Warp         feedback.Warp // of those units
	Shift, Scale float64       // of those units: warped value = Scale·u + Shift, in the maximization sense

	// Target is the share of values that the set issued with the forecast shall hold, 0 where none was issued. The set are
	// the values whose conformity is at least Threshold (see Conformity); at 0 and below it is every value.
	Target, Threshold float64
	// Levels are the levels of the model's quantiles that a recalibrator deployed in place of 1/(M+1), …, M/(M+1); nil without
	// one. Together they are a set as well: what lies between the outermost.
	Levels []float64
}

// Conformity returns the conformity score of a value: 1 at the mean, and 0 beyond about 38 standard deviations.
func (f Forecast) Conformity(value float64) float64 {
	return calibration.Score(f.unit(value), f.Mean, f.Stddev)
}

// PIT returns the probability integral transform of a value: the predictive distribution function at the value.
func (f Forecast) PIT(value float64) float64 {
	return calibration.PIT(f.unit(value), f.Mean, f.Stddev)
}

// unit is a value in the units of the forecast.
func (f Forecast) unit(value float64) float64 {
	return f.units().To(value)
}

// units are those of the forecast.
func (f Forecast) units() feedback.Units {
	return feedback.Units{Warp: f.Warp, Shift: f.Shift, Scale: f.Scale}
}

// Quantile returns the value below which the noisy value lies, in the maximization sense, at z standard deviations of the model
// above its mean: that of the standard normal level of z, since units keep the order of values.
func (f Forecast) Quantile(z float64) float64 { return f.units().From(f.Mean + z*f.Stddev) }

// Deviation returns half the width of the central 68.3 % of the forecast in the units of the values: the standard deviation where
// these are not warped.
func (f Forecast) Deviation() float64 { return f.units().Deviation(f.Mean, f.Stddev) }

// Wanted returns the share of values that the issued set shall hold: Target, or with M levels the share between the
// outermost, 1 - 2/(M+1). It is 0 where no set was issued, one level included.
func (f Forecast) Wanted() float64 {
	if m := len(f.Levels); m > 0 && f.Target <= 0 {
		return 1 - 2/float64(m+1)
	}
	return max(f.Target, 0)
}

// Holds reports whether the set that was issued with the forecast holds a value. It is false where none was issued.
func (f Forecast) Holds(value float64) bool {
	switch {
	case f.Wanted() == 0:
		return false
	case f.Target > 0:
		return f.Conformity(value) >= f.Threshold
	}
	pit := f.PIT(value)
	return pit > f.Levels[0] && pit <= f.Levels[len(f.Levels)-1]
}

// CentralMass is the mass of the interval around the mean by which every forecast is judged.
const CentralMass = 0.8

// Central reports whether a value lies in the central 80 % of the model's own prediction.
func (f Forecast) Central(value float64) bool {
	return f.Conformity(value) >= 1-CentralMass
}

// Surprise returns by how many of its standard deviations, and by how much of the spread of the values, a value (in the maximization sense)
// differs from what was forecast.
func (f Forecast) Surprise(value float64) (deviations, spreads float64) {
	spreads = math.Abs(f.unit(value) - f.Mean)
	return spreads / f.Stddev, spreads
}

// Sound reports whether a forecast can be judged: its numbers are finite, its standard deviation is not negative and its
// scale is positive.
func (f Forecast) Sound() bool {
	for _, v := range [...]float64{f.Mean, f.Stddev, f.Warp.Anchor, f.Shift, f.Scale, f.Target, f.Threshold} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return f.Stddev >= 0 && f.Scale > 0 && f.Warp.Sound() && !slices.ContainsFunc(f.Levels, math.IsNaN)
}

// Judgeable reports whether an answer can judge its forecast: the forecast is sound and the value finite.
func (a Answer) Judgeable() bool {
	return a.Forecast != nil && a.Forecast.Sound() && !math.IsNaN(a.Forecast.Conformity(a.Value))
}
