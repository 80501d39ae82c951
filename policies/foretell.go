package policies

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

const (
	foretoldFirst = 16  // answers before a model is judged: fewer tell little of any function
	outstanding   = 3.5 // standard deviations above the mean of all others from which on the best answer stands out
)

// foretellsNothing reports whether the answers are no likelier under the model than as noise around their mean. Noise on level ground looks to a model like a function
// that is rough, and then its peaks are luck. An answer that stands out is something to go by, and so are hints, earlier studies and a trend; where not all points are feasible,
// in lists and over fidelities it is not asked. Cost O(n log n) where the answers are far likelier under the model, otherwise that of alone.
func (v View) foretellsNothing() bool {
	_, fidelity := v.Space.Fidelity()
	if fidelity || v.bounded() || v.hinted() || len(v.Earlier) > 0 || v.Posterior == nil || v.Posterior.Prior().Trend != nil || v.listed() {
		return false
	}
	pending := v.pendingRows()
	if v.Posterior.Len()-len(pending) < foretoldFirst {
		return false
	}
	y := without(v.Posterior.Targets(), pending)
	slices.Sort(y)
	best := len(y) - 1
	if mean, stddev := stat.PopMeanStdDev(y[:best], nil); !(y[best]-mean <= outstanding*stddev) {
		return false
	}
	noise := -float64(len(y)) / 2 * (math.Log(2*math.Pi*stat.PopVariance(y, nil)) + 1)
	if least := float64(len(pending)) / 2 * math.Log(2*math.Pi*v.Posterior.Noise()); v.Posterior.LogEvidence()+least >= noise {
		return false // whatever is hallucinated is no likelier, given the answers, than the mean of a value under the noise alone
	}
	return v.alone().logEvidence() < noise
}

// without returns what is of all rows but some, which ascend.
func without[T any](all []T, rows []int) (left []T) {
	for i, of := range all {
		if _, found := slices.BinarySearch(rows, i); !found {
			left = append(left, of)
		}
	}
	return left
}
