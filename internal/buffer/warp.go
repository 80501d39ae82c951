package buffer

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/stat"
)

// WarpAt is the warp of this bend for the values seen so far: anchored at the greatest of them, the least or the median. Scale 0,
// and values whose range is not finite or too wide for the scale, mean the identity. Cost O(n), with the median O(n log n).
func WarpAt(values []float64, b feedback.Bend) feedback.Warp {
	if len(values) == 0 || b.Straight() {
		return feedback.Warp{}
	}
	low, high := slices.Min(values), slices.Max(values)
	if width := high - low; !(width <= math.MaxFloat64 && width/b.Scale <= math.MaxFloat64) {
		return feedback.Warp{}
	}
	switch b.Shape {
	case feedback.Below:
		return feedback.Warp{Bend: b, Anchor: high}
	case feedback.Above:
		return feedback.Warp{Bend: b, Anchor: low}
	}
	return feedback.Warp{Bend: b, Anchor: Quantile(values, 0.5)}
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

// LogJacobian returns the logarithm of the derivative of the different values' images under the units by the values: what the log
// evidence of targets in these units lacks to be that of the values themselves, so that units can be compared. Equal values count
// once: that others are the same as one is as likely in all units, while densities would have it that many equal values, as of runs
// that were cut off, are the better explained the more their neighborhood is stretched. Cost O(n).
func LogJacobian(values []float64, u feedback.Units) float64 {
	values = stat.Different(values)
	sum := -float64(len(values)) * math.Log(u.Scale)
	for _, y := range values {
		sum += u.Warp.LogSlope(y)
	}
	return sum
}

// Quantile is the value below which that share of the values lies, between two of them in proportion; 0 of none. Cost O(n log n).
func Quantile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	whole, part := math.Modf(share * float64(len(sorted)-1))
	i := int(whole)
	return sorted[i]*(1-part) + sorted[min(i+1, len(sorted)-1)]*part
}
