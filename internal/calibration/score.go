package calibration

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Score returns the conformity 2Q(|y - mean|/sd) in [0,1] of an answer with a Gaussian forecast: 1 at the mean, falling
// with the distance (Kim et al. 2025, eq. 25); it underflows to 0 beyond 38 standard deviations. With sd 0 it is 1 where
// y == mean, else 0. It is NaN when an argument is NaN, and panics on a negative sd.
func Score(y, mean, sd float64) float64 {
	z := math.Abs(standardized("calibration: Score: sd is negative", y, mean, sd))
	return math.Erfc(z / math.Sqrt2)
}

// PIT returns the probability integral transform Φ((y - mean)/sd) in [0,1]: the forecast's cdf at the answer. With sd 0
// it is 1 where y ≥ mean, else 0. It is NaN when an argument is NaN, and panics on a negative sd.
func PIT(y, mean, sd float64) float64 {
	if y == mean && sd == 0 {
		return 1
	}
	z := standardized("calibration: PIT: sd is negative", y, mean, sd)
	return 0.5 * math.Erfc(-z/math.Sqrt2)
}

// standardized is (y - mean)/sd, 0 where y == mean whatever sd is.
func standardized(complaint string, y, mean, sd float64) float64 {
	if sd < 0 {
		panic(complaint)
	}
	if y == mean && !math.IsNaN(sd) {
		return 0
	}
	return (y - mean) / sd
}

// HalfWidth returns the half width, in standard deviations, of the set of answers whose Score is at least threshold:
// z with 2Q(z) = threshold (Kim et al. 2025, eq. 26). It is +Inf for a threshold ≤ 0 (every answer is in the set), 0 at
// 1 (the mean alone), and NaN above 1 (the set is empty) and for NaN.
//
// Whether an answer is in the set is decided by its score, not by these ends: the two may differ in the last bit.
func HalfWidth(threshold float64) float64 {
	switch {
	case threshold <= 0:
		return math.Inf(1)
	case threshold == 1:
		return 0
	case threshold < 1:
		return -mathext.NormalQuantile(threshold / 2)
	}
	return math.NaN()
}
