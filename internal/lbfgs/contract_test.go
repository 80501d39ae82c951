package lbfgs_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/lbfgs"
)

func TestBestIsTheLowestPointThatFollowedTheRulesSoFar(t *testing.T) {
	for _, p := range problems() {
		w, f, grad := p.search(), p.function(), make([]float64, len(p.x0))
		known, start := math.Inf(1), slices.Clone(w.X())
		if x, value := w.Best(); !slices.Equal(x, start) || !math.IsInf(value, 1) || w.Result().Evaluations != 0 {
			t.Fatalf("%s: before the first Tell the best is %v with %v", p.name, x, value)
		}
		for !w.Done() {
			tried := slices.Clone(w.X())
			told := f(tried, grad)
			w.Tell(told, grad)
			x, value := w.Best()
			if value > known {
				t.Fatalf("%s: the best rose from %v to %v", p.name, known, value)
			}
			if value < known && (value != told || !slices.Equal(x, tried)) {
				t.Fatalf("%s: best %v with %v, but %v with %v was told", p.name, x, value, tried, told)
			}
			known = value
		}
		r := w.Result()
		x, value := w.Best()
		if !slices.Equal(x, r.X) || value != r.Value && !math.IsInf(value, 1) {
			t.Errorf("%s: best %v with %v, result %+v", p.name, x, value, r)
		}
	}
}

func TestBestOfAStartWithoutAValueIsPlusInfinity(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		w := lbfgs.NewSearch([]float64{3}, []float64{0}, []float64{1}, lbfgs.Settings{})
		w.Tell(bad, []float64{0})
		if x, value := w.Best(); x[0] != 1 || !math.IsInf(value, 1) || !w.Done() || w.X() != nil {
			t.Errorf("start with %v: best %v with %v, done %v, next %v", bad, x, value, w.Done(), w.X())
		}
		if r := w.Result(); math.Float64bits(r.Value) != math.Float64bits(bad) || r.Converged {
			t.Errorf("start with %v: result %+v", bad, r)
		}
	}
}

func TestResultOutlivesTheSearch(t *testing.T) {
	box := []float64{-1, -1}
	w := lbfgs.NewSearch(zero2, box, one2, lbfgs.Settings{})
	r := w.Result()
	w.Reset(one2, box, one2, lbfgs.Settings{})
	if r.X[0] != 0 || r.X[1] != 0 || !math.IsInf(r.Value, 1) || r.Converged {
		t.Errorf("result became %+v", r)
	}
}

func TestResultOfARunningSearchIsUnconverged(t *testing.T) {
	w := lbfgs.NewSearch(zero2, zero2, one2, lbfgs.Settings{})
	w.Tell(7, zero2)
	if r := w.Result(); !r.Converged || r.Value != 7 {
		t.Fatalf("a start with zero gradient has result %+v", r)
	}
	w.Reset(one2, zero2, one2, lbfgs.Settings{})
	if r := w.Result(); r.Converged || r.Evaluations != 0 || !math.IsInf(r.Value, 1) || !slices.Equal(r.X, one2) {
		t.Errorf("result after Reset: %+v", r)
	}
	w.Tell(5, one2)
	if r := w.Result(); r.Converged || r.Evaluations != 1 || r.Value != 5 || !slices.Equal(r.X, one2) {
		t.Errorf("result in the first line search: %+v", r)
	}
}

func TestSearchKeepsItsOwnBounds(t *testing.T) {
	lower, upper, grad := []float64{0}, []float64{1}, []float64{-1}
	w := lbfgs.NewSearch([]float64{0.5}, lower, upper, lbfgs.Settings{})
	lower[0], upper[0] = -9, 9
	for !w.Done() {
		w.Tell(-w.X()[0], grad)
	}
	if x, _ := w.Best(); x[0] != 1 {
		t.Errorf("x = %v, want the wall at 1", x[0])
	}
}

func TestDrivenSearchDoesNotAllocate(t *testing.T) {
	x0, lower, upper, grad := []float64{-1.2, 1}, []float64{-2, -2}, []float64{0.5, 2}, make([]float64, 2)
	w := lbfgs.NewSearch(x0, lower, upper, lbfgs.Settings{})
	var sum float64
	allocations := testing.AllocsPerRun(20, func() {
		w.Reset(x0, lower, upper, lbfgs.Settings{})
		for !w.Done() {
			w.Tell(rosenbrock(w.X(), grad), grad)
			_, value := w.Best()
			sum += value
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations from Reset to Done", allocations)
	}
	if !(sum > 0) {
		t.Errorf("the searches did not run: sum of values %v", sum)
	}
}

func TestMisuseOfASearchPanicsInItsName(t *testing.T) {
	over := lbfgs.NewSearch(zero2, zero2, one2, lbfgs.Settings{})
	over.Tell(1, zero2)
	for name, call := range map[string]func(){
		"Tell after Done":    func() { over.Tell(1, zero2) },
		"Tell without start": func() { new(lbfgs.Search).Tell(1, nil) },
		"short gradient": func() {
			lbfgs.NewSearch(zero2, zero2, one2, lbfgs.Settings{}).Tell(1, []float64{1})
		},
		"short bounds":         func() { lbfgs.NewSearch(zero2, zero2, []float64{1}, lbfgs.Settings{}) },
		"crossed":              func() { lbfgs.NewSearch(zero2, one2, zero2, lbfgs.Settings{}) },
		"nan bound":            func() { lbfgs.NewSearch(zero2, zero2, []float64{1, math.NaN()}, lbfgs.Settings{}) },
		"Reset, short bounds":  func() { over.Reset(zero2, []float64{0}, one2, lbfgs.Settings{}) },
		"Reset, crossed":       func() { over.Reset(zero2, one2, zero2, lbfgs.Settings{}) },
		"Minimize, bad bounds": func() { lbfgs.Minimize(rosenbrock, zero2, one2, zero2, lbfgs.Settings{}) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); len(got) < 7 || got[:7] != "lbfgs: " {
					t.Errorf("%s: panic %q, want one that begins with \"lbfgs: \"", name, got)
				}
			}()
			call()
		}()
	}
	if r := over.Result(); !over.Done() || r.Value != 1 || r.Evaluations != 1 {
		t.Errorf("misuse changed the search: %+v", r)
	}
}

func ExampleSearch() {
	bowl := func(x, grad []float64) float64 { grad[0] = 2 * (x[0] - 3); return (x[0] - 3) * (x[0] - 3) }
	x0, lower, upper := []float64{0}, []float64{-1}, []float64{1}
	w, grad := lbfgs.NewSearch(x0, lower, upper, lbfgs.Settings{}), make([]float64, 1)
	for !w.Done() {
		w.Tell(bowl(w.X(), grad), grad)
	}
	fmt.Println(w.Best())
	// Output: [1] 4
}
