package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/lbfgs"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// How thorough the searches and fits are with which those of the engine are compared.
const (
	guardMoments     = 40
	guardStarts      = 64 // local searches, of which guardRows start at the best rows of the model
	guardRows        = 8
	guardSteps       = 200 // evaluations of each of them
	guardFitStarts   = 3
	guardEvaluations = 200
)

// guard measures how far search and fit are from thorough ones.
func (r *sizing) guard(ctx context.Context, c *costs, progress func(string)) error {
	if width, known := bounded[r.policySpec]; known {
		if err := r.guardSearch(ctx, c, width, progress); err != nil {
			return err
		}
	}
	progress("guard of the fit")
	if err := ctx.Err(); err != nil {
		return err
	}
	return r.guardFit(c)
}

// bounded are the policies whose utility is a bound with the latent σ, and its width in standard deviations.
var bounded = map[string]float64{"gp-ucb": 1, "gp-bucb": 1, "gp-qucb": 1.2815515655446004} // the last is Φ⁻¹(0.9)

// bound is the upper confidence bound μ + width·σ (Srinivas et al. 2010).
type bound struct {
	posterior *surrogate.Posterior
	width     float64
}

func (f bound) at(x []float64) float64 {
	mean, variance := f.posterior.Predict(x)
	return mean + f.width*math.Sqrt(variance)
}

// negative returns minus the bound at x and fills grad with its derivatives.
func (f bound) negative(x, grad []float64) float64 {
	slope := make([]float64, len(x))
	mean, variance := f.posterior.PredictGrad(x, grad, slope)
	sd := math.Sqrt(variance)
	for j := range grad {
		if grad[j] = -grad[j]; sd > 0 {
			grad[j] -= f.width * slope[j] / (2 * sd)
		}
	}
	return -mean - f.width*sd
}

// guardSearch compares the utility where the policy went with the greatest one known, over many posteriors.
func (r *sizing) guardSearch(ctx context.Context, c *costs, width float64, progress func(string)) error {
	var shortfalls []float64
	for i := range guardMoments {
		progress(fmt.Sprintf("guard of the search, %d of %d", i, guardMoments))
		r.study = nil // another study, with other data: its next moments would all be much alike
		s, err := r.next(ctx)
		if err != nil {
			return err
		}
		f := bound{s.view.Posterior, width}
		best, err := thorough(ctx, f, s.view, uint64(i))
		if err != nil {
			return err
		}
		shortfalls = append(shortfalls, shortfall(f, s.x, best))
	}
	c.moments, c.guardSearch, c.guardMean = len(shortfalls), spreadOf(shortfalls), stat.Of(shortfalls).Mean
	return nil
}

// shortfall is how much less useful x is than the better point, in posterior standard deviations there; 0 if it is not.
func shortfall(f bound, x, better []float64) float64 {
	_, variance := f.posterior.Predict(better)
	const leastSD = 1e-9 // in the model's units, in which values differ by about 1
	return max(f.at(better)-f.at(x), 0) / max(math.Sqrt(variance), leastSD)
}

// thorough returns the best end of many full local searches over the unit cube. They start at the rows of the model
// with the greatest means and at low-discrepancy points.
func thorough(ctx context.Context, f bound, v policies.View, index uint64) ([]float64, error) {
	starts := slices.Concat(bestRows(f.posterior, guardRows), v.Space.Sample(space.Halton, guardStarts, rng.New(0, rng.Test, index)))
	d := v.Space.Dim()
	lower, upper := make([]float64, d), slices.Repeat([]float64{1}, d)
	best := lbfgs.Result{Value: math.Inf(1)}
	for _, start := range starts[:guardStarts] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := lbfgs.Minimize(f.negative, start, lower, upper, lbfgs.Settings{MaxEvaluations: guardSteps})
		if r.Value < best.Value || best.X == nil {
			best = r
		}
	}
	return best.X, nil
}

// bestRows returns up to count points of the posterior, those with the greatest means first.
func bestRows(p *surrogate.Posterior, count int) [][]float64 {
	type row struct {
		x    []float64
		mean float64
	}
	rows := make([]row, p.Len())
	for i := range rows {
		rows[i] = row{p.X(i), p.Mean(p.X(i))}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(b.mean, a.mean) })
	var out [][]float64
	for _, r := range rows[:min(count, len(rows))] {
		out = append(out, r.x)
	}
	return out
}

// guardFit compares the evidence of all answers under the engine's hyperparameters with that after a thorough fit.
func (r *sizing) guardFit(c *costs) error {
	ours, _, err := fitted(r.fit, r.fit.Options)
	if err != nil {
		return err
	}
	thorough := r.fit.Options
	thorough.Starts, thorough.MaxEvaluations, thorough.Rows = guardFitStarts, guardEvaluations, -1
	full, _, err := fitted(r.fit, thorough)
	if err != nil {
		return err
	}
	quick, err := surrogate.Evidence(ours, r.fit.X, r.fit.Y, nil)
	if err != nil {
		return err
	}
	most, err := surrogate.Evidence(full, r.fit.X, r.fit.Y, nil)
	c.guardNats = (most - quick) / float64(len(r.fit.X))
	return err
}
