package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// heatTable is a panel of a heat map with its layout.
type heatTable struct {
	HeatPanel
	scale   span
	caption string // of its own bar
	barred  bool   // it has one
	digits  int    // of the numbers, see decimals

	width     vg.Length // of everything
	names     vg.Length // of the names of the rows
	cell      vg.Point  // width and height
	numbers   vg.Length // size of the numbers; 0: they do not fit
	upright   bool      // names of columns are written upwards
	headSize  vg.Length
	headLines [][]string
	head      vg.Length // height of the names of the columns
}

// Sizes and distances of a table.
const (
	cellSize     = 12                // of the numbers, where they fit
	leastSize    = 6                 // below which they are left out
	usualCell    = 48 * vg.Length(1) // width
	widestCell   = 96 * vg.Length(1)
	highestCell  = 25 * vg.Length(1)
	highestTable = 1500 * vg.Length(1)
	namesGap     = 8 * vg.Length(1)
	panelTitle   = 22 * vg.Length(1)
	panelX       = 19 * vg.Length(1)
)

// nameWidth is how wide the names of the rows are, with that of all of them.
func (t *heatTable) nameWidth() vg.Length {
	style := Text(TickSize, color.Black)
	width := style.Width(Printable(t.Y))
	for _, name := range t.Rows {
		width = max(width, style.Width(Printable(name)))
	}
	return width + namesGap
}

// numberWidth is the width of the longest number.
func (t *heatTable) numberWidth() vg.Length {
	style, width := Text(cellSize, color.Black), vg.Length(0)
	for _, row := range t.Cells {
		for _, v := range row {
			width = max(width, style.Width(t.cellText(v)))
		}
	}
	return width
}

// wanted is the width in which everything is easy to read.
func (t *heatTable) wanted() vg.Length {
	return min(t.nameWidth(), 220) + t.leastCells()
}

// leastCells is the width of the cells of a row in which their numbers are easy to read.
func (t *heatTable) leastCells() vg.Length {
	return vg.Length(max(len(t.Columns), 2)) * max(usualCell, t.numberWidth()+8)
}

// layOut fits the table to a width.
func (t *heatTable) layOut(width vg.Length) {
	t.width = width
	t.names = min(t.nameWidth(), max(0.35*width, width-t.leastCells()))
	t.cell = vg.Point{
		X: min((width-t.names)/vg.Length(max(len(t.Columns), 1)), widestCell),
		Y: min(highestTable/vg.Length(max(len(t.Rows), 1)), highestCell),
	}
	t.numbers = min(cellSize*(t.cell.X-4)/max(t.numberWidth(), 1), cellSize, t.cell.Y-4)
	if t.numbers < leastSize {
		t.numbers = 0
	}
	t.layOutHead()
}

// header is the height of what is above the cells.
func (t *heatTable) header() vg.Length {
	height := t.head
	if t.Title != "" {
		height += panelTitle
	}
	if t.X != "" {
		height += panelX
	}
	return height
}

func (t *heatTable) height() vg.Length {
	height := t.header() + vg.Length(max(len(t.Rows), 1))*t.cell.Y
	if t.barred && !t.scale.empty() {
		height += barSpace + namesGap
	}
	return height
}

// draw puts the table on the canvas with its upper left corner at a point.
func (t *heatTable) draw(c draw.Canvas, at vg.Point) {
	black := Text(TickSize, color.Black)
	cells := vg.Point{X: at.X + t.names, Y: at.Y - t.header()} // their upper left corner
	y := at.Y
	if t.Title != "" {
		style := bold(LabelSize, color.Black)
		c.FillText(style, vg.Point{X: at.X, Y: y - LabelSize}, Cut(style, t.Title, t.width))
		y -= panelTitle
	}
	gray := Text(TickSize, Gray)
	if t.X != "" {
		c.FillText(gray, vg.Point{X: cells.X + 3, Y: y - TickSize}, Cut(gray, t.X, at.X+t.width-cells.X-3))
	}
	if t.Y != "" {
		c.FillText(gray, vg.Point{X: at.X, Y: cells.Y + 5}, Cut(gray, t.Y, t.names-namesGap))
	}
	t.drawColumns(c, t.headStyle(), cells)
	black.XAlign, black.YAlign = text.XRight, text.YCenter
	every := int(math.Ceil(float64(TickSize / t.cell.Y)))
	for i, name := range t.Rows {
		if i%every == 0 {
			middle := cells.Y - (vg.Length(i)+0.5)*t.cell.Y
			c.FillText(black, vg.Point{X: cells.X - namesGap, Y: middle}, Cut(black, name, t.names-namesGap))
		}
	}
	for i, row := range t.Cells {
		for k, v := range row {
			t.drawCell(c, vg.Point{X: cells.X + vg.Length(k)*t.cell.X, Y: cells.Y - (vg.Length(i)+0.5)*t.cell.Y}, v)
		}
	}
	if len(t.Rows) == 0 || len(t.Columns) == 0 {
		c.FillText(gray, vg.Point{X: cells.X + 3, Y: cells.Y - TickSize}, "no values")
	}
	if t.barred {
		bar{t.caption, t.scale}.draw(c, at.X, at.Y-t.height(), t.width)
	}
}

// drawCell draws a cell whose left side has its middle at a point.
func (t *heatTable) drawCell(c draw.Canvas, at vg.Point, v float64) {
	gap := min(vg.Length(1), t.cell.X/8, t.cell.Y/8) // to the next cell
	box := Box(vg.Point{X: at.X + gap/2, Y: at.Y}, t.cell.X-gap, t.cell.Y-gap)
	if math.IsNaN(v) {
		line := draw.LineStyle{Color: faint, Width: gap / 2}
		c.StrokeLines(line, append(box, box[0]))
		return
	}
	fill := shade(t.scale.share(v))
	c.FillPolygon(fill, box)
	if t.numbers > 0 {
		style := Text(t.numbers, ink(fill))
		style.XAlign, style.YAlign = text.XCenter, text.YCenter
		c.FillText(style, vg.Point{X: at.X + t.cell.X/2, Y: at.Y}, t.cellText(v))
	}
}
