package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Distances of a heat map.
const (
	blockGap  = 22 * vg.Length(1) // between panels
	barHeight = 12 * vg.Length(1)
	barLength = 260 * vg.Length(1)
	barSpace  = 46 * vg.Length(1) // for a color bar with its numbers
)

// drawing stacks the panels, two of them side by side where all are narrow.
func (h HeatMap) drawing() Drawing {
	tables, shared := h.tables()
	width := Inside
	columns := 1
	if half := (width - columnGap) / 2; len(tables) > 1 && widest(tables) <= half {
		width, columns = half, 2
	}
	var rows []vg.Length // heights
	for i := range tables {
		tables[i].layOut(width)
		if i%columns == 0 {
			rows = append(rows, 0)
		}
		rows[len(rows)-1] = max(rows[len(rows)-1], tables[i].height())
	}
	height := 2*Margin + HeadHeight(h.Title, h.Note)
	for _, r := range rows {
		height += r + blockGap
	}
	if shared {
		height += barSpace
	}
	return Drawing{Width, height, func(c draw.Canvas) error {
		c = draw.Crop(c, Margin, -Margin, Margin, -Margin)
		body := Head(c, h.Title, h.Note)
		top := body.Max.Y
		for i, t := range tables {
			t.draw(c, vg.Point{X: c.Min.X + vg.Length(i%columns)*(width+columnGap), Y: top})
			if i%columns == columns-1 {
				top -= rows[i/columns] + blockGap
			}
		}
		if shared {
			bar{h.Scale, tables[0].scale}.draw(c, c.Min.X, c.Min.Y, c.Max.X-c.Min.X)
		}
		return nil
	}}
}

// tables are the panels with their scales, and whether it is the same one for all of them, so that one bar will do.
func (h HeatMap) tables() (out []heatTable, shared bool) {
	all := nothing()
	for _, p := range h.Panels {
		p.check()
		for _, row := range p.Cells {
			for _, v := range row {
				all = all.with(v)
			}
		}
	}
	for _, p := range h.Panels {
		t := heatTable{HeatPanel: p, scale: all, caption: h.Scale, digits: p.decimals()}
		if given := (span{p.Low, p.High}); given.usable() {
			t.scale = given
		}
		out = append(out, t)
	}
	shared = len(out) > 0
	for _, t := range out {
		shared = shared && t.scale == out[0].scale
	}
	for i := range out {
		out[i].barred = !shared
	}
	return out, shared && !out[0].scale.empty()
}

// check panics where there is not one cell for each row and column.
func (p HeatPanel) check() {
	if len(p.Cells) != len(p.Rows) {
		panic(fmt.Sprintf("chart: heat map %q has %d rows of cells and %d names of rows", p.Title, len(p.Cells), len(p.Rows)))
	}
	for i, row := range p.Cells {
		if len(row) != len(p.Columns) {
			panic(fmt.Sprintf("chart: row %d of heat map %q has %d cells, and there are %d columns", i, p.Title, len(row), len(p.Columns)))
		}
	}
}

// widest is how wide the panels would like to be.
func widest(all []heatTable) vg.Length {
	width := vg.Length(0)
	for _, t := range all {
		width = max(width, t.wanted())
	}
	return width
}

// bar explains colors: a caption, the scale, and numbers below it.
type bar struct {
	caption string
	scale   span
}

// draw puts the bar on the canvas with its lower left corner at a point.
func (b bar) draw(c draw.Canvas, left, bottom, width vg.Length) {
	if b.scale.empty() {
		return
	}
	const steps = 100
	style := Text(TickSize, color.Black)
	caption := Cut(style, b.caption, width/2)
	at := vg.Point{X: left + Text(TickSize, Gray).Width(b.ticks(barLength)[0].Label)/2, Y: bottom + 24}
	if caption != "" {
		c.FillText(style, vg.Point{X: left, Y: at.Y - TickSize*0.33}, caption)
		at.X = left + style.Width(caption) + 22
	}
	length := min(barLength, left+width-at.X-22)
	for i := range steps { // each reaches under the next one: there shall be no seams
		from := length * vg.Length(i) / steps
		c.FillPolygon(shade((float64(i)+0.5)/steps), Box(vg.Point{X: at.X + from, Y: at.Y}, min(2*length/steps, length-from), barHeight))
	}
	below := Text(TickSize, Gray)
	below.XAlign = text.XCenter
	for _, k := range b.ticks(length) {
		x := at.X + length*vg.Length(b.scale.share(k.Value))
		c.StrokeLine2(draw.LineStyle{Color: Gray, Width: vg.Points(0.5)}, x, at.Y-barHeight/2, x, at.Y-barHeight/2-3)
		c.FillText(below, vg.Point{X: x, Y: bottom + 2}, k.Label)
	}
}

// ticks mark a scale of a length, at one place at least.
func (b bar) ticks(length vg.Length) []plot.Tick {
	if !b.scale.usable() {
		return []plot.Tick{{Value: b.scale.low, Label: short(b.scale.low, cellDigits)}}
	}
	return Thinned(TidyTicks, 5, b.scale.low, b.scale.high, TickSize, length)
}

// cellDigits is how many digits the greatest number in the cells has.
const cellDigits = 3

// decimals is how many digits behind the point the numbers of a table have: none that is 0 in all of them. It is -1 where
// numbers are so large or small that each has its own exponent.
func (p HeatPanel) decimals() int {
	size := 0.0
	for _, v := range slices.Concat(p.Cells...) {
		if !math.IsNaN(v) {
			size = max(size, math.Abs(v))
		}
	}
	switch {
	case size == 0:
		return 0
	case size < 1e-3 || size >= 1e5:
		return -1
	}
	digits := max(cellDigits-1-decade(size), 0)
	for digits > 0 && !slices.ContainsFunc(slices.Concat(p.Cells...), func(v float64) bool {
		return !math.IsNaN(v) && !strings.HasSuffix(strconv.FormatFloat(v, 'f', digits, 64), "0")
	}) {
		digits--
	}
	return digits
}

// cellText is the number in a cell; blank for none.
func (t *heatTable) cellText(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case t.digits < 0 || math.IsInf(v, 0):
		return short(v, cellDigits)
	}
	return strconv.FormatFloat(v, 'f', t.digits, 64)
}
