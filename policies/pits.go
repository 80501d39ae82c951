package policies

import (
	"math"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// setLimit is the most answers that a calibration set has, the latest ones.
const setLimit = 500

// calibrationRows returns the rows of the posterior that hold a value that came, in order of the queries: calibration looks at
// no other. How is what the policy makes of pending queries: a policy that censors does not see late values under a strict
// window.
func (v View) calibrationRows(how feedback.Imputation) []int {
	came := make([]bool, len(v.Queries)+1)
	for _, a := range v.History {
		came[a.Query.Number] = !(a.Late && v.Window.Strict && how == feedback.Censor)
	}
	place := make([]int, len(came)) // of the row of a query, from 1
	for i, number := range v.Rows {
		if number > 0 {
			place[number] = i + 1
		}
	}
	var out []int
	for number, ok := range came {
		if ok && place[number] > 0 {
			out = append(out, place[number]-1)
		}
	}
	return out[max(len(out)-setLimit, 0):]
}

// residuals returns the points of the answered rows, and the distance of each value from what the others predict, in
// standard deviations of that prediction: all others, or those of earlier queries. Rows without a value of their own would
// know the answers already, and take no part: where there are some, the model is made anew. Cost O(n³) for n answers, of
// which there are at most 500; O(n²) going forward where every row is answered in order.
func (v View) residuals(set CalibrationSet, how feedback.Imputation) (points []space.Unit, z []float64) {
	rows := v.calibrationRows(how)
	p := v.Posterior
	if !inOrder(rows, p.Len()) {
		if p = v.only(rows); p == nil {
			return nil, nil
		}
	}
	predict := p.ForwardChain
	if set == LeaveOneOut {
		predict = p.LeaveOneOut
	}
	mean, variance := predict()
	for i, y := range p.Targets() {
		d := (y - mean[i]) / math.Sqrt(variance[i])
		if !math.IsNaN(d) && !math.IsInf(d, 0) {
			points, z = append(points, p.X(i)), append(z, d)
		}
	}
	return points, z
}

// inOrder reports whether the rows are all n there are, in their order.
func inOrder(rows []int, n int) bool {
	for i, row := range rows {
		if row != i {
			return false
		}
	}
	return len(rows) == n
}

// only is the posterior given some of its rows alone; nil where that cannot be computed, or of none.
func (v View) only(rows []int) *surrogate.Posterior {
	targets := v.Posterior.Targets()
	x, y, known := make([]space.Unit, len(rows)), make([]float64, len(rows)), make([]float64, len(rows))
	for k, i := range rows {
		x[k], y[k], known[k] = v.Posterior.X(i), targets[i], v.Posterior.Known(i)
	}
	if len(rows) == 0 {
		return nil
	}
	p, err := v.Posterior.Prior().ConditionKnown(x, y, known, nil)
	if err != nil {
		return nil
	}
	return p
}

// pits are the probability integral transforms of the answered rows.
func (v View) pits(set CalibrationSet, how feedback.Imputation) []float64 {
	_, z := v.residuals(set, how)
	for i, d := range z {
		z[i] = calibration.PIT(d, 0, 1)
	}
	return z
}
