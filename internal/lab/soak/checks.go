package soak

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// inspect returns nil when the answer to an ask keeps every rule: the policy answered, its points are in the space, and
// model and forecast are finite there.
func inspect(ask loop.Ask, view policies.View, event loop.Event) error {
	p, ok := event.(loop.Proposed)
	if !ok {
		return fmt.Errorf("no proposal: %+v", event)
	}
	if len(p.Proposals) != ask.Count {
		return fmt.Errorf("%d proposals for %d", len(p.Proposals), ask.Count)
	}
	for _, proposal := range p.Proposals {
		if err := errors.Join(inside(view, proposal.X), sound(proposal.Forecast), predicts(view.Posterior, proposal.X)); err != nil {
			return err
		}
	}
	return nil
}

// inside returns nil when x is a point of the space at the view's context.
func inside(view policies.View, x space.Unit) error {
	if err := view.Space.ContainsUnit(x); err != nil {
		return err
	}
	if snapped := view.Space.Snap(x); !slices.Equal(snapped, x) {
		return fmt.Errorf("proposal %v is no point of the space; the nearest is %v", x, snapped)
	}
	for j, i := range view.Space.Contexts() {
		if x[i] != view.Context[j] {
			return fmt.Errorf("proposal %v is not at the context %v", x, view.Context)
		}
	}
	return nil
}

// sound returns nil when a forecast, if there is one, is finite.
func sound(f *policies.Forecast) error {
	if f == nil {
		return nil
	}
	var l check.List
	l.Finite("Forecast.Mean", f.Mean)
	l.NotNegative("Forecast.Stddev", f.Stddev)
	l.Finite("Forecast.Shift", f.Shift)
	l.Positive("Forecast.Scale", f.Scale)
	return l.Err()
}

// predicts returns nil when the model, if there is one, is finite at x and at every point of its pool.
func predicts(p *surrogate.Posterior, x space.Unit) error {
	if p == nil {
		return nil
	}
	var l check.List
	mean, variance := p.Predict(x)
	l.Finite("Posterior.Mean", mean)
	l.NotNegative("Posterior.Variance", variance)
	for i, mean := range p.PoolMean() {
		l.Finite("Posterior.PoolMean", mean)
		l.NotNegative("Posterior.PoolVariance", p.PoolVariance()[i])
		if l.Err() != nil {
			break
		}
	}
	return l.Err()
}

// unbroken returns nil unless a fit panicked. A fit without a result is none of our business: the loop counts it.
func unbroken(fitted loop.Event) error {
	if f, ok := fitted.(loop.FitFailed); ok && strings.Contains(f.Reason, "panic") {
		return fmt.Errorf("fit %d: %s", f.Fit, f.Reason)
	}
	return nil
}

// judge looks at a study that is over, and at its results: that of its end, and that with what came later.
func (w *world) judge() error {
	if err := w.Loop.Check(); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	later := w.Loop.Result()
	return errors.Join(w.best("result", *w.Result), w.best("later result", later))
}

// best returns nil when the best of a result is finite and no other evaluation is better.
func (w *world) best(name string, r loop.Result) error {
	sign := 1.
	if w.config.Minimize {
		sign = -1
	}
	greatest := math.Inf(-1)
	for _, e := range r.Evaluations {
		if e.Status.Valued() {
			greatest = max(greatest, sign*e.Value)
		}
	}
	switch {
	case r.Best == nil && (r.Recommended != nil || !math.IsInf(greatest, -1)):
		return fmt.Errorf("%s: no best evaluation, though there are values", name)
	case r.Best == nil:
		return nil
	case math.IsNaN(r.Best.Value) || math.IsInf(r.Best.Value, 0) || sign*r.Best.Value != greatest:
		return fmt.Errorf("%s: best value %v, greatest %v", name, r.Best.Value, sign*greatest)
	case r.Recommended == nil || !r.Recommended.Status.Valued():
		return fmt.Errorf("%s: nothing valued is recommended: %+v", name, r.Recommended)
	}
	return nil
}
