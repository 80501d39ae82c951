package lbfgs_test

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/lbfgs"
	"github.com/tarry-bo/tarry/internal/rng"
	"pgregory.net/rapid"
)

// bowl is the separable quadratic sum_i w_i (x_i - c_i)^2 / 2.
func bowl(center, weight []float64) lbfgs.Func {
	return func(x, grad []float64) float64 {
		var v float64
		for i := range x {
			grad[i] = weight[i] * (x[i] - center[i])
			v += 0.5 * grad[i] * (x[i] - center[i])
		}
		return v
	}
}

func rosenbrock(x, grad []float64) float64 {
	a, b := 1-x[0], x[1]-x[0]*x[0]
	grad[0] = -2*a - 400*x[0]*b
	grad[1] = 200 * b
	return a*a + 100*b*b
}

var zero2, one2 = []float64{0, 0}, []float64{1, 1}

func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v, want %v ± %v", what, got, want, tolerance)
	}
}

func TestQuadraticWithMinimumInside(t *testing.T) {
	r := lbfgs.Minimize(bowl([]float64{0.3, 0.8}, []float64{1, 50}), []float64{0.9, 0.1}, zero2, one2, lbfgs.Settings{})
	within(t, "x0", r.X[0], 0.3, 1e-5)
	within(t, "x1", r.X[1], 0.8, 1e-6)
	if !r.Converged || r.Evaluations > 30 {
		t.Errorf("converged %v after %d evaluations", r.Converged, r.Evaluations)
	}
}

func TestQuadraticWithMinimumOnAFaceHitsTheWallExactly(t *testing.T) {
	for _, wall := range []float64{0, 1} {
		outside := 3*wall - 1 // -1 or 2
		r := lbfgs.Minimize(bowl([]float64{outside, 0.5}, []float64{1, 1}), []float64{0.4, 0.9}, zero2, one2, lbfgs.Settings{})
		if r.X[0] != wall {
			t.Errorf("x0 = %v, want exactly %v", r.X[0], wall)
		}
		within(t, "x1", r.X[1], 0.5, 1e-5)
		if !r.Converged {
			t.Error("did not converge")
		}
	}
}

func TestQuadraticWithMinimumInACornerHitsItExactly(t *testing.T) {
	r := lbfgs.Minimize(bowl([]float64{-2, 5}, []float64{1, 1000}), []float64{0.4, 0.4}, zero2, one2, lbfgs.Settings{})
	if r.X[0] != 0 || r.X[1] != 1 {
		t.Errorf("x = %v, want exactly [0 1]", r.X)
	}
	if !r.Converged {
		t.Error("did not converge")
	}
}

func TestCoupledQuadraticOnAFaceMatchesTheClosedForm(t *testing.T) {
	// (x0+1)^2 + (x1-x0-0.5)^2 on the unit box: x0 = 0 and then x1 = 0.5.
	f := func(x, grad []float64) float64 {
		a, b := x[0]+1, x[1]-x[0]-0.5
		grad[0], grad[1] = 2*a-2*b, 2*b
		return a*a + b*b
	}
	r := lbfgs.Minimize(f, []float64{0.9, 0.1}, zero2, one2, lbfgs.Settings{})
	if r.X[0] != 0 {
		t.Errorf("x0 = %v, want exactly 0", r.X[0])
	}
	within(t, "x1", r.X[1], 0.5, 1e-6)
	within(t, "value", r.Value, 1, 1e-10)
}

func TestRosenbrockInABox(t *testing.T) {
	s := lbfgs.Settings{MaxEvaluations: 500, ValueTolerance: 1e-14}
	r := lbfgs.Minimize(rosenbrock, []float64{-1.2, 1}, []float64{-2, -2}, []float64{2, 2}, s)
	within(t, "x0", r.X[0], 1, 1e-5)
	within(t, "x1", r.X[1], 1, 1e-5)
	if r.Evaluations > 100 {
		t.Errorf("%d evaluations, want at most 100", r.Evaluations)
	}
	// With x0 ≤ 0.5 the minimum is on that wall, at x1 = 0.25.
	r = lbfgs.Minimize(rosenbrock, []float64{-1.2, 1}, []float64{-2, -2}, []float64{0.5, 2}, s)
	if r.X[0] != 0.5 {
		t.Errorf("x0 = %v, want exactly 0.5", r.X[0])
	}
	within(t, "x1", r.X[1], 0.25, 1e-5)
}

