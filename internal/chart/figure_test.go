package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"github.com/tarry-bo/tarry/internal/must"
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
		p := Panel{Title: fmt.Sprintf("delay poisson:%d, window 20 (strict), 8 workers, and more words than fit into a line", i), X: "queries after the initial ones", Y: "simple regret", Scale: []Scale{Log, Linear}[min(i, 1)%2], Steps: true}
		for k := range 7 {
			c := falling(fmt.Sprintf("ucb-sdf:nu=%d", k), 100)
			if c.Policy = c.Name; k == 6 {
				c.Name, c.Policy = "random", "random"
			}
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
		if columns, _ := f.grid(); columns != want.columns || d.Width != Width || d.Height != Pixels(want.height) {
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

func TestLongCurvesAreThinnedOut(t *testing.T) {
	c := Curve{Y: make([]stat.Estimate, 12345)}
	c.Y[12331] = stat.Of(nil)
	got := c.places()
	if len(got) > maxPlaces || got[len(got)-1] != 12344 || len(got) < maxPlaces/2 {
		t.Errorf("%d places, last %d", len(got), got[len(got)-1])
	}
	if got := (Curve{Y: make([]stat.Estimate, 3)}).places(); len(got) != 3 {
		t.Errorf("a short curve has places %v", got)
	}
}

func TestCurvesLeaveUnknownPlacesOut(t *testing.T) {
	c := Curve{X: []float64{1, 10, 100, math.NaN()}, Y: []stat.Estimate{{N: 2, Mean: 3, SE: 1}, stat.Of(nil), {N: 2, Mean: 5, SE: 9}, {}}}
	p := panel{axis: yAxis{span: span{0, 10}}}
	if got, want := p.lines(c)[0], (plotter.XYs{{X: 1, Y: 3}, {X: 100, Y: 5}}); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := p.band(c), (plotter.XYs{{X: 1, Y: 4}, {X: 100, Y: 10}, {X: 100, Y: 0}, {X: 1, Y: 2}}); !slices.Equal(got, want) {
		t.Errorf("band %v, want %v", got, want)
	}
	p.Steps, p.End = true, 120
	steps := p.lines(c)[0]
	if want := (plotter.XYs{{X: 1, Y: 3}, {X: 100, Y: 3}, {X: 100, Y: 5}, {X: 120, Y: 5}}); !slices.Equal(steps, want) {
		t.Errorf("steps %v, want %v", steps, want)
	}
}

func TestASinglePlaceIsAMarkWithItsError(t *testing.T) {
	c := Curve{Name: "ucb-sdf", Policy: "ucb-sdf", Y: []stat.Estimate{{N: 2, Mean: 3, SE: 1}}}
	i := wantsOrder(t, Figure{Panels: []Panel{{Curves: []Curve{c}}}}.drawing())
	if n := i.filled(LookOf("ucb-sdf").Color); n != 2 { // on the axes and in the legend
		t.Errorf("%d marks", n)
	}
}

func TestEmptyPanelsSaySo(t *testing.T) {
	i := wantsOrder(t, Figure{Panels: []Panel{{}, {Scale: Log, Curves: []Curve{{Name: "a", Y: []stat.Estimate{stat.Of(nil)}}}}, {Curves: pair(1, 2)}}}.drawing())
	if n := strings.Count(strings.Join(i.words(), "|"), "no values"); n != 2 {
		t.Errorf("%d panels without values, want 2: %v", n, i.words())
	}
}

func TestLayersBeginAndEndAtTheSamePlaces(t *testing.T) {
	first := must.Get(Panel{Y: "a", Curves: pair(1e-3, 2e-3)}.Layer(180))(t)
	second := Layer{Name: "b", Plot: Axes("x"), Height: 180, Keys: []Key{{"key", Stroke(neutral(0).line())}}}
	second.Plot.Y.Max = 1e6
	s := Stack{Title: "title", Layers: []Layer{first, second}}
	words := wantsOrder(t, s.Drawing()).words()
	for _, want := range []string{"title", "a", "b", "x", "key"} {
		if !slices.Contains(words, want) {
			t.Errorf("no %q in %v", want, words)
		}
	}
	areas := make([]draw.Canvas, 2)
	for i := range areas {
		areas[i] = draw.NewCanvas(new(recorder.Canvas), 500, 100)
	}
	flat := flush(s.Layers, areas)
	one, other := first.Plot.DataCanvas(flat[0]), second.Plot.DataCanvas(flat[1])
	if math.Abs(float64(one.Min.X-other.Min.X)) > 1e-9 || math.Abs(float64(one.Max.X-other.Max.X)) > 1e-9 {
		t.Errorf("from %v and %v to %v and %v", one.Min.X, other.Min.X, one.Max.X, other.Max.X)
	}
}

func TestPilesHoldThePointsThatLookTheSame(t *testing.T) {
	got := Piles([]vg.Point{{X: 1, Y: 1}, {X: 9, Y: 1}, {X: 1.1, Y: 0.9}, {X: 1, Y: 2}})
	if len(got) != 3 || !slices.Equal(got[0], []int{0, 2}) || !slices.Equal(got[1], []int{1}) {
		t.Errorf("%v", got)
	}
	if PileRadius(2, 1) != 2 || PileRadius(2, 4) != 4 || PileRadius(2, 1000) != PileRadius(2, MostPiled) {
		t.Error("the area is in proportion to the number, up to a limit")
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
