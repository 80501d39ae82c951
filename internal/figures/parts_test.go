package figures

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// evaluation is one with a value that took from one second to another.
func evaluation(number int, status loop.Status, value float64, from, to int) loop.Evaluation {
	return loop.Evaluation{
		Query: policies.Query{Number: number, X: []float64{0.5}}, Status: status, Attempt: 1, Value: value,
		Measured: status.Valued(), Dispatched: time.Duration(from) * time.Second, Ended: time.Duration(to) * time.Second,
	}
}

// small is #1 and #2, which came the other way around, #3 that failed, #4 that is late and best, #5 that is pending, #6
// that was cancelled, and #7 that was measured elsewhere.
func small() Study {
	s := Study{Now: 9 * time.Second, Best: 4, Evaluations: []loop.Evaluation{
		evaluation(1, loop.Observed, 1, 0, 5), evaluation(2, loop.Observed, 2, 0, 3), evaluation(3, loop.Failed, 0, 1, 6),
		evaluation(4, loop.Late, 4, 2, 8), evaluation(5, loop.Pending, 0, 4, 0), evaluation(6, loop.Cancelled, 0, 4, 5),
		evaluation(7, loop.Observed, 3, 0, 7),
	}}
	s.Evaluations[6].Attempt, s.Evaluations[6].Foreign = 0, true
	return s
}

func TestDelaysAndAges(t *testing.T) {
	delays, ages := small().delays()
	if !slices.Equal(delays, []float64{5, 3, 5, 6}) || !slices.Equal(ages, []float64{5}) {
		t.Errorf("delays %v, ages %v", delays, ages)
	}
}

func TestEvaluationsAreDrawnInTheOrderInWhichTheyCame(t *testing.T) {
	s := small()
	var numbers []int
	for _, e := range s.arrived() {
		numbers = append(numbers, e.Number)
	}
	if !slices.Equal(numbers, []int{2, 1, 3, 7, 4}) {
		t.Errorf("order %v", numbers)
	}
	marks, steps := s.course(s.valueAxis())
	if want := (plotter.XYs{{X: 1, Y: 2}, {X: 4, Y: 3}, {X: 5, Y: 4}, {X: 5, Y: 4}}); !slices.Equal(steps, want) {
		t.Errorf("steps %v, want %v", steps, want)
	}
	if at := marks.spots[without]; len(at) != 1 || at[0] != (spot{x: 3, edge: true}) {
		t.Errorf("without a value: %v", at)
	}
	if at := marks.spots[observed]; len(at) != 3 || at[1] != (spot{x: 2, y: 1}) {
		t.Errorf("observed: %v", at)
	}
	if len(marks.best) != 1 || marks.best[0] != (spot{x: 5, y: 4}) || len(marks.spots[late]) != 1 {
		t.Errorf("best %v, late %v", marks.best, marks.spots[late])
	}
	s.Minimize = true
	if _, steps = s.course(s.valueAxis()); !slices.Equal(steps, plotter.XYs{{X: 1, Y: 2}, {X: 2, Y: 1}, {X: 5, Y: 1}}) {
		t.Errorf("steps when minimizing: %v", steps)
	}
}

func TestAFewMuchWorseValuesAreAtTheEdge(t *testing.T) {
	values := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, -1e6} // quartiles 2 and 7: nothing below 2 − 12·5
	s := Study{}
	if kept := s.fenced(values); !slices.Equal(kept, values[:9]) {
		t.Errorf("kept %v", kept)
	}
	values[9] = 1e6 // much better ones are what everything is about
	if kept := s.fenced(values); !slices.Equal(kept, values) {
		t.Errorf("kept %v", kept)
	}
	s.Minimize = true
	if kept := s.fenced(values); !slices.Equal(kept, values[:9]) {
		t.Errorf("kept %v when minimizing", kept)
	}
	for i, v := range values {
		s.Evaluations = append(s.Evaluations, evaluation(i+1, loop.Observed, v, 0, 1))
	}
	a := s.valueAxis()
	if a.from != 1 || a.to != 9 || a.high <= 9 || !strings.Contains(a.name, "1 worse ones, to 1e+06") {
		t.Errorf("axis %+v", a)
	}
	if at := a.place(2, s.Evaluations[9]); !at.edge {
		t.Errorf("placed at %+v", at)
	}
}

func TestUnitsKeepNumbersShort(t *testing.T) {
	for _, c := range []struct {
		size float64
		name string
	}{
		{0, "value"}, {1, "value"}, {99999, "value"}, {1e5, "value, in 1e5"}, {1.7e308, "value, in 1e308"}, {0.0009, "value, in 1e-4"}, {3e-5, "value, in 1e-5"},
	} {
		if got := unitOf(c.size).named("value"); got != c.name {
			t.Errorf("up to %v: %q, want %q", c.size, got, c.name)
		}
	}
}

