package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// table is a panel whose cell (i, k) is i + k/10.
func table(rows, columns int, name string) HeatPanel {
	p := HeatPanel{Title: "a problem", X: "delay", Y: "policy"}
	for i := range rows {
		p.Rows = append(p.Rows, fmt.Sprintf("a policy:option=%d", i))
		p.Cells = append(p.Cells, make([]float64, columns))
		for k := range columns {
			p.Cells[i][k] = float64(i) + float64(k)/10
		}
	}
	for k := range columns {
		p.Columns = append(p.Columns, fmt.Sprintf("%s:%d, window 5", name, k))
	}
	return p
}

func TestHeatMapsAreInOrder(t *testing.T) {
	for _, name := range []string{"p", "poisson", "extraordinarily-long-and-more"} {
		for _, size := range [][3]int{{1, 1, 1}, {8, 12, 2}, {14, 12, 1}, {14, 5, 4}, {5, 3, 3}} {
			h := HeatMap{Title: "Regret of each policy", Note: strings.Repeat("a note ", 60), Scale: "simple regret after 100 queries"}
			for range size[2] {
				h.Panels = append(h.Panels, table(size[0], size[1], name))
			}
			words := wantsOrder(t, h.drawing()).words()
			if n := strings.Count(strings.Join(words, "|"), "simple regret after"); n != 1 {
				t.Errorf("%v: %d color bars", size, n)
			}
			if !slices.Contains(words, strconv.FormatFloat(float64(size[0]-1)+float64(size[1]-1)/10, 'f', min(size[1]-1, 1), 64)) {
				t.Errorf("%v: no number of the last cell in %v", size, words)
			}
			h.Panels[0].High = 100
			wantsOrder(t, h.drawing())
		}
	}
}

func TestNarrowTablesAreSideBySide(t *testing.T) {
	height := func(columns int) float64 {
		p := table(6, columns, "p")
		return float64(HeatMap{Panels: []HeatPanel{p, p}}.drawing().Height)
	}
	if height(3) >= 0.8*height(12) {
		t.Errorf("two narrow tables take %v points, two wide ones %v", height(3), height(12))
	}
}

func TestTablesWithScalesOfTheirOwnHaveBarsOfTheirOwn(t *testing.T) {
	one, other := table(2, 2, "p"), table(2, 2, "p")
	other.High = 5
	h := HeatMap{Scale: "regret", Panels: []HeatPanel{one, other}}
	if n := strings.Count(strings.Join(wantsOrder(t, h.drawing()).words(), "|"), "regret"); n != 2 {
		t.Errorf("%d bars", n)
	}
	tables, shared := h.tables()
	if shared || tables[0].scale != (span{0, 1.1}) || tables[1].scale != (span{0, 5}) {
		t.Errorf("%v and %v", tables[0].scale, tables[1].scale)
	}
}

func TestCellsHaveTheColorsOfTheirNumbers(t *testing.T) {
	p := HeatPanel{Rows: []string{"r", "s"}, Columns: []string{"a", "b", "c"}, Cells: [][]float64{{0, 1, math.NaN()}, {0.5, math.Inf(1), -7}}, High: 1}
	i := wantsOrder(t, HeatMap{Panels: []HeatPanel{p}}.drawing())
	cells := map[color.Color]int{}
	for _, f := range i.fills {
		if c, isColor := f.color.(color.NRGBA); isColor && len(f.path) == 5 {
			cells[c]++
		}
	}
	light, middle, dark := shade(0), shade(0.5), shade(1)
	if cells[light] != 2 || cells[middle] != 1 || cells[dark] != 2 { // the bar has a hundred others
		t.Errorf("%d light, %d middle, %d dark cells", cells[light], cells[middle], cells[dark])
	}
	for _, want := range []string{"0", "1", "0.5", "+Inf", "-7"} {
		if !slices.Contains(i.words(), want) {
			t.Errorf("no %s in %v", want, i.words())
		}
	}
	if slices.Contains(i.words(), "NaN") {
		t.Error("a blank cell has a number")
	}
}

func TestTheScaleOfColorsHasEvenStepsOfLightness(t *testing.T) {
	lightness := func(c color.NRGBA) float64 { return 116*math.Cbrt(luminance(c)) - 16 } // CIE 1976
	const steps = 20
	for i := range steps {
		step := lightness(shade(float64(i)/steps)) - lightness(shade(float64(i+1)/steps))
		if want := (98.0 - 16.1) / steps; math.Abs(step-want) > 0.7 {
			t.Errorf("step %d: %v, want %v", i, step, want)
		}
	}
	if shade(-1) != shade(0) || shade(2) != shade(1) {
		t.Error("beyond the ends")
	}
}

