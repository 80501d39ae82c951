package model

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
)

const (
	aboveNoise   = 10   // least scale of a warp that draws apart the best values, in standard deviations of the noise
	farBetter    = 1    // nats for each value that a warp is worth where the model without one takes shape for noise
	finerRounds  = 10   // in which such warps get narrower, at most: each by a factor of three or so
	leastDrawnIn = 0.02 // least scale of a warp above, of the distance of the greatest value from the median: what is far below the median shall not matter
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

// tryWarps tries warps of the values, each as long as it is narrower than those of its shape before. How narrow one may be that draws
// apart the best values depends on the noise that the model without a warp finds. Where values span many orders of magnitude that
// model takes for noise what is shape, and warps are far better: then the noise of the best value is measured anew, by the best of
// them, as long as that makes a better one.
func tryWarps(y []float64, straight choice, try func(feedback.Bend) choice) {
	best, least := straight, aboveNoise*straight.noiseAtTop(y)
	keep := func(b feedback.Bend) float64 {
		c := try(b)
		if c.value > best.value {
			best = c
		}
		return c.value
	}
	narrowest := math.Inf(1)
	for _, family := range families(y, least) {
		last := family.narrow(math.Inf(1), straight.value, keep)
		if family.shape == feedback.Below {
			narrowest = last
		}
	}
	for range finerRounds {
		before := best.value
		if !(before-straight.value > farBetter*float64(len(y))) {
			return
		}
		narrowest = families(y, aboveNoise*best.noiseAtTop(y))[0].narrow(narrowest, before, keep)
		if best.value == before {
			return
		}
	}
}

// noiseAtTop is the standard deviation of the noise of the greatest of the values, in their units.
func (c choice) noiseAtTop(y []float64) float64 {
	slope := buffer.WarpAt(y, c.bend).LogSlope(slices.Max(y))
	return math.Sqrt(c.prior.Noise) * c.units * math.Exp(-slope)
}

// narrow tries the warps of the family whose scale is less than last, and returns the scale of the narrowest: those that draw in the
// best values as long as each is worth more than the one before, of which the first is none at all.
func (f family) narrow(last, before float64, try func(feedback.Bend) float64) float64 {
	for _, share := range f.shares {
		scale := max(share*f.length, f.least)
		if !(scale > 0 && scale < last) {
			continue
		}
		value := try(feedback.Bend{Shape: f.shape, Scale: scale})
		last = scale
		if f.shape != feedback.Below && !(value > before) {
			break
		}
		before = value
	}
	return last
}
