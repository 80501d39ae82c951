package buffer

import (
	"math"

	"github.com/tarry-bo/tarry/feedback"
)

// Identity are units in which the model sees values as they are, shifted so that floor is zero: for a study whose
// hyperparameters are known beforehand.
func Identity(floor float64) feedback.Units { return feedback.Units{Shift: floor, Scale: 1} }

// Standardize centres the values by their mean and scales them by their sample standard deviation (n − 1). With
// fewer than two values, or values that are constant to twelve digits, the scale is 1, or a twelfth digit of the values
// where that is more. Values up to the largest finite numbers are handled without overflow. Cost O(n).
func Standardize(values []float64) feedback.Units {
	mean, sd := moments(values)
	return feedback.Units{Shift: mean, Scale: sd}
}

// FromZero scales values so that their mean square is one, and leaves zero where it is.
func FromZero(values []float64) feedback.Units {
	magnitude, squares := 0.0, 0.0
	for _, v := range values {
		magnitude = max(magnitude, math.Abs(v))
	}
	if magnitude == 0 {
		return feedback.Units{Scale: 1}
	}
	for _, v := range values {
		squares += (v / magnitude) * (v / magnitude) / float64(len(values))
	}
	return feedback.Units{Scale: max(math.Sqrt(squares)*magnitude, 1e-300)}
}

// Floored measures values from the worst attainable one, so that the prior mean (zero) is the censor value (zero),
// the form that the analysis of Verma et al. 2022 needs. The scale is span, the known range of the values, or where
// span is 0 the sample standard deviation of the values.
func Floored(values []float64, floor, span float64) feedback.Units {
	if span > 0 {
		return feedback.Units{Shift: floor, Scale: span}
	}
	_, sd := moments(values)
	return feedback.Units{Shift: floor, Scale: sd}
}

// LowerBound is a stand-in for an unknown worst value: a tenth of the observed range below the smallest value, and
// never above previous (give +Inf the first time). Without values it returns min(previous, 0).
func LowerBound(values []float64, previous float64) float64 {
	if len(values) == 0 {
		return min(previous, 0)
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		lo, hi = min(lo, v), max(hi, v)
	}
	return min(previous, max(lo-0.1*hi+0.1*lo, -math.MaxFloat64))
}

// moments returns mean and sample standard deviation, computed relative to the largest magnitude.
func moments(values []float64) (mean, sd float64) {
	magnitude := 0.0
	for _, v := range values {
		magnitude = max(magnitude, math.Abs(v))
	}
	if len(values) == 0 || magnitude == 0 {
		return 0, 1
	}
	n := float64(len(values))
	for _, v := range values {
		mean += v / magnitude / n
	}
	for _, v := range values {
		d := v/magnitude - mean
		sd += d * d
	}
	sd = math.Sqrt(sd / max(n-1, 1))
	if len(values) < 2 || sd < 1e-12 {
		return mean * magnitude, max(1, 1e-12*magnitude)
	}
	// The bounds keep sd and 1/sd finite for values near the ends of what a float64 can hold.
	return mean * magnitude, min(max(sd*magnitude, 1e-300), math.MaxFloat64)
}

// The bad value of a query that failed is the worst that was seen, but at least one and at most three standard deviations
// below the mean: one outlier shall not dig a pit, nor shall a failure be forgiven where all values are alike.
const leastBad, mostBad = -1, -3

// Fails returns units with the value of queries that failed, for the values seen so far. Where known is set the model
// sees values as they are, and only the worst of them counts. Cost O(n).
func Fails(u feedback.Units, values []float64, known bool) feedback.Units {
	if len(values) == 0 {
		u.Failed = leastBad
		return u
	}
	u.Failed = math.Inf(1)
	for _, y := range values {
		u.Failed = min(u.Failed, u.To(y))
	}
	if !known {
		u.Failed = min(max(u.Failed, mostBad), leastBad)
	}
	return u
}
