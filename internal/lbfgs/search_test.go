package lbfgs_test

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/lbfgs"
)

// trace is everything a minimization does that can be seen from outside, floats as bits.
type trace struct {
	points    []uint64 // all evaluated points, one after the other
	x         []uint64
	value     uint64
	count     int
	converged bool
}

func bits(x []float64) []uint64 {
	b := make([]uint64, len(x))
	for i, v := range x {
		b[i] = math.Float64bits(v)
	}
	return b
}

func (tr *trace) end(r lbfgs.Result) {
	tr.x, tr.value, tr.count, tr.converged = bits(r.X), math.Float64bits(r.Value), r.Evaluations, r.Converged
}

func (tr trace) same(other trace) bool {
	return slices.Equal(tr.points, other.points) && slices.Equal(tr.x, other.x) &&
		tr.value == other.value && tr.count == other.count && tr.converged == other.converged
}

type minimizer func(f lbfgs.Func, x0, lower, upper []float64, s lbfgs.Settings) lbfgs.Result

func (p problem) traceOf(minimize minimizer) trace {
	var tr trace
	f := p.function()
	tr.end(minimize(func(x, grad []float64) float64 {
		tr.points = append(tr.points, bits(x)...)
		return f(x, grad)
	}, p.x0, p.lower, p.upper, p.settings))
	return tr
}

// drive steps w to its end by hand.
func (p problem) drive(w *lbfgs.Search) trace {
	var tr trace
	f, grad := p.function(), make([]float64, len(p.x0))
	for !w.Done() {
		tr.points = append(tr.points, bits(w.X())...)
		w.Tell(f(w.X(), grad), grad)
	}
	tr.end(w.Result())
	return tr
}

func (p problem) search() *lbfgs.Search { return lbfgs.NewSearch(p.x0, p.lower, p.upper, p.settings) }

func TestDrivenSearchAndMinimizeVisitThePointsOfTheNestedLoops(t *testing.T) {
	for _, p := range problems() {
		want := p.traceOf(lbfgs.ReferenceMinimize)
		if got := p.traceOf(lbfgs.Minimize); !got.same(want) {
			t.Errorf("%s: Minimize differs from the nested loops", p.name)
		}
		if got := p.drive(p.search()); !got.same(want) {
			t.Errorf("%s: the driven search differs from the nested loops", p.name)
		}
	}
}

// The comparison above is worth something only when the problems end in every possible way.
func TestProblemsOfTheComparisonEndInEveryWay(t *testing.T) {
	ends := make(map[string]int)
	for _, p := range problems() {
		r := lbfgs.Minimize(p.function(), p.x0, p.lower, p.upper, p.settings)
		switch {
		case r.Converged:
			ends["converged"]++
		case r.Evaluations == p.settings.MaxEvaluations:
			ends["out of evaluations"]++
		case r.Evaluations == 1:
			ends["no start"]++
		default:
			ends["stuck"]++
		}
		for i, x := range r.X {
			if (x == p.lower[i] || x == p.upper[i]) && p.lower[i] < p.upper[i] {
				ends["on a wall"]++
				break
			}
		}
	}
	for _, end := range []string{"converged", "out of evaluations", "no start", "stuck", "on a wall"} {
		if ends[end] < 5 {
			t.Errorf("%s: %d problems, want at least 5 (%v)", end, ends[end], ends)
		}
	}
}

func TestSearchesInLockstepDoNotDisturbEachOther(t *testing.T) {
	ps := problems()
	searches, functions, traces := make([]*lbfgs.Search, len(ps)), make([]lbfgs.Func, len(ps)), make([]trace, len(ps))
	for i, p := range ps {
		searches[i], functions[i] = p.search(), p.function()
	}
	grad := make([]float64, 16) // shared, because Tell copies
	for busy := true; busy; {
		busy = false
		for i, w := range searches {
			if w.Done() {
				continue
			}
			busy = true
			traces[i].points = append(traces[i].points, bits(w.X())...)
			g := grad[:len(w.X())]
			w.Tell(functions[i](w.X(), g), g)
		}
	}
	for i, p := range ps {
		traces[i].end(searches[i].Result())
		if !traces[i].same(p.drive(p.search())) {
			t.Errorf("%s: differs from the search on its own", p.name)
		}
	}
}

func TestResetSearchIsAsGoodAsANewOne(t *testing.T) {
	var reused lbfgs.Search
	for i, p := range problems() {
		reused.Reset(p.x0, p.lower, p.upper, p.settings)
		if i%3 == 2 { // abandoned in the middle, then started again
			f, grad := p.function(), make([]float64, len(p.x0))
			for range 4 {
				if !reused.Done() {
					reused.Tell(f(reused.X(), grad), grad)
				}
			}
			reused.Reset(p.x0, p.lower, p.upper, p.settings)
		}
		if !p.drive(&reused).same(p.drive(p.search())) {
			t.Errorf("%s: differs from a new search", p.name)
		}
	}
}

func TestResetMayStartAtThePointsOfTheSearchItself(t *testing.T) {
	s := lbfgs.Settings{MaxEvaluations: 9}
	for name, start := range map[string]func(*lbfgs.Search) []float64{
		"X":    (*lbfgs.Search).X,
		"Best": func(w *lbfgs.Search) []float64 { x, _ := w.Best(); return x },
	} {
		w, grad := lbfgs.NewSearch([]float64{-1.2, 1}, []float64{-2, -2}, []float64{2, 2}, s), make([]float64, 2)
		for range 6 {
			w.Tell(rosenbrock(w.X(), grad), grad)
		}
		want := slices.Clone(start(w))
		w.Reset(start(w), []float64{-2, -2}, []float64{2, 2}, s)
		if !slices.Equal(w.X(), want) {
			t.Errorf("%s: starts at %v, want %v", name, w.X(), want)
		}
	}
}
