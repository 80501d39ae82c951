package figures

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// evaluation is one with a value that took from one second to another.
func evaluation(number int, status loop.Status, value float64, from, to int) loop.Evaluation {
	return loop.Evaluation{
		Query: policies.Query{Number: number, X: []float64{0.5}}, Status: status, Attempt: 1, Outcome: outcome.Of(value),
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
	s := small()
	delays, ages, unit := s.delays()
	if !slices.Equal(delays, []float64{5, 3, 5, 6}) || !slices.Equal(ages, []float64{5}) || unit != "s" {
		t.Errorf("delays %v, ages %v, in %s", delays, ages, unit)
	}
	s.Now = 10 * time.Hour // the age of #5, since it was dispatched after four seconds
	if delays, _, unit = s.delays(); unit != "hours" || delays[0] != 5./3600 {
		t.Errorf("delays %v, in %s", delays, unit)
	}
	if _, _, unit = (Study{}).delays(); unit != "ms" {
		t.Errorf("no delays, in %s", unit)
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
	marks, steps := s.course(s.valueAxis(), s.along().at)
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
	if _, steps = s.course(s.valueAxis(), s.along().at); !slices.Equal(steps, plotter.XYs{{X: 1, Y: 2}, {X: 2, Y: 1}, {X: 5, Y: 1}}) {
		t.Errorf("steps when minimizing: %v", steps)
	}
}

func TestAFewMuchWorseValuesAreAtTheEdge(t *testing.T) {
	values := []float64{-1e6, 1, 2, 3, 4, 5, 6, 7, 8, 9} // the median distance from 9 is 5: nothing below 9 − 20·5
	s := Study{}
	if kept := Fenced(values, s.sense()); !slices.Equal(kept, values[1:]) {
		t.Errorf("kept %v", kept)
	}
	if kept := Fenced(append([]float64{-1e6}, values...), s.sense()); len(kept) != 11 {
		t.Errorf("two of eleven are not few: kept %v", kept)
	}
	values[0] = 1e6 // much better ones are what everything is about
	if kept := Fenced(values, s.sense()); !slices.Equal(kept, values) {
		t.Errorf("kept %v", kept)
	}
	s.Minimize = true
	if kept := Fenced(values, s.sense()); !slices.Equal(kept, values[1:]) {
		t.Errorf("kept %v when minimizing", kept)
	}
	for i, v := range values {
		s.Evaluations = append(s.Evaluations, evaluation(i+1, loop.Observed, v, 0, 1))
	}
	a := s.valueAxis()
	if a.from != 1 || a.to != 9 || a.high <= 9 || !strings.Contains(a.name, "1 much worse, to 1e+06") {
		t.Errorf("axis %+v", a)
	}
	if at := a.place(2, s.Evaluations[0]); !at.edge {
		t.Errorf("placed at %+v", at)
	}
	if f, _ := a.fate(s.Evaluations[0]); f != beyond {
		t.Errorf("fate %v", f)
	}
	if names := namesOf(s.keys(a)); !slices.Equal(names, []string{"value", "much worse value, at the edge"}) {
		t.Errorf("legend %q", names)
	}
}

func namesOf(keys []chart.Key) (out []string) {
	for _, k := range keys {
		out = append(out, k.Name)
	}
	return out
}

func TestTheFirstValuesOfAStudyThatConvergesAreOnTheAxis(t *testing.T) {
	var values []float64
	for i := range 200 {
		values = append(values, 1-math.Pow(10, -float64(i)/20))
	}
	if kept := Fenced(values, outcome.Maximize); len(kept) != len(values) {
		t.Errorf("%d of %d values", len(kept), len(values))
	}
}

func TestTheApproachToTheBestIsShownWhereThereIsOne(t *testing.T) {
	steps := plotter.XYs{{X: 1, Y: 0}, {X: 3, Y: 9}, {X: 7, Y: 9.9}, {X: 12, Y: 10}, {X: 20, Y: 10}}
	p, there := Study{Policy: "pi"}.approach(steps, 20.2)
	if !there || p.Scale != chart.Log || !p.Steps || p.End != 20.2 || !strings.Contains(p.Y, "best in the end, 10") {
		t.Fatalf("%v, %+v", there, p)
	}
	c := p.Curves[0]
	if !slices.Equal(c.X, []float64{1, 3, 7, 12}) || c.Y[0].Mean != 10 || c.Y[1].Mean != 1 || c.Y[3].Mean != 0 || c.Policy != "pi" {
		t.Errorf("%+v", c)
	}
	for i := range steps {
		steps[i].Y *= -1
	}
	if again, _ := (Study{Policy: "pi", Minimize: true}).approach(steps, 20.2); again.Curves[0].Y[0].Mean != 10 {
		t.Errorf("when minimizing: %+v", again)
	}
	near := plotter.XYs{{X: 1, Y: 8}, {X: 2, Y: 9}, {X: 3, Y: 9.5}, {X: 4, Y: 10}, {X: 9, Y: 10}}
	wide := plotter.XYs{{X: 1, Y: -1.7e308}, {X: 2, Y: 9}, {X: 3, Y: 9.5}, {X: 4, Y: 1.7e308}, {X: 9, Y: 1.7e308}}
	tiny := plotter.XYs{{X: 1, Y: 1e-310}, {X: 2, Y: 2e-310}, {X: 3, Y: 9e-310}, {X: 4, Y: 9.1e-310}, {X: 9, Y: 9.1e-310}}
	for _, none := range []plotter.XYs{nil, steps[:2], near, wide, tiny} {
		if _, there := (Study{}).approach(none, 10); there {
			t.Errorf("of %v", none)
		}
	}
}

func TestEvaluationsAtOnePlaceAreOneMarkForSoMany(t *testing.T) {
	s := small()
	for i := range s.Evaluations {
		s.Evaluations[i].Value = 1 // all at 0.5
	}
	marks := s.cloud(s.valueAxis(), mostMarks)
	for _, e := range s.Evaluations {
		marks.add(s, 0.5, e.Number)
	}
	axes := chart.Axes("")
	axes.X.Max, axes.Y.Max = 1, 2
	size := vg.Point{X: 400, Y: 300}
	piles := marks.piles(draw.Canvas{Rectangle: vg.Rectangle{Max: size}}, axes, marks.spots[observed])
	if len(piles) != 1 || piles[0].count != 3 {
		t.Errorf("%+v", piles)
	}
	count, of := marks.highest(axes, size)
	if count != 3 || of != observed {
		t.Errorf("%d of %v", count, of)
	}
	if names := namesOf(pileKeys(marks.marks[of], count)); !slices.Equal(names, []string{"3 evaluations at one place"}) {
		t.Errorf("%q", names)
	}
	if keys := pileKeys(marks.marks[of], 1); keys != nil {
		t.Errorf("%v", keys)
	}
}

func TestALegendOfParametersCountsOnTheAxesThatAreDrawn(t *testing.T) {
	spaced, err := space.New(space.Float("x", 0, 1000)) // on an axis from -1 to 1 all of them would be far away, or at one place
	if err != nil {
		t.Fatal(err)
	}
	s := Study{Space: spaced}
	for i, x := range []float64{0.1, 0.100001, 0.100002, 0.9} {
		e := evaluation(i+1, loop.Observed, 1, 0, 1)
		e.X = []float64{x}
		s.Evaluations = append(s.Evaluations, e)
	}
	var vector strings.Builder
	if err := Parameters(s).WriteSVG(&vector); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(vector.String(), "3 evaluations at one place") {
		t.Error("no legend of the larger mark")
	}
}

func TestLegendsHaveWhatIsThere(t *testing.T) {
	s := small()
	if names := namesOf(s.keys(s.valueAxis())); !slices.Equal(names, []string{"value", "late value", "failed, timed out or lost, at the edge", "best: 4 (#4)"}) {
		t.Errorf("%q", names)
	}
	b := newBars([]float64{1}, nil)
	if names := namesOf(b.keys(1)); len(names) != 1 {
		t.Errorf("%q", names)
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
	if b.log || b.low != 0 || b.high != 6 || !slices.Equal(b.counts, []int{0, 1, 1, 1, 1, 0, 2}) { // 7.2 bins, since a sixth of the axis is free
		t.Errorf("%+v", b)
	}
	b = newBars([]float64{0, 1, 10, 1000}, []float64{5000})
	if !b.log || b.low != 0 || math.Abs(b.high-math.Log10(5000)) > 1e-12 || sum(b.counts) != 4 || b.counts[0] != 2 {
		t.Errorf("%+v", b)
	}
	for _, constant := range []float64{0, 3, 1e9} {
		if b := newBars([]float64{constant, constant}, nil); sum(b.counts) != 2 || !(b.low < b.high) {
			t.Errorf("of %v: %+v", constant, b)
		}
	}
	if b := newBars([]float64{1, 1.1}, []float64{10}); len(b.counts) != mostBins {
		t.Errorf("delays in a small part of the axis have %d bins", len(b.counts))
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
	for _, parameter := range []space.Parameter{space.Categorical("kind", "a", "b"), space.Int("layers", 0, 8)} {
		a := newParameterAxis(parameter)
		seen := map[float64]bool{}
		for number := range 50 {
			at := a.place(1, number+1)
			if math.Abs(at-1) > 0.3 || seen[at] || at != a.place(1, number+1) || !a.spread {
				t.Errorf("#%d at %v", number+1, at)
			}
			seen[at] = true
		}
	}
	if at := newParameterAxis(space.Float("x", 0, 2e6)).place(1e6, 3); at != 1 {
		t.Errorf("a number is at %v, want 1, in 1e6", at)
	}
	if at := newParameterAxis(space.LogFloat("x", 1e-5, 1)).place(0.01, 3); at != -2 {
		t.Errorf("a number is at %v, want its logarithm", at)
	}
	for _, parameter := range []space.Parameter{space.Int("width", 0, 100), space.LogInt("batch", 1, 8), space.Int("large", 1e6, 1e6+3)} {
		if newParameterAxis(parameter).spread {
			t.Errorf("%s is spread", parameter.Name)
		}
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
		axes := chart.Axes("")
		if a.fit(axes, 10, 200); math.Abs(axes.X.Min-c.low) > 1e-12 || !(axes.X.Min < axes.X.Max) {
			t.Errorf("%s: from %v to %v", c.p.Name, axes.X.Min, axes.X.Max)
		}
		if got := strings.Join(a.levels, " "); got != c.levels {
			t.Errorf("%s: levels %q, want %q", c.p.Name, got, c.levels)
		}
	}
}

func TestNamesOfChoicesAreThere(t *testing.T) {
	for _, c := range []struct {
		ticks nameTicks
		want  string
	}{
		{nameTicks{[]string{"a", "", "c\x01"}, 300, 10}, "a \"\" c  "},
		{nameTicks{[]string{"a-long-name-of-a-choice", "b"}, 80, 10}, "a-lon… b "},
	} {
		got := ""
		for _, k := range c.ticks.Ticks(0, 0) {
			got += k.Label + " "
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
