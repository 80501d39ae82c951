package lbfgs

import "math"

const (
	armijo        = 1e-4 // fraction of the predicted fall that must be reached; Nocedal & Wright 2006, section 3.1
	shrinkMost    = 0.1  // one backtracking step keeps between a tenth and a half of the last one
	shrinkLeast   = 0.5
	smallestTrial = 1e-16 // relative movement below which a line search gives up
)

// The line search backtracks along the projected path x(t) = P(x + t direction), from t = 1 on, until the value has
// fallen by the Armijo fraction of what the gradient promised. It pauses between propose and judge, while the caller
// evaluates the trial point.

// aim begins a line search along direction.
func (w *Search) aim() {
	change, _ := w.project(1)
	w.promised = -change
	w.length = 1
}

// propose fills trial with the next point to evaluate. It reports false, and the line search has failed, when no
// evaluations are left or the step has become too short to matter.
func (w *Search) propose() bool {
	if w.evaluations >= w.settings.MaxEvaluations {
		return false
	}
	change, moved := w.project(w.length)
	w.change = change
	return !(moved <= smallestTrial)
}

// judge moves to the trial point, whose gradient is in slope, and remembers the curvature seen, if value is low enough
// there. Otherwise it reports false, stays and shortens the step.
func (w *Search) judge(value float64) bool {
	if !finite(value, w.slope) {
		w.length *= shrinkMost
		return false
	}
	if w.change < 0 && value <= w.value+armijo*w.change {
		w.accept(value)
		return true
	}
	// Minimum of the parabola through both values and the slope at the start, kept within reason.
	best := -0.5 * w.change / (value - w.value - w.change)
	if !(best >= shrinkMost) {
		best = shrinkMost
	}
	w.length *= min(best, shrinkLeast)
	return false
}

// project fills trial with x(t) and returns the first-order change of the value and the largest relative movement.
func (w *Search) project(t float64) (change, moved float64) {
	for i, x := range w.x {
		w.trial[i] = w.clamp(i, x+t*w.direction[i])
		step := w.trial[i] - x
		change += w.grad[i] * step
		moved = max(moved, math.Abs(step)/max(1, math.Abs(x)))
	}
	return change, moved
}

// accept makes the trial point the current one.
func (w *Search) accept(value float64) {
	w.memory.push(w.x, w.trial, w.grad, w.slope)
	w.x, w.trial = w.trial, w.x
	w.grad, w.slope = w.slope, w.grad
	w.value = value
}
