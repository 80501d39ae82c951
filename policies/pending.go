package policies

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/feedback"
)

var imputations = []string{
	feedback.Ignore: feedback.Ignore.String(), feedback.Censor: feedback.Censor.String(), feedback.Hallucinate: feedback.Hallucinate.String(),
}

// pendingSetting is how a policy that works with any imputation is to see pending queries.
func pendingSetting(how *feedback.Imputation) Setting {
	return Choice("pending", how, feedback.Hallucinate, imputations, "what a pending query contributes to the model")
}

// Target is the value that a query should improve on: the greatest posterior mean at the rows of the model, in the
// model's units; −Inf without rows. Under noise the greatest value observed is partly luck, and pending rows count
// because what one of them is expected to bring is no improvement any more: for a policy that hallucinates, a pending
// query at x always makes x less useful. Cost O(n).
func (v View) Target() float64 {
	best := math.Inf(-1)
	for _, mean := range v.Posterior.RowMeans() {
		best = max(best, mean)
	}
	return best
}

const (
	promisingRows = 4    // rows with the greatest means that a search looks around
	promisingGap  = 0.02 // they differ in some coordinate by more
)

// promising returns points to look around: the incumbent, and the rows with the greatest posterior means that are not
// close to a better one.
func (v View) promising() [][]float64 {
	var out [][]float64
	if v.Incumbent != nil {
		out = append(out, v.Incumbent)
	}
	mean := v.Posterior.RowMeans()
	order := make([]int, len(mean))
	floats.Argsort(mean, order)
	for _, i := range slices.Backward(order) {
		if len(out) == promisingRows {
			break
		}
		x := v.Posterior.X(i)
		if !slices.ContainsFunc(out, func(o []float64) bool { return floats.Distance(o, x, math.Inf(1)) <= promisingGap }) {
			out = append(out, x)
		}
	}
	return out
}