func TestNumbersCanBeReadOnEveryColor(t *testing.T) {
	if ink(shade(0)) != color.Color(color.Black) || ink(shade(1)) != color.Color(color.White) {
		t.Error("black is for light cells, white for dark ones")
	}
	for share := 0.; share <= 1; share += 0.01 {
		contrast := 1.05 / (luminance(shade(share)) + 0.05)
		if ink(shade(share)) == color.Color(color.Black) {
			contrast = (luminance(shade(share)) + 0.05) / 0.05
		}
		if contrast < 4.5 { // what the guidelines ask for
			t.Errorf("contrast %v at %v", contrast, share)
		}
	}
}

func TestLuminanceOfHandWorkedColors(t *testing.T) {
	for _, c := range []struct {
		color color.NRGBA
		want  float64
	}{{color.NRGBA{R: 255, G: 255, B: 255}, 1}, {color.NRGBA{}, 0}, {color.NRGBA{G: 255}, 0.7152}, {color.NRGBA{R: 128, G: 128, B: 128}, 0.2159}} {
		if got := luminance(c.color); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("%v: %v, want %v", c.color, got, c.want)
		}
	}
}

func TestNumbersOfATableHaveTheSameDecimals(t *testing.T) {
	for _, c := range []struct {
		cells []float64
		want  int
	}{{[]float64{0.0155, 1.28, 0.59}, 2}, {[]float64{0, 7}, 0}, {[]float64{0.5, -0.25}, 2}, {[]float64{100.25, 3}, 0}, {[]float64{1e-5, 1e-4}, -1}, {[]float64{math.NaN()}, 0}} {
		if got := (HeatPanel{Cells: [][]float64{c.cells}}).decimals(); got != c.want {
			t.Errorf("%v: %d, want %d", c.cells, got, c.want)
		}
	}
}

func TestEqualNumbersHaveOneColor(t *testing.T) {
	p := HeatPanel{Rows: []string{"r"}, Columns: []string{"a", "b"}, Cells: [][]float64{{5, 5}}}
	words := wantsOrder(t, HeatMap{Panels: []HeatPanel{p}}.drawing()).words()
	if want := []string{"5", "5", "5"}; len(slices.DeleteFunc(words, func(w string) bool { return w != "5" })) != len(want) {
		t.Errorf("%v: want the numbers of the cells and of the bar", words)
	}
}

func TestTablesWithoutNumbersSaySo(t *testing.T) {
	empty := HeatPanel{Title: "empty", Rows: []string{"r"}, Cells: [][]float64{{}}}
	unknown := HeatPanel{Rows: []string{"r"}, Columns: []string{"a"}, Cells: [][]float64{{math.NaN()}}}
	for _, h := range []HeatMap{{}, {Panels: []HeatPanel{empty}}, {Panels: []HeatPanel{empty, {}, unknown}}} {
		i := wantsOrder(t, h.drawing())
		if len(h.Panels) > 0 && !slices.Contains(i.words(), "no values") {
			t.Errorf("%v", i.words())
		}
	}
}

func TestTablesOfTwoSizesPanic(t *testing.T) {
	for want, p := range map[string]HeatPanel{
		`chart: heat map "p" has 1 rows of cells and 0 names of rows`: {Title: "p", Cells: [][]float64{{1}}},
		`chart: row 0 of heat map "p" has 1 cells, and there are 2 columns`: {
			Title: "p", Rows: []string{"r"}, Columns: []string{"a", "b"}, Cells: [][]float64{{1}},
		},
	} {
		func() {
			defer func() {
				if r := recover(); r != want {
					t.Errorf("%v, want %v", r, want)
				}
			}()
			_ = HeatMap{Panels: []HeatPanel{p}}.WriteSVG(nil)
		}()
	}
}

func TestNamesOfColumnsAreBrokenAtSpacesFirst(t *testing.T) {
	for name, want := range map[string]struct {
		lines   string
		size    float64
		upright bool
	}{
		"poisson:5":              {"poisson:5", 12, false},
		"poisson:10, window 5":   {"poisson:10,|window 5", 12, false},
		"poisson:1000, window 5": {"poisson:1000,|window 5", 11, false},
		"policy:option=value":    {"policy:option=|value", 12, false},
		"Donaudampfschifffahrt":  {"Donaudampfschifffahrt", 12, true},
	} {
		p := heatTable{HeatPanel: HeatPanel{Columns: []string{name}}, cell: vg.Point{X: 80, Y: 25}}
		p.layOutHead()
		if got := strings.Join(p.headLines[0], "|"); got != want.lines || float64(p.headSize) != want.size || p.upright != want.upright {
			t.Errorf("%s: %q of size %v, upright %v", name, got, p.headSize, p.upright)
		}
	}
}
