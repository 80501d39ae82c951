package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
)

func TestALongStudyIsDrawn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.png")
	code, out, err := consoletest.Execute(t, demo, "bench", "-policy", "gp-bucb", "-study", "60", "-dim", "2", "-plot", path)
	if code != console.ExitOK {
		t.Fatalf("code %d\n%s", code, err)
	}
	vector := strings.TrimSuffix(path, ".png") + ".svg"
	consoletest.Contains(t, out, "picture: "+path+" and "+vector+"\n", "-plot "+path+"\n")
	svg, _ := os.ReadFile(vector)
	consoletest.Contains(t, string(svg), "seconds for a suggestion", "heap that the study holds, MB", "rows of the model", "evaluations (queries sent out)", "fit, beside the suggestions")
}

func TestAChartShowsEverySuggestionAndFit(t *testing.T) {
	s := played(t, "-policy", "gp-bucb", "-study", "60", "-dim", "2")
	c := s.chart()
	if len(c.usual)+len(c.rebuilt) != 55 || len(c.fit) != len(s.fits) || len(c.fit) == 0 || len(c.rebuilt) == 0 || len(c.median) != 55 || c.evaluations != 60 {
		t.Errorf("%d + %d suggestions, %d fits, %d medians to %v", len(c.usual), len(c.rebuilt), len(c.fit), len(c.median), c.evaluations)
	}
	if want := (plotter.XYs{{X: 6, Y: 5}, {X: 60, Y: 59}}); !slices.Equal(c.rows, want) {
		t.Errorf("rows %v, want %v", c.rows, want)
	}
}

func TestPicturesOfExtremeCharts(t *testing.T) {
	dir := t.TempDir()
	one := plotter.XYs{{X: 1, Y: 1e-5}}
	many := make(plotter.XYs, 20_000)
	for i := range many {
		many[i] = plotter.XY{X: float64(i + 1), Y: float64(i%7+1) * 1e-3}
	}
	for name, c := range map[string]costChart{
		"empty": {evaluations: 1},
		"one":   {evaluations: 1, usual: one, median: one, heap: plotter.XYs{{X: 1}}, rows: plotter.XYs{{X: 1}}},
		"many":  {title: strings.Repeat("long ", 50), evaluations: 20_000, usual: many, median: many[:500], fit: one, heap: many[:500], rows: many[:500]},
	} {
		path := filepath.Join(dir, name)
		drawing, err := c.drawing()
		if err == nil {
			err = chart.Save(path, drawing)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if svg, _ := os.ReadFile(path + ".svg"); bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
			t.Errorf("%s.svg has coordinates that are no numbers", name)
		}
	}
}

func TestTheRunningMedianLooksToBothSides(t *testing.T) {
	got := runningMedian([]float64{9, 1, 2, 8, 3}, 3)
	if want := []float64{1, 2, 2, 3, 3}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestStraightLinesAreDrawnByTheirEnds(t *testing.T) {
	got := corners(plotter.XYs{{X: 1, Y: 1}, {X: 2, Y: 2}, {X: 4, Y: 4}, {X: 5, Y: 1}, {X: 6, Y: 2}})
	if want := (plotter.XYs{{X: 1, Y: 1}, {X: 4, Y: 4}, {X: 5, Y: 1}, {X: 6, Y: 2}}); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := evenly(10, 4); !slices.Equal(got, []int{0, 3, 6, 9}) {
		t.Errorf("%v", got)
	}
	if got := evenly(9, 4); !slices.Equal(got, []int{0, 3, 6, 8}) {
		t.Errorf("%v", got)
	}
}

func TestStretchesEndAtRoundNumbers(t *testing.T) {
	for n, want := range map[int][]int{7: {7}, 100: {100}, 101: {100, 101}, 600: {100, 200, 500, 600}, 10_000: {100, 200, 500, 1000, 2000, 5000, 10_000}} {
		if got := stretchEnds(n); !slices.Equal(got, want) {
			t.Errorf("%d: %v, want %v", n, got, want)
		}
	}
}

// drawnBy returns what a plotter does to a canvas of 400 x 300 points.
func drawnBy(axes *plot.Plot) []recorder.Action {
	var r recorder.Canvas
	axes.Draw(draw.NewCanvas(&r, 400, 300))
	return r.Actions
}

func TestDotsInOnePlaceAreDrawnOnce(t *testing.T) {
	fills := func(points plotter.XYs) int {
		axes, n := plot.New(), 0
		axes.Add(dots{points, usualMark})
		axes.X.Min, axes.X.Max, axes.Y.Min, axes.Y.Max = 0, 10, 0, 10
		for _, a := range drawnBy(axes) {
			if _, fill := a.(*recorder.Fill); fill {
				n++
			}
		}
		return n
	}
	none := fills(nil)
	if got := fills(plotter.XYs{{X: 1, Y: 1}, {X: 1.001, Y: 1}, {X: 1, Y: 5}, {X: 1, Y: 1}}) - none; got != 2 {
		t.Errorf("%d dots, want 2", got)
	}
}

func TestALegendOfCostsHasWhatIsThere(t *testing.T) {
	var names []string
	for _, k := range (costChart{usual: plotter.XYs{{X: 1, Y: 1}}, fit: plotter.XYs{{X: 1, Y: 1}}}).timeKeys() {
		names = append(names, k.Name)
	}
	if !slices.Equal(names, []string{"suggestion", "fit, beside the suggestions"}) {
		t.Errorf("%q", names)
	}
}
