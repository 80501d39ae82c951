package buffer

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
)

// WarpAt is the warp of this scale for the values seen so far: its top is the greatest of them, so that it draws apart what is
// best now. Scale 0, and values whose range is not finite or too wide for the scale, mean the identity. Cost O(n).
func WarpAt(values []float64, scale float64) feedback.Warp {
	if len(values) == 0 || scale == 0 {
		return feedback.Warp{}
	}
	top := slices.Max(values)
	if below := top - slices.Min(values); !(below <= math.MaxFloat64 && below/scale <= math.MaxFloat64) {
		return feedback.Warp{}
	}
	return feedback.Warp{Top: top, Scale: scale}
}

// Warped centres the values by the mean of their images under the warp and scales them by the standard deviation of these, as
// Standardize does without one. Cost O(n).
func Warped(values []float64, w feedback.Warp) feedback.Units {
	if w.Straight() {
		return Standardize(values)
	}
	images := make([]float64, len(values))
	for i, y := range values {
		images[i] = w.At(y)
	}
	u := Standardize(images)
	u.Warp = w
	return u
}

// LogJacobian returns the logarithm of the derivative of all values' images under the units by the values: what the log
// evidence of targets in these units lacks to be that of the values themselves, so that units can be compared. Cost O(n).
func LogJacobian(values []float64, u feedback.Units) float64 {
	sum := -float64(len(values)) * math.Log(u.Scale)
	for _, y := range values {
		sum += u.Warp.LogSlope(y)
	}
	return sum
}

// Reach is the distance from the median of the values to the greatest. Cost O(n log n).
func Reach(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[n-1] - (sorted[n/2]/2 + sorted[(n-1)/2]/2)
}
