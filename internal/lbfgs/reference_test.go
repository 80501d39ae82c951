package lbfgs

import "math"

// ReferenceMinimize is Minimize written as the two nested loops that Search takes apart. The tests compare both.
func ReferenceMinimize(f Func, x0, lower, upper []float64, s Settings) Result {
	w := NewSearch(x0, lower, upper, s)
	evaluate := func(x, grad []float64) float64 {
		w.evaluations++
		return f(x, grad)
	}
	end := func(converged bool) Result {
		return Result{X: w.x, Value: w.value, Evaluations: w.evaluations, Converged: converged}
	}
	w.value = evaluate(w.x, w.grad)
	if !finite(w.value, w.grad) {
		return end(false)
	}
	for {
		if w.stationarity() <= w.settings.GradTolerance {
			return end(true)
		}
		w.markActive()
		w.setDirection()
		before, small := w.value, w.settings.ValueTolerance*max(1, math.Abs(w.value))
		switch {
		case w.referenceLineSearch(evaluate):
			if before-w.value <= small {
				return end(true)
			}
		case w.evaluations >= w.settings.MaxEvaluations:
			return end(false)
		case w.memory.count == 0:
			return end(w.promised <= small)
		default:
			w.memory.clear()
		}
	}
}

func (w *Search) referenceLineSearch(evaluate Func) bool {
	change, _ := w.project(1)
	w.promised = -change
	for t := 1.0; w.evaluations < w.settings.MaxEvaluations; {
		change, moved := w.project(t)
		if moved <= smallestTrial {
			return false
		}
		value := evaluate(w.trial, w.slope)
		if !finite(value, w.slope) {
			t *= shrinkMost
			continue
		}
		if change < 0 && value <= w.value+armijo*change {
			w.accept(value)
			return true
		}
		best := -0.5 * change / (value - w.value - change)
		if !(best >= shrinkMost) {
			best = shrinkMost
		}
		t *= min(best, shrinkLeast)
	}
	return false
}
