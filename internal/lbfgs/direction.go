package lbfgs

import "math"

// nearWall is the part of a side within which an outward gradient already counts as held.
const nearWall = 1e-3

// stationarity is the largest entry of P(x - gradient) - x, zero exactly at the constrained stationary points.
func (w *Search) stationarity() float64 {
	var worst float64
	for i, g := range w.grad {
		worst = max(worst, math.Abs(w.clamp(i, w.x[i]-g)-w.x[i]))
	}
	return worst
}

// markActive marks the coordinates at or very near a wall which the gradient pushes into it. The margin is what
// makes the projected path a descent path (Bertsekas 1982, proposition 1); it shrinks with the distance to the
// solution, so that in the end only coordinates on the wall are held.
func (w *Search) markActive() {
	distance := w.stationarity()
	for i, g := range w.grad {
		margin := min(distance, nearWall*(w.upper[i]-w.lower[i]))
		w.active[i] = g > 0 && w.x[i]-w.lower[i] <= margin || g < 0 && w.upper[i]-w.x[i] <= margin
	}
}

// setDirection fills direction: quasi-Newton on the free coordinates, straight to the wall on the active ones.
func (w *Search) setDirection() {
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
// further than Settings.FirstStep of the widest finite side.
func (w *Search) steepest() {
	firstStep := w.settings.FirstStep
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
