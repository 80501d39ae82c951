// Package lbfgs minimizes a smooth function inside a box with a projected L-BFGS method. It is what the
// hyperparameter fit and the acquisition search share: small dimensions, cheap functions, many starts, minima that
// often lie exactly on a wall of the box.
//
// The method is Bertsekas' two-metric projection: coordinates that a wall holds back are taken out, the remaining
// ones move along a limited-memory quasi-Newton direction, and the step is shortened along the projected path until
// the value has fallen enough. Minimize is pure and deterministic, and safe for concurrent use with different
// functions; it allocates its work space and its result, and nothing while it iterates.
//
//	bowl := func(x, grad []float64) float64 { grad[0] = 2 * (x[0] - 3); return (x[0] - 3) * (x[0] - 3) }
//	r := lbfgs.Minimize(bowl, []float64{0}, []float64{-1}, []float64{1}, lbfgs.Settings{})
//	// r.X[0] == 1, exactly: the nearest wall to the minimum at 3
//
// A Search is the same method driven from outside, one evaluation at a time, so that several searches can advance in
// lockstep and have their points evaluated in one batch:
//
//	w, grad := lbfgs.NewSearch(x0, lower, upper, lbfgs.Settings{}), make([]float64, len(x0))
//	for !w.Done() {
//		value := bowl(w.X(), grad) // or collect X of many searches and evaluate them together
//		w.Tell(value, grad)
//	}
//	x, value := w.Best()
//
// Sources: Bertsekas 1982, "Projected Newton methods for optimization problems with simple constraints" (active set
// and projected path); Nocedal & Wright 2006, Algorithm 7.4 (two-loop recursion).
package lbfgs

// Func returns the value at x and fills grad with the gradient there. Both slices have the dimension of the problem,
// belong to Minimize and are only valid during the call; x must not be changed. A value or gradient that is not finite
// means "the step was too long" and makes Minimize come closer to the last good point.
type Func func(x, grad []float64) float64

// Settings says when to stop. The zero value of each field means its default.
type Settings struct {
	MaxEvaluations int     // calls of the function, at least one is made; zero means 200
	Memory         int     // curvature pairs kept; zero means 8
	GradTolerance  float64 // largest entry of P(x-gradient)-x that counts as a minimum; zero means 1e-6
	ValueTolerance float64 // fall of one step, relative to max(1, |value|), that counts as none; zero means 1e-10
	FirstStep      float64 // part of the widest side that the first move may go, when no curvature is known; zero means 0.25
}

// Result is the best point found.
type Result struct {
	X           []float64 // always inside the box; a coordinate held by a wall equals the bound exactly
	Value       float64   // value at X; not finite only when the start itself is not
	Evaluations int       // calls of the function
	Converged   bool      // one of the two tolerances was met
}

const (
	defaultEvaluations    = 200
	defaultMemory         = 8
	defaultGradTolerance  = 1e-6
	defaultValueTolerance = 1e-10
	defaultFirstStep      = 0.25
)

func (s Settings) withDefaults() Settings {
	if s.MaxEvaluations <= 0 {
		s.MaxEvaluations = defaultEvaluations
	}
	if s.Memory <= 0 {
		s.Memory = defaultMemory
	}
	if s.GradTolerance <= 0 {
		s.GradTolerance = defaultGradTolerance
	}
	if s.FirstStep <= 0 {
		s.FirstStep = defaultFirstStep
	}
	if s.ValueTolerance <= 0 {
		s.ValueTolerance = defaultValueTolerance
	}
	return s
}

// Minimize searches for a local minimum of f in the box lower ≤ x ≤ upper, starting at x0 clamped into it. The four
// slices x0, lower, upper and Result.X have the same length; infinite bounds are allowed. Slices of different length
// and crossed or NaN bounds are bugs and panic. Cost per iteration: one or a few evaluations and O(Memory·d).
func Minimize(f Func, x0, lower, upper []float64, s Settings) Result {
	w := NewSearch(x0, lower, upper, s)
	grad := make([]float64, len(x0))
	for !w.Done() {
		w.Tell(f(w.X(), grad), grad)
	}
	return w.Result()
}

// finite reports whether value and every entry of grad are finite.
func finite(value float64, grad []float64) bool {
	sum := value - value // zero, or NaN as soon as anything is not finite
	for _, g := range grad {
		sum += g - g
	}
	return sum == 0
}
