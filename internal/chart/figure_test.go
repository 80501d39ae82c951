package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/tarry-bo/tarry/internal/stat"
)

// falling is a curve of so many places.
func falling(name string, n int) Curve {
	c := Curve{Name: name}
	for i := range n {
		c.Y = append(c.Y, stat.Estimate{N: 10, Mean: math.Exp(-float64(i) / 20), SE: 0.1 * math.Exp(-float64(i)/20)})
	}
	return c
}

// crowd is a figure of panels with seven curves each.
func crowd(panels int) Figure {
	f := Figure{Title: "Regret over the queries", Note: strings.Repeat("mean ± standard error of 30 seeds; ", 8)}
	for i := range panels {
		p := Panel{Title: fmt.Sprintf("delay poisson:%d, window 20 (strict), 8 workers, and more words than fit into a line", i), X: "queries after the initial ones", Y: "simple regret", LogY: i != 1, Steps: true}
		for k := range 7 {
			c := falling(fmt.Sprintf("policy:option=%d", k), 100)
			c.Baseline = k == 6
			p.Curves = append(p.Curves, c)
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

func TestFiguresAreInOrder(t *testing.T) {
	for panels, want := range map[int]struct{ columns, height int }{0: {1, 750}, 1: {1, 750}, 2: {2, 750}, 3: {3, 750}, 4: {2, 1180}, 5: {3, 1180}, 7: {3, 1610}} {
		f := crowd(panels)
		d := f.drawing()
		if columns, _ := f.grid(); columns != want.columns || d.Width != Pixels(1200) || d.Height != Pixels(want.height) {
			t.Errorf("%d panels: %d columns, %v x %v", panels, columns, d.Width, d.Height)
		}
		wantsOrder(t, d)
	}
	f := crowd(5)
	f.Columns = 2
	if columns, rows := f.grid(); columns != 2 || rows != 3 {
		t.Errorf("%d columns, %d rows", columns, rows)
	}
	wantsOrder(t, f.drawing())
}

func TestALegendOfManyCurvesMakesThePictureHigher(t *testing.T) {
	var p Panel
	for i := range 30 {
		p.Curves = append(p.Curves, falling(fmt.Sprintf("a policy with a long name:and=options %d", i), 5))
	}
	d := Figure{Panels: []Panel{p}}.drawing()
	if d.Height <= Pixels(750) {
		t.Errorf("%v points", d.Height)
	}
	wantsOrder(t, d)
}

func TestTheLegendHasTheCurvesOfAllPanelsOnce(t *testing.T) {
	f := Figure{Panels: []Panel{
		{Curves: []Curve{falling("a", 3), falling("b", 3), falling("", 3)}},
		{Curves: []Curve{falling("c", 3), falling("b", 3)}},
	}}
	var names []string
	for _, k := range newRoster(f.Panels).keys() {
		names = append(names, k.Name)
	}
	if !slices.Equal(names, []string{"a", "b", "c"}) {
		t.Errorf("%v", names)
	}
	words := inspect(t, f.drawing()).words()
	for _, name := range names {
		if n := len(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w != name })); n != 1 {
			t.Errorf("%q is there %d times", name, n)
		}
	}
}

func TestCurvesOfOneNameLookTheSame(t *testing.T) {
	looks := newRoster([]Panel{
		{Curves: []Curve{{Name: "a"}, {Name: "random", Baseline: true}}},
		{Curves: []Curve{{Name: "random"}, {Name: "b"}, {Name: "a", Baseline: true}}},
	}).looks
	if looks["a"].Color != Palette[0] || looks["random"].Color != baselineInk || looks["b"].Color != Palette[2] || looks["a"].Dashes != nil {
		t.Errorf("%v", looks)
	}
}

func TestCurvesLikeOthersHaveTheirColorsAndDashes(t *testing.T) {
	looks := newRoster([]Panel{{Curves: []Curve{
		{Name: "ours, published", Like: "ours"}, {Name: "ours"}, {Name: "ours, elsewhere", Like: "ours"}, {Name: "third", Like: "ours, elsewhere"},
		{Name: "random", Baseline: true}, {Name: "random, published", Like: "random"}, {Name: "lonely", Like: "nobody"}, {Name: "x", Like: "y"}, {Name: "y", Like: "x"},
	}}}).looks
	family := []string{"ours", "ours, published", "ours, elsewhere", "third"}
	for i, name := range family {
		if looks[name].Color != Palette[0] || (looks[name].Dashes == nil) != (i == 0) {
			t.Errorf("%s: %v", name, looks[name])
		}
		for _, other := range family[:i] {
			if slices.Equal(looks[name].Dashes, looks[other].Dashes) {
				t.Errorf("%s and %s look the same", name, other)
			}
		}
	}
	if looks["random, published"].Color != baselineInk || slices.Equal(looks["random, published"].Dashes, looks["random"].Dashes) {
		t.Errorf("like a baseline: %v", looks["random, published"])
	}
	if looks["lonely"].Color != Palette[2] || looks["x"].Color != Palette[3] || looks["y"].Color != Palette[4] {
		t.Errorf("like nobody %v, like each other %v and %v", looks["lonely"].Color, looks["x"].Color, looks["y"].Color)
	}
}

func TestLongCurvesAreThinnedOut(t *testing.T) {
	c := Curve{Y: make([]stat.Estimate, 12345)}
	c.Y[12331] = stat.Of(nil)
	got := Panel{}.places(c)
	if len(got) > maxPlaces || got[len(got)-1] != 12344 || len(got) < maxPlaces/2 {
		t.Errorf("%d places, last %d", len(got), got[len(got)-1])
	}
	if got := (Panel{}).places(Curve{Y: make([]stat.Estimate, 3)}); len(got) != 3 {
		t.Errorf("a short curve has places %v", got)
	}
}

func TestCurvesLeaveUnknownPlacesOut(t *testing.T) {
	c := Curve{X: []float64{1, 10, 100, 0, math.NaN()}, Y: []stat.Estimate{{N: 2, Mean: 3, SE: 1}, stat.Of(nil), {N: 2, Mean: 5, SE: 9}, {}, {}}}
	y := span{0, 10}
	if got, want := (Panel{LogX: true}).line(c, y), (plotter.XYs{{X: 0, Y: 3}, {X: 2, Y: 5}}); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := (Panel{LogX: true}).band(c, y), (plotter.XYs{{X: 0, Y: 4}, {X: 2, Y: 10}, {X: 2, Y: 0}, {X: 0, Y: 2}}); !slices.Equal(got, want) {
		t.Errorf("band %v, want %v", got, want)
	}
	steps := Panel{Steps: true}.line(Curve{Y: c.Y[:3]}, y)
	if want := (plotter.XYs{{X: 1, Y: 3}, {X: 3, Y: 3}, {X: 3, Y: 5}}); !slices.Equal(steps, want) {
		t.Errorf("steps %v, want %v", steps, want)
	}
}

func TestASinglePlaceIsADotWithItsError(t *testing.T) {
	i := wantsOrder(t, Figure{Panels: []Panel{{Curves: []Curve{{Name: "a", Y: []stat.Estimate{{N: 2, Mean: 3, SE: 1}}}}}}}.drawing())
	dots := 0
	for _, f := range i.fills {
		if f.color == color.Color(Palette[0]) {
			dots++
		}
	}
	if dots != 1 {
		t.Errorf("%d dots", dots)
	}
}

func TestEmptyPanelsSaySo(t *testing.T) {
	i := wantsOrder(t, Figure{Panels: []Panel{{}, {LogX: true, LogY: true, Curves: []Curve{{Name: "a", Y: []stat.Estimate{stat.Of(nil)}}}}, {Curves: pair(1, 2)}}}.drawing())
	if n := strings.Count(strings.Join(i.words(), "|"), "no values"); n != 2 {
		t.Errorf("%d panels without values, want 2: %v", n, i.words())
	}
}

func TestPointsHaveTheirLabelsBesideThem(t *testing.T) {
	at := vg.Rectangle{Max: vg.Point{X: 100, Y: 100}}
	spot := vg.Point{X: 50, Y: 50}
	right := free(at, nil, spot, 10, 5)
	if right.Min.X <= spot.X || right.Min.Y != 45 {
		t.Errorf("%v", right)
	}
	if left := free(at, []vg.Rectangle{right}, spot, 10, 5); left.Max.X >= spot.X {
		t.Errorf("where the right side is taken: %v", left)
	}
	if left := free(at, nil, vg.Point{X: 95, Y: 50}, 10, 5); left.Max.X >= 95 {
		t.Errorf("at the right end: %v", left)
	}
	i := wantsOrder(t, Figure{Panels: []Panel{{X: "x", Y: "y", Points: []Point{{1, 1, "one"}, {1, 1, "the same"}, {2, 3, ""}, {4, 5, "last"}}}}}.drawing())
	for _, want := range []string{"one", "the same", "last"} {
		if !slices.Contains(i.words(), want) {
			t.Errorf("no %q: %v", want, i.words())
		}
	}
}

func TestCurvesOfTwoLengthsPanic(t *testing.T) {
	defer func() {
		if r := recover(); r != `chart: curve "a" has 1 places and 2 estimates` {
			t.Errorf("%v", r)
		}
	}()
	_ = Figure{Panels: []Panel{{Curves: []Curve{{Name: "a", X: []float64{1}, Y: make([]stat.Estimate, 2)}}}}}.WriteSVG(nil)
}