func TestHighDimensionalMixOfFacesAndInside(t *testing.T) {
	const d = 40
	center, weight := make([]float64, d), make([]float64, d)
	x0, lower, upper := make([]float64, d), make([]float64, d), make([]float64, d)
	for i := range d {
		center[i] = float64(i%5)*0.5 - 0.5 // -0.5 0 0.5 1 1.5
		weight[i] = math.Pow(10, float64(i%4))
		x0[i], upper[i] = 0.37, 1
	}
	r := lbfgs.Minimize(bowl(center, weight), x0, lower, upper, lbfgs.Settings{})
	for i, x := range r.X {
		within(t, "x", x, min(max(center[i], 0), 1), 1e-4)
		if want := center[i]; (want < 0 || want > 1) && x != min(max(want, 0), 1) {
			t.Errorf("x[%d] = %v is not exactly on the wall", i, x)
		}
	}
}

func TestInfiniteAndMissingValuesAreStepsTooLong(t *testing.T) {
	for name, bad := range map[string]float64{"inf": math.Inf(1), "nan": math.NaN(), "minus inf": math.Inf(-1)} {
		f := func(x, grad []float64) float64 {
			if x[0] > 0.31 {
				return bad
			}
			grad[0] = -1 / (0.32 - x[0]) // the value falls towards the cliff
			return math.Log(0.32 - x[0])
		}
		r := lbfgs.Minimize(f, []float64{0}, []float64{0}, []float64{1}, lbfgs.Settings{})
		if math.IsNaN(r.Value) || math.IsInf(r.Value, 0) || r.X[0] > 0.31 || r.X[0] < 0.3 {
			t.Errorf("%s: stopped at %v with value %v", name, r.X[0], r.Value)
		}
	}
}

func TestGradientThatIsNotFiniteIsAStepTooLong(t *testing.T) {
	f := func(x, grad []float64) float64 {
		grad[0] = -1
		if x[0] > 0.5 {
			grad[0] = math.NaN()
		}
		return -x[0]
	}
	r := lbfgs.Minimize(f, []float64{0}, []float64{0}, []float64{1}, lbfgs.Settings{})
	if !(r.X[0] > 0.4 && r.X[0] <= 0.5) {
		t.Errorf("x = %v, want just below 0.5", r.X[0])
	}
}

func TestStartWithoutAValueComesBackUnconverged(t *testing.T) {
	f := func(x, grad []float64) float64 { return math.NaN() }
	r := lbfgs.Minimize(f, []float64{7, math.NaN()}, zero2, one2, lbfgs.Settings{})
	if r.Converged || r.Evaluations != 1 || r.X[0] != 1 || r.X[1] != 0 || !math.IsNaN(r.Value) {
		t.Errorf("got %+v", r)
	}
}

func TestStartWithZeroGradientStaysAndConverges(t *testing.T) {
	f := func(x, grad []float64) float64 { grad[0], grad[1] = 0, 0; return 4 }
	r := lbfgs.Minimize(f, []float64{0.2, 0.3}, zero2, one2, lbfgs.Settings{})
	if !r.Converged || r.Evaluations != 1 || r.Value != 4 || r.X[0] != 0.2 || r.X[1] != 0.3 {
		t.Errorf("got %+v", r)
	}
}

func TestEvaluationLimitIsHonoured(t *testing.T) {
	for limit := 1; limit < 60; limit++ {
		calls := 0
		f := func(x, grad []float64) float64 { calls++; return rosenbrock(x, grad) }
		r := lbfgs.Minimize(f, []float64{-1.2, 1}, []float64{-2, -2}, []float64{2, 2},
			lbfgs.Settings{MaxEvaluations: limit, ValueTolerance: 1e-300, GradTolerance: 1e-300})
		if calls > limit || r.Evaluations != calls {
			t.Errorf("limit %d: %d calls, %d reported", limit, calls, r.Evaluations)
		}
		var grad [2]float64
		if v := rosenbrock(r.X, grad[:]); v != r.Value {
			t.Errorf("limit %d: value %v does not belong to x, which has %v", limit, r.Value, v)
		}
	}
}

func TestUnreachableTolerancesEndInsteadOfLooping(t *testing.T) {
	r := lbfgs.Minimize(bowl([]float64{1. / 3, 2. / 3}, []float64{1, 1e8}), []float64{0.9, 0.1}, zero2, one2,
		lbfgs.Settings{MaxEvaluations: 10000, ValueTolerance: 1e-300, GradTolerance: 1e-300})
	if r.Evaluations >= 10000 {
		t.Error("ran to the limit")
	}
	within(t, "x0", r.X[0], 1./3, 1e-6)
}

