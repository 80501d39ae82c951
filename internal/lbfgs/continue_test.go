package lbfgs

import (
	"math"
	"testing"
)

// What was learned on a function helps on another of the same shape: fewer evaluations than from nothing.
func TestContinueUsesTheCurvatureThatIsKnown(t *testing.T) {
	bowl := func(scale float64, centre []float64) Func {
		return func(x, grad []float64) float64 {
			var sum float64
			for i, v := range x {
				w := scale * math.Pow(10, float64(i))
				sum += w * (v - centre[i]) * (v - centre[i])
				grad[i] = 2 * w * (v - centre[i])
			}
			return sum
		}
	}
	lower, upper := []float64{-9, -9, -9, -9}, []float64{9, 9, 9, 9}
	drive := func(w *Search, f Func) Result {
		grad := make([]float64, 4)
		for !w.Done() {
			v := f(w.X(), grad)
			w.Tell(v, grad)
		}
		return w.Result()
	}
	w := NewSearch([]float64{5, -5, 5, -5}, lower, upper, Settings{})
	drive(w, bowl(1, []float64{0, 0, 0, 0}))
	next := bowl(4, []float64{.1, -.1, .1, -.1})
	start := w.Result().X
	w.Continue(4, Settings{})
	known := drive(w, next)
	fresh := Minimize(next, start, lower, upper, Settings{})
	if !known.Converged || known.Value > 1e-8 || known.Evaluations >= fresh.Evaluations {
		t.Errorf("%d evaluations to %v, from nothing %d to %v", known.Evaluations, known.Value, fresh.Evaluations, fresh.Value)
	}
}
