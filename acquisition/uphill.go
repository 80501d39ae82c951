package acquisition

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/lbfgs"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Where a posterior mean leads uphill out of the region that was explored, to a side of the box for example, no candidate
// may show it. Climbing the mean costs a small part of climbing a utility, whose variance needs the factor.
const (
	uphillStarts    = 14
	uphillApart     = 0.4  // how far in some coordinate the starts must be from each other: each for a region of its own
	uphillSteps     = 6    // evaluations of the mean from each
	uphillEnds      = 4    // highest ends whose utility is computed
	uphillTolerance = 1e-3 // rise of the mean in one step, and its derivative, below which climbing ends
)

// uphill adds to the candidates the points to which the posterior mean leads from the best of them.
func (s *Search) uphill(e evaluator, far []candidate) []candidate {
	predictor := climbed(e)
	if predictor == nil || len(far) == 0 || !s.smooth() {
		return far
	}
	unit := min(1, math.Sqrt(predictor.Posterior().Prior().Kernel.Diag(far[0].x)))
	negative := func(bent, grad []float64) float64 {
		x := s.Inputs.From(bent)
		mean := predictor.MeanGrad(x, grad)
		s.Inputs.Unbend(grad, x)
		for j := range grad {
			grad[j] = -grad[j] / unit
		}
		return -mean / unit
	}
	settings := lbfgs.Settings{
		MaxEvaluations: uphillSteps, ValueTolerance: uphillTolerance, GradTolerance: uphillTolerance, FirstStep: firstStep,
	}
	var ends []lbfgs.Result
	for _, c := range s.diverse(far, uphillStarts, uphillApart) {
		lower, upper := s.warpedBox(c.x)
		ends = append(ends, lbfgs.Minimize(negative, s.Inputs.To(c.x), lower, upper, settings))
	}
	slices.SortStableFunc(ends, func(a, b lbfgs.Result) int { return cmp.Compare(a.Value, b.Value) })
	var raw []space.Unit
	for _, r := range ends {
		if len(raw) < uphillEnds && !slices.ContainsFunc(raw, func(o space.Unit) bool { return within(o, r.X, apartFar) }) {
			raw = append(raw, r.X)
		}
	}
	return append(s.settled(e, s.unwarped(raw)), far...)
}

// climbed predicts by the model whose mean leads uphill: that of the function, or of the first part of a sum; nil without one.
func climbed(e evaluator) *surrogate.Predictor {
	switch e := e.(type) {
	case *moments:
		return e.predictor
	case *leftOut:
		return e.predictor
	case penalized:
		return climbed(e.evaluator)
	case *sums:
		return climbed(e.parts[0])
	}
	return nil
}
