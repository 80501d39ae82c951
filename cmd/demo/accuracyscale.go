package main

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// accuracyScale is an axis of accuracies in percent that is logarithmic in the error, 100 − accuracy: the steps from 96
// to 98 and from 98 to 99 are equally long. Of accuracies everything of interest lies close to 100.
type accuracyScale struct{}

// leastError is the error in percent as which smaller ones are drawn.
const leastError = 0.01

func depth(accuracy float64) float64 { return -math.Log(max(100-accuracy, leastError)) }

// Normalize returns where x lies between low (0) and high (1).
func (accuracyScale) Normalize(low, high, x float64) float64 {
	return (depth(x) - depth(low)) / (depth(high) - depth(low))
}

// accuracyTicks marks round accuracies that are far enough apart.
type accuracyTicks struct{}

// roundAccuracies are marked where there is room, those before others first.
var roundAccuracies = []float64{
	90, 99, 95, 50, 98, 97, 80, 96, 99.5, 99.9, 97.5, 98.5, 60, 70, 92, 85, 94, 93, 0, 20, 40, 96.5, 97.25, 97.75, 98.25, 98.75,
}

// nearestTicks is the least distance of two marks, as a share of the axis.
const nearestTicks = 0.055

// Ticks returns the marks between low and high.
func (accuracyTicks) Ticks(low, high float64) []plot.Tick {
	var out []plot.Tick
	for _, v := range roundAccuracies {
		fits := v >= low && v <= high
		for _, other := range out {
			distance := accuracyScale{}.Normalize(low, high, v) - accuracyScale{}.Normalize(low, high, other.Value)
			fits = fits && math.Abs(distance) >= nearestTicks
		}
		if fits {
			out = append(out, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', -1, 64)})
		}
	}
	return out
}

// accuracyRange returns the ends of an axis on which all points of the curves are.
func accuracyRange(all []curve) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, c := range all {
		for _, p := range c.points {
			low, high = min(low, p.Y), max(high, p.Y)
		}
	}
	if high < low {
		return 0, 90 // no values at all
	}
	// A margin of a twentieth, and not less than a tenth of the error.
	pad := max((depth(high)-depth(low))/20, 0.1)
	return max(100-math.Exp(-(depth(low)-pad)), 0), 100 - math.Exp(-(depth(high) + pad))
}
