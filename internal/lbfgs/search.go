package lbfgs

import "math"

const (
	armijo        = 1e-4 // fraction of the predicted fall that must be reached; Nocedal & Wright 2006, section 3.1
	shrinkMost    = 0.1  // one backtracking step keeps between a tenth and a half of the last one
	shrinkLeast   = 0.5
	firstStep     = 0.25  // the first move, without curvature, goes at most this part of the widest side
	nearWall      = 1e-3  // part of a side within which an outward gradient already counts as held
	smallestTrial = 1e-16 // relative movement below which a line search gives up
)

// search is the state of one minimization.
type search struct {
	f            Func
	settings     Settings
	lower, upper []float64
	x, grad      []float64 // the last good point
	trial, slope []float64 // the point being tried and its gradient
	direction    []float64
	active       []bool // held by a wall, or about to be
	value        float64
	promised     float64 // fall of the value that the gradient promises for the whole direction
	evaluations  int
	memory       memory
}

func newSearch(f Func, x0, lower, upper []float64, s Settings) *search {
	d := len(x0)
	if len(lower) != d || len(upper) != d {
		panic("lbfgs: bounds and start of different length")
	}
	backing := make([]float64, 5*d)
	part := func(i int) []float64 { return backing[i*d : (i+1)*d : (i+1)*d] }
	w := &search{
		f: f, settings: s, lower: lower, upper: upper,
		x: part(0), grad: part(1), trial: part(2), slope: part(3), direction: part(4),
		active: make([]bool, d), memory: newMemory(s.Memory, d),
	}
	for i, v := range x0 {
		if !(lower[i] <= upper[i]) {
			panic("lbfgs: crossed bounds")
		}
		if math.IsNaN(v) {
			v = 0
		}
		w.x[i] = w.clamp(i, v)
	}
	return w
}

func (w *search) clamp(i int, v float64) float64 { return min(max(v, w.lower[i]), w.upper[i]) }

func (w *search) evaluate(x, grad []float64) float64 {
	w.evaluations++
	return w.f(x, grad)
}

func (w *search) result(converged bool) Result {
	return Result{X: w.x, Value: w.value, Evaluations: w.evaluations, Converged: converged}
}

// stationarity is the largest entry of P(x - gradient) - x, zero exactly at the constrained stationary points.
func (w *search) stationarity() float64 {
	var worst float64
	for i, g := range w.grad {
		worst = max(worst, math.Abs(w.clamp(i, w.x[i]-g)-w.x[i]))
	}
	return worst
}

// markActive marks the coordinates at or very near a wall which the gradient pushes into it. The margin is what
// makes the projected path a descent path (Bertsekas 1982, proposition 1); it shrinks with the distance to the
// solution, so that in the end only coordinates on the wall are held.
func (w *search) markActive() {
	distance := w.stationarity()
	for i, g := range w.grad {
		margin := min(distance, nearWall*(w.upper[i]-w.lower[i]))
		w.active[i] = g > 0 && w.x[i]-w.lower[i] <= margin || g < 0 && w.upper[i]-w.x[i] <= margin
	}
}

// setDirection fills direction: quasi-Newton on the free coordinates, straight to the wall on the active ones.
func (w *search) setDirection() {
	for i, g := range w.grad {
		w.direction[i] = g
		if w.active[i] {
			w.direction[i] = 0
		}
	}
	known := w.memory.apply(w.direction, w.active)
	var fall float64
	for i, g := range w.grad {
		w.direction[i] = -w.direction[i]
		fall += g * w.direction[i]
	}
	if !known || !(fall <= 0) {
		w.memory.clear()
		w.steepest()
	}
	for i, g := range w.grad {
		if !w.active[i] {
			continue
		}
		if g > 0 {
			w.direction[i] = w.lower[i] - w.x[i]
		} else {
			w.direction[i] = w.upper[i] - w.x[i]
		}
	}
}

// steepest fills the free part of direction with the negative gradient, shortened so that a unit step moves no
// further than firstStep of the widest finite side.
func (w *search) steepest() {
	var largest, widest float64
	for i, g := range w.grad {
		if w.active[i] {
			continue
		}
		largest = max(largest, math.Abs(g))
		if side := w.upper[i] - w.lower[i]; !math.IsInf(side, 1) {
			widest = max(widest, side)
		}
	}
	if widest == 0 {
		widest = 1 / firstStep
	}
	scale := 1.0
	if largest > firstStep*widest {
		scale = firstStep * widest / largest
	}
	for i, g := range w.grad {
		if !w.active[i] {
			w.direction[i] = -scale * g
		}
	}
}

// lineSearch backtracks along the projected path x(t) = P(x + t direction) until the value has fallen by the Armijo
// fraction of what the gradient promised. It moves to that point and remembers the curvature seen, or returns false
// and stays.
func (w *search) lineSearch() bool {
	change, _ := w.project(1)
	w.promised = -change
	for t := 1.0; w.evaluations < w.settings.MaxEvaluations; {
		change, moved := w.project(t)
		if moved <= smallestTrial {
			return false
		}
		value := w.evaluate(w.trial, w.slope)
		if !finite(value, w.slope) {
			t *= shrinkMost
			continue
		}
		if change < 0 && value <= w.value+armijo*change {
			w.accept(value)
			return true
		}
		// Minimum of the parabola through both values and the slope at the start, kept within reason.
		best := -0.5 * change / (value - w.value - change)
		if !(best >= shrinkMost) {
			best = shrinkMost
		}
		t *= min(best, shrinkLeast)
	}
	return false
}

// project fills trial with x(t) and returns the first-order change of the value and the largest relative movement.
func (w *search) project(t float64) (change, moved float64) {
	for i, x := range w.x {
		w.trial[i] = w.clamp(i, x+t*w.direction[i])
		step := w.trial[i] - x
		change += w.grad[i] * step
		moved = max(moved, math.Abs(step)/max(1, math.Abs(x)))
	}
	return change, moved
}

// accept makes the trial point the current one.
func (w *search) accept(value float64) {
	w.memory.push(w.x, w.trial, w.grad, w.slope)
	w.x, w.trial = w.trial, w.x
	w.grad, w.slope = w.slope, w.grad
	w.value = value
}
