package surrogate

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/internal/lbfgs"
	"github.com/tarry-bo/tarry/space"
)

// Fit returns the prior whose hyperparameters maximize log evidence + Σ log density of the free hyperparameters, where
// the densities are in θ and the search is over log θ within bounds (maximum a posteriori). The mean is kept. Points
// (n×d) lie in the unit cube and targets (length n) are standardized; any n works, and n = 0 gives the modes of the
// hyperpriors. The first start is the mode, the second the incoming prior, any more are draws from the hyperpriors by stream; a nil
// stream means that there are no more. The best local optimum wins, the first of equals.
//
// Large data are climbed in levels: the starts look at a subset of at most 150 points, spread evenly over the data, and
// the best of them goes on with twice as many points, and so on, with the curvature it has learned and ever fewer
// evaluations, until Options.Rows are reached. Most evaluations are thus cheap, and the last ones see everything.
//
// Invalid options or prior and data that are not finite are errors (check.FieldError), and so is
// ErrNotPositiveDefinite at every start, which the default noise floor excludes. An evaluation of m points costs
// O(m³ + m²d); memory 8m² bytes.
func Fit(prior Prior, x []space.Unit, y []float64, o FitOptions, stream *rand.Rand) (Prior, FitReport, error) {
	return FitKnown(prior, x, y, nil, o, stream)
}

// FitKnown is Fit where target i has noise of the variance λ + variances[i], as in ConditionKnown: what is learned is λ.
func FitKnown(prior Prior, x []space.Unit, y, variances []float64, o FitOptions, stream *rand.Rand) (Prior, FitReport, error) {
	v := known(variances)
	if err := errors.Join(o.Validate(), prior.Validate()); err != nil {
		return prior, FitReport{}, err
	}
	if err := errors.Join(checkData(prior.Kernel.Dim(), x, y), v.check(len(x))); err != nil {
		return prior, FitReport{}, err
	}
	o = o.withDefaults(prior.Kernel.Dim())
	levels := levelSizes(len(x), o.Rows)
	f := newFitter(prior, o)
	f.look(x, y, v, levels[0])
	if len(f.free) == 0 {
		f.look(x, y, v, levels[len(levels)-1])
		value, err := f.data.at(prior, nil)
		return prior, FitReport{LogEvidence: value, LogPosterior: value, Evaluations: 1, Rows: len(f.data.x), Converged: true}, err
	}
	var report FitReport
	best := f.fromStarts(o, len(levels) > 1, stream, &report)
	if best == nil {
		if f.failure == nil {
			f.failure = errOverflow
		}
		return prior, report, f.failure
	}
	for i, m := range levels[1:] {
		f.look(x, y, v, m)
		best.Continue(float64(m)/float64(levels[i]), lbfgs.Settings{
			MaxEvaluations: refinements(m), GradTolerance: fitGradTolerance, ValueTolerance: fitValueTolerance,
		})
		f.drive(best)
		report.Evaluations += best.Result().Evaluations
	}
	return f.finish(prior, best, report)
}

const (
	startRows     = 150 // most points of the first level
	refineBudget  = 4000
	leastRefining = 2
)

// levelSizes returns how many of n points each level looks at, at most most of them; a negative most means one level
// with all.
func levelSizes(n, most int) []int {
	if most < 0 {
		return []int{n}
	}
	n = min(n, most)
	sizes := []int{n}
	for n > startRows {
		n = (n + 1) / 2
		sizes = append(sizes, n)
	}
	slices.Reverse(sizes)
	return sizes
}

// refinements is how many evaluations a later level of m points may take: 20 at 200 points, 2 from 2000 on.
func refinements(m int) int { return max(refineBudget/max(m, 1), leastRefining) }

var errOverflow = errors.New("log evidence overflows; standardize the targets")

// fromStarts searches from each start and returns the search that came lowest, nil when all failed.
func (f *fitter) fromStarts(o FitOptions, coarse bool, stream *rand.Rand, report *FitReport) *lbfgs.Search {
	settings := lbfgs.Settings{MaxEvaluations: o.MaxEvaluations, GradTolerance: fitGradTolerance, ValueTolerance: fitValueTolerance}
	if coarse {
		settings.GradTolerance, settings.ValueTolerance = coarseGradTolerance, coarseValueTolerance
	}
	var best *lbfgs.Search
	lowest := math.Inf(1)
	for _, start := range f.starts(o, stream) {
		s := lbfgs.NewSearch(start, f.lower, f.upper, settings)
		f.drive(s)
		r := s.Result()
		report.Starts++
		report.Evaluations += r.Evaluations
		if r.Value < lowest {
			best, lowest = s, r.Value
		}
	}
	return best
}

// drive takes a search to its end.
func (f *fitter) drive(s *lbfgs.Search) {
	grad := make([]float64, len(f.free))
	for !s.Done() {
		value := f.objective(s.X(), grad)
		s.Tell(value, grad)
	}
}

// finish turns the result of the last level into a prior. A last level without any finite value keeps what the one
// before found.
func (f *fitter) finish(prior Prior, s *lbfgs.Search, report FitReport) (Prior, FitReport, error) {
	r := s.Result()
	report.Converged = r.Converged
	report.LogPosterior = -r.Value
	report.LogEvidence = -r.Value - f.logDensity(r.X, nil)
	report.Rows = len(f.data.x)
	return f.at(r.X), report, nil
}
