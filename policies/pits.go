package policies

import (
	"math"

	"github.com/tarry-bo/tarry/calibration"
)

// answered marks the rows of the posterior that hold a value that came: calibration looks at no other.
func (v View) answered() []bool {
	came := make([]bool, len(v.Queries)+1)
	for _, a := range v.History {
		came[a.Query.Number] = true
	}
	out := make([]bool, len(v.Rows))
	for i, number := range v.Rows {
		out[i] = number < len(came) && came[number]
	}
	return out
}

// residuals returns for each answered row, in the order of the rows, its place, and its distance from what the other rows
// predict in standard deviations of that prediction.
func (v View) residuals(set CalibrationSet) (rows []int, z []float64) {
	mean, variance := v.Posterior.ForwardChain, v.Posterior.Targets()
	predict := mean
	if set == LeaveOneOut {
		predict = v.Posterior.LeaveOneOut
	}
	m, s := predict()
	for i, came := range v.answered() {
		d := (variance[i] - m[i]) / math.Sqrt(s[i])
		if came && !math.IsNaN(d) {
			rows, z = append(rows, i), append(z, d)
		}
	}
	return rows, z
}

// pits are the probability integral transforms of the answered rows.
func (v View) pits(set CalibrationSet) []float64 {
	_, z := v.residuals(set)
	for i, d := range z {
		z[i] = calibration.PIT(d, 0, 1)
	}
	return z
}
