package policies

import (
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/space"
)

// Where failures have no value (Traits.Adapts) a Gaussian process on +1 for each answer and −1 for each failure that is blamed on its
// point says where a query succeeds, as if that were a constraint (Gelbart et al. 2014): a bad value in place of each would be a cliff
// in the model of the objective, which bends beside it. Far from all outcomes their mean is expected: the more queries failed, the less
// is ventured.
const (
	successNoise = 0.01 // variance: outcomes may differ close to each other
	successLeast = 0.5  // expected outcome within the region: three in four succeed
	successKnown = 0.9  // expected outcome from which on there is nothing to find out about it
	mostOutcomes = 128  // of each kind, the latest
)

// successLengths are the lengthscales to choose from by the evidence, in units of √d.
var successLengths = [...]float64{0.1, 0.2, 0.4, 0.8}

// expectedOutcome is what an explanation calls the mean of that process.
const expectedOutcome = "outcome that is expected, about −1 where queries fail and 1 where they succeed, wanted 0.5 at least"

// Avoiding returns the view with a model of where queries succeed, if some failed for their points: as Propose shows it to policies, so
// that Maximize and all the others keep to it. Cost O(m³) for the m ≤ 256 outcomes that count, for each lengthscale, and that of successScales.
func (v View) Avoiding() View {
	v.History = v.withoutPenalties()
	if len(v.Blamed) == 0 || v.success != nil {
		return v
	}
	x, y := v.outcomes(mostOutcomes)
	mean := stat.Mean(y, nil)
	scales := v.successScales(mean)
	trial, err := v.successTrial(mean, scales, x, y)
	if err != nil {
		return v
	}
	length, _ := bestLength(trial)
	if p, err := v.successPrior(length, mean, scales).Condition(x, y, nil); err == nil && p.Usable() {
		v.success = p
	}
	return v
}

// withoutPenalties is the history without the values that the model takes for penalties of their points: it blames them.
func (v View) withoutPenalties() []Answer {
	if len(v.Penalties) == 0 {
		return v.History
	}
	return slices.DeleteFunc(slices.Clone(v.History), func(a Answer) bool {
		_, found := slices.BinarySearch(v.Penalties, a.Query.Number)
		return found
	})
}

// outcomes are the points of the latest answers and failures, so many of each at most, and how they came out.
func (v View) outcomes(most int) (x []space.Unit, y []float64) {
	for _, a := range v.History[max(len(v.History)-most, 0):] {
		x, y = append(x, v.Queries[a.Query.Number-1].X), append(y, 1)
	}
	for _, number := range v.Blamed[max(len(v.Blamed)-most, 0):] {
		x, y = append(x, v.Queries[number-1].X), append(y, -1)
	}
	return x, y
}

// mayFail reports whether a query of x would tell whether it succeeds, even if its value is known.
func (v View) mayFail(x space.Unit) bool {
	return v.success != nil && v.success.Mean(x) < successKnown
}

// bounded reports whether not all points are feasible as far as the view knows.
func (v View) bounded() bool { return len(v.Constraints) > 0 || v.success != nil }

// succeeds is where a query is expected to succeed, as a bound of a region.
func (v View) succeeds() acquisition.Region {
	if v.success == nil {
		return nil
	}
	return acquisition.Region{{Posterior: v.success, Least: successLeast}}
}
