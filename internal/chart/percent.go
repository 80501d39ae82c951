package chart

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// percentScale is an axis of percentages that is logarithmic in what they lack of 100: the steps from 96 to 98 and from 98 to
// 99 are equally long. Of accuracies everything of interest lies close to 100.
type percentScale struct{}

// leastLack is the lack as which smaller ones are drawn.
const leastLack = 0.01

// depth is the place of a percentage but for a factor.
func depth(percentage float64) float64 { return -math.Log(max(100-percentage, leastLack)) }

// Normalize returns where x lies between low (0) and high (1).
func (percentScale) Normalize(low, high, x float64) float64 {
	return (depth(x) - depth(low)) / (depth(high) - depth(low))
}

// percentTicks marks round percentages that are far enough apart, or, where no two of them are on the axis, those of a linear one.
type percentTicks struct{}

// roundPercentages are marked where there is room, those before others first.
var roundPercentages = []float64{
	90, 99, 95, 50, 98, 97, 80, 96, 99.5, 99.9, 97.5, 98.5, 60, 70, 92, 85, 94, 93, 75, 0, 20, 40, 65, 72, 74, 76, 78, 77, 79, 96.5,
	97.25, 97.75, 98.25, 98.75,
}

// nearestTicks is the least distance of two marks, as a share of the axis.
const nearestTicks = 0.055

// Ticks returns the marks between low and high.
func (percentTicks) Ticks(low, high float64) []plot.Tick {
	var out []plot.Tick
	for _, v := range roundPercentages {
		fits := v >= low && v <= high
		for _, other := range out {
			distance := percentScale{}.Normalize(low, high, v) - percentScale{}.Normalize(low, high, other.Value)
			fits = fits && math.Abs(distance) >= nearestTicks
		}
		if fits {
			out = append(out, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', -1, 64)})
		}
	}
	if len(out) < 2 {
		return TidyTicks(aboutTicks).Ticks(low, high)
	}
	return out
}

// percent are the ends of an axis of percentages for some numbers, with a margin of a twentieth, and not less than a tenth of
// what they lack.
func (s span) percent() span {
	if s = (span{max(s.low, 0), min(s.high, 100)}); s.low > s.high {
		return span{0, 90} // no percentages
	}
	pad := max((depth(s.high)-depth(s.low))/20, 0.1)
	return span{max(100-math.Exp(-(depth(s.low)-pad)), 0), 100 - math.Exp(-(depth(s.high) + pad))}
}
