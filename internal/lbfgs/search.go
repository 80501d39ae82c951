package lbfgs

import (
	"math"
	"slices"
)

// Search is one minimization driven from outside: evaluate the function at X, hand value and gradient to Tell, and so
// on until Done. It visits the same points as Minimize. NewSearch allocates the work space; after that only Result
// allocates. Different searches are independent of each other; one search is not safe for concurrent use. The zero
// value is done and has nothing to show until Reset.
type Search struct {
	settings     Settings
	lower, upper []float64
	x, grad      []float64 // the last good point
	trial, slope []float64 // the point being tried and its gradient
	direction    []float64
	active       []bool // held by a wall, or about to be
	value        float64
	promised     float64 // fall of the value that the gradient promises for the whole direction
	length       float64 // of the step to the trial point, as a part of direction
	change       float64 // first-order change of the value from x to the trial point
	evaluations  int
	converged    bool
	state        state
	memory       memory
}

// state says what the search is waiting for.
type state uint8

const (
	done      state = iota // nothing; first, so that a search without a start asks for nothing
	starting               // the value at x
	searching              // the value at trial, in the middle of a line search
)

// NewSearch returns a search for a local minimum in the box lower ≤ x ≤ upper, whose first point X is x0 clamped into
// it. The arguments are as for Minimize, panics included; the slices are copied.
func NewSearch(x0, lower, upper []float64, s Settings) *Search {
	w := new(Search)
	w.Reset(x0, lower, upper, s)
	return w
}

// Reset turns w into what NewSearch with the same arguments returns, whatever it did before. It allocates nothing
// when the dimension and Settings.Memory are those of last time. All slices that X and Best have returned are invalid
// afterwards, but x0 may be one of them. When it panics, w is as before.
func (w *Search) Reset(x0, lower, upper []float64, s Settings) {
	checkBox(len(x0), lower, upper)
	s = s.withDefaults()
	if len(x0) != len(w.x) || s.Memory != len(w.memory.s) {
		w.allocate(len(x0), s.Memory)
	}
	w.settings = s
	copy(w.lower, lower)
	copy(w.upper, upper)
	for i, v := range x0 {
		if math.IsNaN(v) {
			v = 0
		}
		w.x[i] = w.clamp(i, v)
	}
	w.memory.clear()
	w.value = math.Inf(1)
	w.evaluations, w.converged, w.state = 0, false, starting
}

// Continue starts w anew at its best point for another function in the same box, whose curvature is about scale > 0
// times that of the function so far: what was learned about the curvature stays. It allocates nothing unless
// Settings.Memory changes, which also forgets.
func (w *Search) Continue(scale float64, s Settings) {
	s = s.withDefaults()
	if s.Memory != len(w.memory.s) {
		w.memory = newMemory(s.Memory, len(w.x))
	}
	w.memory.scale(scale)
	w.settings = s
	w.value = math.Inf(1)
	w.evaluations, w.converged, w.state = 0, false, starting
}

func checkBox(d int, lower, upper []float64) {
	if len(lower) != d || len(upper) != d {
		panic("lbfgs: bounds and start of different length")
	}
	for i := range d {
		if !(lower[i] <= upper[i]) {
			panic("lbfgs: crossed bounds")
		}
	}
}

func (w *Search) allocate(d, pairs int) {
	backing := make([]float64, 7*d)
	for i, part := range []*[]float64{&w.lower, &w.upper, &w.x, &w.grad, &w.trial, &w.slope, &w.direction} {
		*part = backing[i*d : (i+1)*d : (i+1)*d]
	}
	w.active = make([]bool, d)
	w.memory = newMemory(pairs, d)
}

func (w *Search) clamp(i int, v float64) float64 { return min(max(v, w.lower[i]), w.upper[i]) }

// X returns the point to evaluate next, always inside the box, or nil once the search is done. The slice belongs to
// w, must not be changed and is valid until the next Tell or Reset.
func (w *Search) X() []float64 {
	switch w.state {
	case starting:
		return w.x
	case searching:
		return w.trial
	default:
		return nil
	}
}

// Done reports whether the search is over: converged, out of evaluations, or unable to get any lower.
func (w *Search) Done() bool { return w.state == done }

// Best returns the best point so far, which is the last one accepted, and its value. Until a finite value is known,
// these are the start (clamped into the box) and +Inf, even if the value told there was NaN or -Inf. The slice belongs
// to w, must not be changed and is valid until the next Tell or Reset.
func (w *Search) Best() (x []float64, value float64) {
	if !finite(w.value, nil) {
		return w.x, math.Inf(1)
	}
	return w.x, w.value
}

// Result returns what Minimize returns once the search is done. Before that it returns the best point so far,
// unconverged; before the first Tell the start with value +Inf. X is a copy and belongs to the caller.
func (w *Search) Result() Result {
	return Result{X: slices.Clone(w.x), Value: w.value, Evaluations: w.evaluations, Converged: w.converged}
}

// Tell hands over the value and the gradient at X and moves X on. The gradient is copied. A value or gradient that is
// not finite means "the step was too long", as with Func; at the start it ends the search. A gradient of the wrong
// length and a Tell after Done are bugs and panic. Cost: O(Memory·d).
func (w *Search) Tell(value float64, grad []float64) {
	if w.state == done {
		panic("lbfgs: Tell after Done")
	}
	if len(grad) != len(w.x) {
		panic("lbfgs: gradient and start of different length")
	}
	w.evaluations++
	if w.state == starting {
		w.tellStart(value, grad)
		return
	}
	copy(w.slope, grad)
	before, small := w.value, w.smallFall()
	switch {
	case !w.judge(value):
		w.tryStep()
	case before-w.value <= small:
		w.finish(true)
	default:
		w.descend()
	}
}

func (w *Search) tellStart(value float64, grad []float64) {
	copy(w.grad, grad)
	w.value = value
	if !finite(value, grad) {
		w.finish(false)
		return
	}
	w.state = searching
	w.descend()
}

// descend begins a line search from x, or finishes where none is needed.
func (w *Search) descend() {
	if w.stationarity() <= w.settings.GradTolerance {
		w.finish(true)
		return
	}
	w.markActive()
	w.setDirection()
	w.aim()
	w.tryStep()
}

// tryStep goes on with the line search. Where that has failed, it begins another one or finishes. It calls descend
// at most once, because the memory is empty from then on.
func (w *Search) tryStep() {
	switch {
	case w.propose():
		return
	case w.evaluations >= w.settings.MaxEvaluations:
		w.finish(false)
	case w.memory.count == 0:
		w.finish(w.promised <= w.smallFall()) // what is left to gain drowns in round-off
	default:
		w.memory.clear() // the quadratic model misled us: one more try along the gradient
		w.descend()
	}
}

// smallFall is the fall of the value from x that counts as none.
func (w *Search) smallFall() float64 {
	return w.settings.ValueTolerance * max(1, math.Abs(w.value))
}

func (w *Search) finish(converged bool) { w.state, w.converged = done, converged }
