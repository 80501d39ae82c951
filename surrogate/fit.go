package surrogate

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/internal/lbfgs"
)

// Fit returns the prior whose hyperparameters maximize log evidence + Σ log density of the free hyperparameters, where
// the densities are in θ and the search is over log θ within bounds (maximum a posteriori). The mean is kept. Points
// (n×d) lie in the unit cube and targets (length n) are standardized; any n works, and n = 0 gives the modes of the
// laws. The first start is the mode, the second the incoming prior, any more are draws from the laws by stream; a nil
// stream means that there are no more. The best local optimum wins, the first of equals.
//
// Invalid options or prior and data that are not finite are errors (check.FieldError), and so is
// ErrNotPositiveDefinite at every start, which the default noise floor excludes. Cost per evaluation O(n³ + n²d).
func Fit(prior Prior, x [][]float64, y []float64, o FitOptions, stream *rand.Rand) (Prior, FitReport, error) {
	if err := errors.Join(o.Validate(), prior.Validate()); err != nil {
		return prior, FitReport{}, err
	}
	if err := checkData(prior.Kernel.Dim(), x, y); err != nil {
		return prior, FitReport{}, err
	}
	o = o.withDefaults(prior.Kernel.Dim())
	f := newFitter(prior, newEvidence(x, y), o)
	if len(f.free) == 0 {
		value, err := f.data.at(prior, nil)
		return prior, FitReport{LogEvidence: value, LogPosterior: value, Evaluations: 1, Converged: true}, err
	}
	var report FitReport
	best := lbfgs.Result{Value: math.Inf(1)}
	for _, start := range f.starts(o.Starts, stream) {
		r := lbfgs.Minimize(f.objective, start, f.lower, f.upper, lbfgs.Settings{
			MaxEvaluations: o.MaxEvaluations, GradTolerance: fitGradTolerance, ValueTolerance: fitValueTolerance,
		})
		report.Starts++
		report.Evaluations += r.Evaluations
		if r.Value < best.Value {
			best = r
		}
	}
	if best.X == nil {
		if f.failure == nil {
			f.failure = errOverflow
		}
		return prior, report, f.failure
	}
	report.Converged = best.Converged
	report.LogPosterior = -best.Value
	report.LogEvidence = -best.Value - f.logDensity(best.X, nil)
	return f.at(best.X), report, nil
}

var errOverflow = errors.New("surrogate: log evidence overflows; standardize the targets")

// fitter turns log evidence and laws into a function of the free logarithms.
type fitter struct {
	prior        Prior
	data         *evidence
	free         []freedom
	theta, grad  []float64 // all logarithms, noise last, and the gradient by them
	lower, upper []float64
	failure      error // the last that kept the evidence from being computed
}

func newFitter(prior Prior, data *evidence, o FitOptions) *fitter {
	theta := append(prior.Kernel.Params(), math.Log(prior.Noise))
	f := &fitter{prior: prior, data: data, theta: theta, grad: make([]float64, len(theta))}
	f.free = o.freedoms(prior.Kernel, theta)
	for _, p := range f.free {
		f.lower, f.upper = append(f.lower, p.lower), append(f.upper, p.upper)
	}
	return f
}

// at returns the prior with the free logarithms u.
func (f *fitter) at(u []float64) Prior {
	for i, p := range f.free {
		f.theta[p.slot] = u[i]
	}
	last := len(f.theta) - 1
	prior := f.prior
	prior.Kernel = prior.Kernel.WithParams(f.theta[:last])
	if i := len(f.free) - 1; f.free[i].slot == last {
		prior.Noise = math.Exp(u[i])
	}
	return prior
}

// objective is minus the log posterior; +Inf where it cannot be computed, so that the search comes back.
func (f *fitter) objective(u, grad []float64) float64 {
	value, err := f.data.at(f.at(u), f.grad)
	if err != nil {
		f.failure = err
		return math.Inf(1)
	}
	for i, p := range f.free {
		grad[i] = -f.grad[p.slot]
	}
	return -value - f.logDensity(u, grad)
}

// logDensity returns the sum of the log densities at the free logarithms u and takes its gradient off grad.
func (f *fitter) logDensity(u, grad []float64) float64 {
	var sum float64
	for i, p := range f.free {
		v := math.Exp(u[i])
		sum += p.law.LogDensity(v)
		if grad != nil {
			grad[i] -= p.law.slope(v)
		}
	}
	return sum
}

// starts returns up to n different points inside the bounds.
func (f *fitter) starts(n int, stream *rand.Rand) [][]float64 {
	var out [][]float64
	add := func(logarithm func(freedom) float64) {
		u := make([]float64, len(f.free))
		for i, p := range f.free {
			u[i] = min(max(logarithm(p), p.lower), p.upper)
		}
		if !slices.ContainsFunc(out, func(other []float64) bool { return slices.Equal(u, other) }) {
			out = append(out, u)
		}
	}
	incoming := slices.Clone(f.theta)
	add(func(p freedom) float64 { return math.Log(p.law.Mode()) })
	if n > 1 {
		add(func(p freedom) float64 { return incoming[p.slot] })
	}
	if stream == nil {
		return out
	}
	for range n - 2 {
		add(func(p freedom) float64 { return p.law.Mu + p.law.Sigma*stream.NormFloat64() })
	}
	return out
}
