package classifiers

import (
	"flag"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/sim"
)

var grid = flag.Bool("grid", false, "search the classifier problems on a fine grid and print the best values")

func TestClassifiersAreReallyTrained(t *testing.T) {
	for _, c := range []struct {
		problem   string
		good, bad []float64
	}{
		{"svm-breast", []float64{10, 0.01}, []float64{1e-3, 10}},
		{"logreg-breast", []float64{32, 0.05, 1e-3}, []float64{128, 1e-6, 1}},
	} {
		p := must.Get(sim.NewProblem(c.problem, 1))(t)
		good, bad := p.Value(c.good), p.Value(c.bad)
		if !(good > 0.95 && good <= p.Maximum && bad < good) {
			t.Errorf("%s: accuracy %v at %v, %v at %v, maximum %v", c.problem, good, c.good, bad, c.bad, p.Maximum)
		}
		if again := p.Value(c.good); again != good {
			t.Errorf("%s: trained twice, %v and %v", c.problem, good, again)
		}
		if h := p.HeldOut(c.good); !(h > 0.93 && h <= 1) {
			t.Errorf("%s: held-out accuracy %v", c.problem, h)
		}
		if err := p.Space.Contains(c.good); err != nil {
			t.Error(err)
		}
	}
}

// Outside what can be trained a value is NaN, a failed evaluation.
func TestAFailedTrainingHasNoValue(t *testing.T) {
	p := must.Get(sim.NewProblem("svm-breast", 1))(t)
	if v := p.Value([]float64{-1, 1}); !math.IsNaN(v) {
		t.Errorf("C = −1 gives %v", v)
	}
	if v := p.HeldOut([]float64{-1, 1}); !math.IsNaN(v) {
		t.Errorf("C = −1 gives held-out %v", v)
	}
}

// TestGridOfClassifiers prints where the maxima in classifiers.go come from, with -grid; it takes minutes.
func TestGridOfClassifiers(t *testing.T) {
	if !*grid {
		t.Skip("a minutes-long search of the whole space; run with -grid")
	}
	for problem, sides := range map[string][]int{"svm-breast": {120, 120}, "logreg-breast": {5, 40, 30}} {
		p := must.Get(sim.NewProblem(problem, 1))(t)
		best, at := math.Inf(-1), []float64(nil)
		u := make([]float64, len(sides))
		var walk func(j int)
		walk = func(j int) {
			if j < len(sides) {
				for k := range sides[j] {
					u[j] = float64(k) / float64(sides[j]-1)
					walk(j + 1)
				}
				return
			}
			if v := p.Value(p.Space.Value(u)); v > best {
				best, at = v, p.Space.Value(u)
			}
		}
		walk(0)
		t.Logf("%s: %.9f at %s", problem, best, p.Space.Format(at))
		if best > p.Maximum+1e-12 {
			t.Errorf("%s: the grid has %v, above the stated maximum %v", problem, best, p.Maximum)
		}
	}
}
