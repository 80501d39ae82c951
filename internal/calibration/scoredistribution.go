package calibration

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/tarry-bo/tarry/internal/check"
)

// rankTolerance keeps the rounding of a level such as 1 - 0.7 from costing a whole rank.
const rankTolerance = 1e-12

// ScoreDistribution is the distribution of the nonconformity score of a new answer in weighted conformal prediction
// (Tibshirani et al. 2019; Kim et al. 2025, eq. 12, normalized):
//
//	[ Σ_i w_i δ(s_i) + w(x) δ(∞) ] / ( Σ_i w_i + w(x) )
//
// for calibration scores s_i with likelihood ratios w_i, and w(x) at the new point. Nonconformity grows with the
// distance of an answer from its forecast, such as |y - mean|/sd; Score runs the other way. It holds 2n numbers.
type ScoreDistribution struct {
	scores, below []float64 // ascending scores, and the sum of the weights up to each
}

// NewScoreDistribution sorts the scores with their weights, as many. Scores may be infinite but not NaN, weights must be finite
// and at least 0. Equal weights, w(x) included, give split conformal prediction. Cost O(n log n).
func NewScoreDistribution(scores, weights []float64) (*ScoreDistribution, error) {
	if len(scores) != len(weights) {
		panic("calibration: NewScoreDistribution: scores and weights differ in number")
	}
	var l check.List
	order := make([]int, len(scores))
	for i := range scores {
		order[i] = i
		l.Require(!math.IsNaN(scores[i]), "score", scores[i], "a number")
		l.NotNegative("weight", weights[i])
	}
	if err := l.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	w := &ScoreDistribution{make([]float64, len(order)), make([]float64, len(order))}
	sum := 0.0
	for k, i := range order {
		sum += weights[i]
		w.scores[k], w.below[k] = scores[i], sum
	}
	return w, nil
}

// Quantile returns the level-quantile of the distribution for a new point of the given weight: the least score whose cumulative
// mass reaches the level, +Inf if none does. The set of answers with at most this score covers with probability at least
// level = 1 - α when the data are exchangeable up to the weights. Cost O(log n). It panics on a level outside [0,1] and
// on a weight that is negative or not finite.
func (w *ScoreDistribution) Quantile(level, weight float64) float64 {
	if !(level >= 0 && level <= 1) {
		panic("calibration: ScoreDistribution: level is not a probability")
	}
	total := w.total() + checkedWeight(weight)
	if total == 0 {
		return math.Inf(1)
	}
	wanted := (level - rankTolerance) * total
	k := sort.Search(len(w.below), func(k int) bool { return w.below[k] > 0 && w.below[k] >= wanted })
	if k == len(w.scores) {
		return math.Inf(1)
	}
	return w.scores[k]
}

func (w *ScoreDistribution) total() float64 {
	if len(w.below) == 0 {
		return 0
	}
	return w.below[len(w.below)-1]
}

func checkedWeight(weight float64) float64 {
	if !(weight >= 0) || math.IsInf(weight, 1) {
		panic("calibration: ScoreDistribution: weight is negative or not finite")
	}
	return weight
}
