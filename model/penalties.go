package model

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/space"
)

// Where a constraint is violated many return a penalty, and a great one to be on the safe side: a million where good values are a few tenths apart. Units,
// the scales of warps and the least noise are measured by the spread of all values, so that a model of all sees no difference between the good ones, and
// the step down to a penalty bends it wherever both are near. So where a wide gap parts the values, those beyond may be penalties: then they are no values but
// failures of their points. They are where the evidence says so in the units of the values: that of the best model of the values before the gap, and for
// those beyond a normal law of the logarithms of how far they are from the best, and for which are which the mean over all chances, against that of the
// best model of all.
//
// Three things look alike and are none. Values of a function that spans orders of magnitude have gaps too, but such as are not much wider than the others
// beside them, or the values beyond are as far apart. The values of a study that has found a maximum are close together in a gap, but so are their points: of a
// penalty some are nearly as near to good points as those are to each other. And one or two values far below all others
// are outliers (outliers.go); more of them that are scattered are forgiven as penalties, see penalized.go.
const (
	penaltyWorth  = 5.  // nats that a gap must be worth
	penaltyValues = 4   // values before the gap at least
	penaltyLeast  = 3   // beyond it at least
	penaltyGap    = 30. // times as far from the best is the first value beyond as the last one before
	penaltyTimes  = 10. // times as wide is the gap as what the values beyond span and the last few before, both as ratios of distances
	penaltyLevels = 100 // ratio that those beyond span at most
	penaltyBeside = 3   // points before the gap, at least, that have one beyond it nearly as near as their own: they are mixed
	penaltyNearly = 3.  // times as near: a smooth maximum, where distances go with the roots of values, has five times as far at such a gap
	penaltySpread = 0.3 // standard deviation of the logarithms of how far penalties are from the best, at least
)

// gap is between the least value and the greatest that may be a penalty.
type gap struct{ value, penalty float64 }

// gaps returns where penalties may begin, the lowest first. Cost O(n log n).
func gaps(values []float64) (out []gap) {
	y := slices.Sorted(slices.Values(values))
	last := len(y) - 1
	below := func(i int) float64 { return y[last] - y[i] }
	for i := penaltyLeast; i <= len(y)-penaltyValues; i++ {
		wide := below(i-1) / below(i)
		span, beside := below(0)/below(i-1), below(i)/below(min(i+penaltyValues-1, last-1))
		if wide >= penaltyGap && span <= penaltyLevels && wide >= penaltyTimes*span*beside && below(0) <= math.MaxFloat64 {
			out = append(out, gap{y[i], y[i-1]})
		}
	}
	return out
}

// middle is a value that is as many times as far from the best as the last one before the gap as the first one beyond is.
func (g gap) middle(best float64) float64 {
	return best - math.Sqrt(best-g.value)*math.Sqrt(best-g.penalty)
}

// division is what became of values that may be penalties.
type division struct {
	fit         Fit     // of the values that are none
	best        choice  // its best candidate
	evaluations int     // of the evidence, in all
	found       bool    // whether any is one
	penalty     float64 // with found: up to which value one is
}

// withoutPenalties divides the values by the best candidate of all. Cost that of best where a gap parts the values, O(n²) for each of these.
func (f Fit) withoutPenalties(all choice) division {
	d := division{fit: f, best: all}
	if !f.Penalties || math.IsInf(all.value, -1) || len(f.Y) < penaltyValues+penaltyLeast {
		return d
	}
	some, top := f.some(f.Output.compared()), slices.Max(f.Y)
	for _, g := range gaps(f.Y) {
		values, penalties := f.parted(g)
		few, beyond := some.parted(g)
		if len(few.Y) < penaltyValues || values.beside(penalties) < penaltyBeside {
			continue
		}
		few, best, more := few.best()
		d.evaluations += more
		if !(best.value+logBroad(beyond.Y, top)+logLabels(len(few.Y), len(beyond.Y)) > all.value+penaltyWorth) {
			continue
		}
		if len(few.Y) < len(values.Y) {
			few, best, more = values.best()
			d.evaluations += more
		}
		return division{few, best, d.evaluations, !math.IsInf(best.value, -1), g.middle(top)}
	}
	return d
}

// parted returns the fits of the values before a gap, and of those beyond.
func (f Fit) parted(g gap) (values, penalties Fit) {
	values = f.only(func(i int) bool { return f.Y[i] >= g.value })
	penalties = f.only(func(i int) bool { return f.Y[i] < g.value })
	return values, penalties
}

// logBroad is the log density of values under a normal law of the logarithms of how far below the best they are, which two numbers fit to them. Equal values
// count once, as they do in buffer.LogJacobian. Cost O(n).
func logBroad(values []float64, best float64) float64 {
	values = stat.Different(values)
	n := float64(len(values))
	var mean, square float64
	for _, y := range values {
		mean += math.Log(best-y) / n
	}
	for _, y := range values {
		by := math.Log(best-y) - mean
		square += by * by
	}
	variance := max(square/n, penaltySpread*penaltySpread)
	if n == 0 {
		return 0
	}
	// The mean stands for the slope of the logarithm, and half a logarithm of their number for each of the two that are fitted.
	return -square/2/variance - n*(math.Log(2*math.Pi*variance)/2+mean) - math.Log(n+1)
}

// logLabels is the log probability of which of the values are penalties, where each has the same chance to be one and all chances are as likely.
func logLabels(values, penalties int) float64 {
	factorial := func(k int) float64 { v, _ := math.Lgamma(float64(k + 1)); return v }
	return factorial(values) + factorial(penalties) - factorial(values+penalties+1)
}

// beside counts the points that have one of the others nearly as near as one of their own. Cost O(n²·d).
func (f Fit) beside(others Fit) (count int) {
	for i, x := range f.X {
		own, other := math.Inf(1), math.Inf(1)
		for k, z := range f.X {
			if k != i {
				own = min(own, distance(x, z))
			}
		}
		for _, z := range others.X {
			other = min(other, distance(x, z))
		}
		count += bit(other < penaltyNearly*own)
	}
	return count
}

// distance is that of two points along straight lines.
func distance(a, b space.Unit) (sum float64) {
	for j, v := range a {
		sum += (v - b[j]) * (v - b[j])
	}
	return math.Sqrt(sum)
}
