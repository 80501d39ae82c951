package acquisition

import (
	"github.com/tarry-bo/tarry/internal/lbfgs"
)

// Where a posterior mean leads uphill out of the region that was explored, to a side of the box for example, no candidate
// may show it. Climbing the mean costs a small part of climbing a utility, whose variance needs the factor.
const (
	uphillStarts = 10
	uphillSteps  = 8 // evaluations of the mean from each
)

// uphill adds to the candidates the points to which the posterior mean leads from the best of them. It sorts them.
func (s *Search) uphill(f Function, e evaluator, far []candidate) []candidate {
	at, ok := f.(At)
	if !ok {
		return far
	}
	negative := func(x, grad []float64) float64 {
		mean := at.Posterior.MeanGrad(x, grad)
		for j := range grad {
			grad[j] = -grad[j]
		}
		return -mean
	}
	var raw [][]float64
	for _, c := range diverse(far, uphillStarts, apartFar) {
		lower, upper, smooth := s.box(c.x)
		if !smooth {
			return far
		}
		r := lbfgs.Minimize(negative, c.x, lower, upper, lbfgs.Settings{
			MaxEvaluations: uphillSteps, ValueTolerance: uphillTolerance, GradTolerance: uphillTolerance, FirstStep: firstStep,
		})
		raw = append(raw, r.X)
	}
	return append(s.settled(e, raw), far...)
}

// uphillTolerance is the rise of the mean in one step, and its derivative, below which climbing ends.
const uphillTolerance = 1e-3