func TestBarsHoldEveryDelayOnce(t *testing.T) {
	b := newBars([]float64{1, 2, 3, 4, 6, 6}, nil)
	if b.log || b.edges[0] != 0 || b.edges[len(b.edges)-1] != 6 || !slices.Equal(b.counts, []int{0, 1, 1, 1, 1, 2}) { // [0, 1), [1, 2), …, [5, 6]
		t.Errorf("%+v", b)
	}
	b = newBars([]float64{0, 1, 10, 1000}, []float64{5000})
	if !b.log || b.edges[0] != 1 || b.edges[len(b.edges)-1] != 5000 || sum(b.counts) != 4 || b.counts[0] != 2 {
		t.Errorf("%+v", b)
	}
	for _, constant := range []float64{0, 3, 1e9} {
		if b := newBars([]float64{constant, constant}, nil); sum(b.counts) != 2 || !(b.edges[0] < b.edges[len(b.edges)-1]) {
			t.Errorf("of %v: %+v", constant, b)
		}
	}
}

func sum(counts []int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

func TestChoicesLieBesideEachOther(t *testing.T) {
	a := newParameterAxis(space.Categorical("kind", "a", "b"))
	seen := map[float64]bool{}
	for number := range 50 {
		at := a.place(1, number+1)
		if math.Abs(at-1) > 0.3 || seen[at] || at != a.place(1, number+1) {
			t.Errorf("#%d at %v", number+1, at)
		}
		seen[at] = true
	}
	if at := newParameterAxis(space.Float("x", 0, 2e6)).place(1e6, 3); at != 1 {
		t.Errorf("a number is at %v, want 1, in 1e6", at)
	}
}

// Ordered numbers lie side by side by their ranks, like truth values, and so does a single value; what is in steps is on an
// axis of numbers.
func TestWhereTheKindsLie(t *testing.T) {
	for _, c := range []struct {
		p        space.Parameter
		v, where float64
		low      float64 // of the axis
		levels   string
	}{
		{space.Ordered("batch", 16, 32, 1e6), 32, 1, -0.5, "16 32 1e6"},
		{space.Ordered("batch", 0.1, 1e-9), 0.1, 1, -0.5, "1e-9 0.1"},
		{space.Bool("bias"), 1, 1, -0.5, "false true"},
		{space.Float("dropout", 0, 0.5).Stepped(0.05), 0.3, 0.3, -0.02, ""},
		{space.Float("momentum", 0.5, 0.5), 0.5, 0, -0.5, "0.5"},
		{space.LogFloat("rate", 1.5e-7, 1.5e-7), 1.5e-7, 0, -0.5, "1.5e-7"},
		{space.Int("seed", 1234567, 1234567), 1234567, 0, -0.5, "1234567"},
		{space.Categorical("data", "digits"), 0, 0, -0.5, "digits"},
	} {
		a := newParameterAxis(c.p)
		if at := a.place(c.v, 1); math.Abs(at-c.where) > 0.3 || c.levels == "" && at != c.where {
			t.Errorf("%s: %v is at %v, want %v", c.p.Name, c.v, at, c.where)
		}
		axes := newAxes(10)
		if a.fit(axes, 10, 200); math.Abs(axes.X.Min-c.low) > 1e-12 || !(axes.X.Min < axes.X.Max) {
			t.Errorf("%s: from %v to %v", c.p.Name, axes.X.Min, axes.X.Max)
		}
		if got := strings.Join(a.levels, " "); got != c.levels {
			t.Errorf("%s: levels %q, want %q", c.p.Name, got, c.levels)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		ticks     plot.Ticker
		low, high float64
		want      string
	}{
		{tidyTicks{about: 6}, 0, 300, "0 50 100 150 200 250 300 "},
		{tidyTicks{about: 6}, -0.2, 1, "-0.2 0.0 0.2 0.4 0.6 0.8 1.0 "},
		{tidyTicks{about: 6, least: 1}, 0, 2, "0 1 2 "},
		{tidyTicks{about: 6}, 1, math.Nextafter(1, 2), ""},
		{powerTicks{8}, 1e-7, 0.5, "1e-7 1e-6 1e-5 1e-4 1e-3 0.01 0.1 "},
		{powerTicks{8}, 0.1, 4, "0.1 0.2 0.5 1 2 "},
		{powerTicks{8}, 16, 1024, "20 50 100 200 500 1000 "},
		{powerTicks{4}, 1e-300, 1e300, "1e-200 1 1e200 "},
		{powerTicks{6}, 30, 45, "30 35 40 45 "},
		{nameTicks{[]string{"a", "", "c\x01"}, 300, 10}, 0, 0, "a \"\" c  "},
		{nameTicks{[]string{"a-long-name-of-a-choice", "b"}, 80, 10}, 0, 0, "a-lon… b "},
	} {
		got := ""
		for _, k := range c.ticks.Ticks(c.low, c.high) {
			if k.Label != "" {
				got += k.Label + " "
			}
		}
		if got != c.want && c.want != "" || len(got) > 250 {
			t.Errorf("%v to %v: %q, want %q", c.low, c.high, got, c.want)
		}
	}
}