func TestFixedCoordinatesAndUnboundedOnes(t *testing.T) {
	inf := math.Inf(1)
	r := lbfgs.Minimize(bowl([]float64{3, -7, 50}, []float64{1, 1, 2}), []float64{0, 0, 0},
		[]float64{0.25, -inf, -inf}, []float64{0.25, inf, 10}, lbfgs.Settings{})
	if r.X[0] != 0.25 || r.X[2] != 10 {
		t.Errorf("x = %v", r.X)
	}
	within(t, "x1", r.X[1], -7, 1e-5)
}

func TestConcaveFunctionEndsInACorner(t *testing.T) {
	f := func(x, grad []float64) float64 {
		grad[0], grad[1] = -2*(x[0]-0.4), -2*(x[1]-0.6)
		return -(x[0]-0.4)*(x[0]-0.4) - (x[1]-0.6)*(x[1]-0.6)
	}
	r := lbfgs.Minimize(f, []float64{0.45, 0.5}, zero2, one2, lbfgs.Settings{})
	if r.X[0] != 1 || r.X[1] != 0 {
		t.Errorf("x = %v, want [1 0]", r.X)
	}
}

func TestShapesAndBoundsThatAreBugsPanic(t *testing.T) {
	for name, call := range map[string]func(){
		"short bounds": func() { lbfgs.Minimize(rosenbrock, zero2, zero2, []float64{1}, lbfgs.Settings{}) },
		"crossed":      func() { lbfgs.Minimize(rosenbrock, zero2, one2, zero2, lbfgs.Settings{}) },
		"nan bound":    func() { lbfgs.Minimize(rosenbrock, zero2, zero2, []float64{1, math.NaN()}, lbfgs.Settings{}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

func TestIterationsDoNotAllocate(t *testing.T) {
	count := func(limit int) float64 {
		return testing.AllocsPerRun(20, func() {
			lbfgs.Minimize(rosenbrock, []float64{-1.2, 1}, []float64{-2, -2}, []float64{2, 2},
				lbfgs.Settings{MaxEvaluations: limit})
		})
	}
	if few, many := count(2), count(40); many > few {
		t.Errorf("%v allocations with 2 evaluations, %v with 40", few, many)
	}
}

// Any convex quadratic in any box: the result is feasible, not worse than the start, and satisfies the optimality
// conditions of the box.
func TestRandomConvexQuadraticsReachAStationaryPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 6).Draw(t, "d")
		r := rng.New(rapid.Uint64().Draw(t, "seed"), rng.Test, 0)
		a := make([][]float64, d) // Hessian a'a + 0.1
		b, x0, lower, upper := make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
		for i := range a {
			a[i] = make([]float64, d)
			for j := range a[i] {
				a[i][j] = r.NormFloat64()
			}
			b[i], x0[i] = 3*r.NormFloat64(), 2*r.NormFloat64()
			lower[i] = -r.Float64()
			upper[i] = r.Float64()
		}
		f := func(x, grad []float64) float64 {
			var v float64
			for i := range grad {
				grad[i] = b[i] + 0.1*x[i]
				v += b[i]*x[i] + 0.05*x[i]*x[i]
			}
			for _, row := range a {
				var p float64
				for i, c := range row {
					p += c * x[i]
				}
				v += 0.5 * p * p
				for i, c := range row {
					grad[i] += c * p
				}
			}
			return v
		}
		res := lbfgs.Minimize(f, x0, lower, upper, lbfgs.Settings{MaxEvaluations: 1000, ValueTolerance: 1e-15})
		grad := make([]float64, d)
		if v := f(res.X, grad); v != res.Value {
			t.Fatalf("value %v, function says %v", res.Value, v)
		}
		for i, x := range res.X {
			if x < lower[i] || x > upper[i] {
				t.Fatalf("x[%d] = %v outside [%v, %v]", i, x, lower[i], upper[i])
			}
			if move := math.Abs(min(max(x-grad[i], lower[i]), upper[i]) - x); move > 1e-5 {
				t.Fatalf("x[%d] = %v is not stationary: gradient %v, move %v", i, x, grad[i], move)
			}
		}
	})
}

func BenchmarkRosenbrock(b *testing.B) {
	for b.Loop() {
		lbfgs.Minimize(rosenbrock, []float64{-1.2, 1}, []float64{-2, -2}, []float64{2, 2}, lbfgs.Settings{})
	}
}
