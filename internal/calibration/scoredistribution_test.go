package calibration

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

func distribution(t *testing.T, scores, weights []float64) *ScoreDistribution {
	t.Helper()
	return must.Get(NewScoreDistribution(scores, weights))(t)
}

// Cumulative masses in order of the scores are 1.2, 3.2, 3.5 and 4 of 4.9; the rest is at infinity.
func TestFourWeightedScoresByHand(t *testing.T) {
	w := distribution(t, []float64{.9, .2, .7, .4}, []float64{.5, 1.2, .3, 2})
	agree(t, "0.7-quantile", w.Quantile(0.7, 0.9), 0.7, 0)
	for _, c := range [][2]float64{
		{0, .2}, {1.2 / 4.9, .2}, {0.245, .4}, {3.2 / 4.9, .4}, {0.654, .7}, {3.5 / 4.9, .7}, {0.715, .9}, {4 / 4.9, .9},
		{0.817, math.Inf(1)}, {1, math.Inf(1)},
	} {
		agree(t, "quantile", w.Quantile(c[0], 0.9), c[1], 0)
	}
	beyond := 0.9 / (w.total() + 0.9) // the mass at infinity
	agree(t, "mass at infinity", beyond, 0.9/4.9, 1e-15)
	// As printed in eq. 12, with w(x) not divided by the total, the masses would add up to 1.716.
	agree(t, "mass as printed", 1-beyond+0.9, 1.71633, 5e-6)
}

func TestEqualWeightsGiveTheRanksOfSplitConformalPrediction(t *testing.T) {
	for n := 1; n <= 40; n++ {
		scores, weights := make([]float64, n), make([]float64, n)
		for i := range scores {
			scores[i], weights[i] = float64((i*7)%n+1), 1 // 1 … n where 7 does not divide n
		}
		sorted := slices.Sorted(slices.Values(scores))
		for percent := 1; percent < 100; percent++ {
			want, rank := math.Inf(1), (percent*(n+1)+99)/100 // ⌈level·(n+1)⌉ in integers
			if rank <= n {
				want = sorted[rank-1]
			}
			if got := distribution(t, scores, weights).Quantile(1-float64(100-percent)/100, 1); got != want {
				t.Fatalf("n %d, level %d %%: %g, want %g", n, percent, got, want)
			}
		}
	}
}

func TestWeightedQuantileEqualsTheSlowDefinition(t *testing.T) {
	r := rng.New(1, rng.Test, 0)
	for range 300 {
		n := r.IntN(12)
		scores, weights := make([]float64, n), make([]float64, n)
		for i := range scores {
			scores[i], weights[i] = float64(r.IntN(5)), float64(r.IntN(4)) // ties and zeros
		}
		extra, level := r.Float64(), r.Float64()
		total, want := extra, math.Inf(1)
		for _, w := range weights {
			total += w
		}
		for i, s := range scores {
			below := 0.0
			for j, other := range scores {
				if other <= s {
					below += weights[j]
				}
			}
			if weights[i] > 0 && below/total >= level {
				want = min(want, s)
			}
		}
		agree(t, "quantile", distribution(t, scores, weights).Quantile(level, extra), want, 0)
	}
}

// Under a known shift of the inputs the weighted quantile covers as asked and the unweighted one does not.
func TestWeightsRestoreCoverageUnderAShift(t *testing.T) {
	r, covered, plain := rng.New(2, rng.Test, 0), 0, 0
	const runs, n, level = 3000, 60, 0.8
	for range runs {
		scores, weights, ones := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range scores {
			x := r.Float64()
			scores[i], weights[i], ones[i] = math.Abs(x*r.NormFloat64()), 3*x*x, 1
		}
		x := math.Cbrt(r.Float64()) // density 3x²
		score := math.Abs(x * r.NormFloat64())
		if score <= distribution(t, scores, weights).Quantile(level, 3*x*x) {
			covered++
		}
		if score <= distribution(t, scores, ones).Quantile(level, 1) {
			plain++
		}
	}
	w, p := float64(covered)/runs, float64(plain)/runs
	t.Logf("covered: weighted %.3f, plain %.3f", w, p)
	if w < level-0.02 || w > level+0.04 || p > level-0.05 {
		t.Errorf("covered: weighted %g, plain %g, want about %g and less", w, p, level)
	}
}

func TestOddWeightedScores(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	agree(t, "without scores", distribution(t, nil, nil).Quantile(0.1, 1), inf, 0)
	agree(t, "without weight", distribution(t, []float64{1, 2}, []float64{0, 0}).Quantile(0.1, 0), inf, 0)
	agree(t, "infinite scores", distribution(t, []float64{inf, -inf}, []float64{1, 1}).Quantile(0.3, 1), -inf, 0)
	agree(t, "scores without weight", distribution(t, []float64{1, 2, 3}, []float64{0, 1, 1}).Quantile(0, 1), 2, 0)
	for _, bad := range [][2]float64{{nan, 1}, {1, nan}, {1, -1}, {1, inf}} {
		if _, err := NewScoreDistribution([]float64{0, bad[0]}, []float64{1, bad[1]}); !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("score %g, weight %g: error %v", bad[0], bad[1], err)
		}
	}
	w := distribution(t, []float64{1}, []float64{1})
	mustPanic(t, "uneven lengths", func() { distribution(t, []float64{1}, nil) })
	mustPanic(t, "level above 1", func() { w.Quantile(1.1, 1) })
	mustPanic(t, "NaN level", func() { w.Quantile(nan, 1) })
	mustPanic(t, "negative weight", func() { w.Quantile(0.5, -1) })
	mustPanic(t, "NaN weight", func() { w.Quantile(0.5, nan) })
	mustPanic(t, "infinite weight", func() { w.Quantile(0.5, inf) })
}
