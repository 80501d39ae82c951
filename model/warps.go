package model

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
)

// family are the warps of one shape that a fit may try, from the widest to the narrowest.
type family struct {
	shape  feedback.Shape
	length float64   // of which the scales are shares
	least  float64   // scale
	shares []float64 // falling
}

// families are the warps to choose from. Those below are measured by how far the greatest value is from the median, those to both
// sides by half the distance between the quartiles, which is that of a typical value from the median, and those above by how far
// the median is from the least. Only the first draw apart what is best, where the noise must not: their scales are at least least.
func families(y []float64, least float64) []family {
	low, middle, high := slices.Min(y), buffer.Quantile(y, 0.5), slices.Max(y)
	quartiles := buffer.Quantile(y, 0.75) - buffer.Quantile(y, 0.25)
	return []family{
		{feedback.Below, high - middle, least, []float64{1, 0.1, 0.01}},
		{feedback.Both, quartiles / 2, 0, []float64{1, 0.2, 0.04}},
		{feedback.Above, middle - low, leastDrawnIn * (high - middle), []float64{1, 0.1, 0.01}},
	}
}

// narrow tries the warps of the family: those that draw in the best values as long as each is worth more than the one before, of which
// the first is none at all.
func (f family) narrow(before float64, try func(feedback.Bend) float64) {
	last := math.Inf(1)
	for _, share := range f.shares {
		scale := max(share*f.length, f.least)
		if !(scale > 0 && scale < last) {
			return
		}
		value := try(feedback.Bend{Shape: f.shape, Scale: scale})
		if f.shape != feedback.Below && !(value > before) {
			return
		}
		last, before = scale, value
	}
}
