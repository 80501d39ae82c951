package figures

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Distances of the layout, in points.
const (
	margin    = 14 * vg.Length(1)
	titleSize = 17
	noteSize  = 12
	labelSize = 14
	tickSize  = 12
	headSpace = 54 * vg.Length(1) // title and note
	nameSpace = 26 * vg.Length(1) // name of a y axis, above it
)

// sans is the font of all text.
var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

const fontName = "Liberation Sans"

var gray = color.Gray{Y: 0x55}

// Colors of Okabe and Ito (2008), which people with any kind of color vision can tell apart.
var (
	blue      = color.NRGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}
	vermilion = color.NRGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}
	purple    = color.NRGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}
	skyBlue   = color.NRGBA{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}
)

// styleOf is text of a size in points.
func styleOf(size vg.Length, c color.Color) text.Style {
	return text.Style{Color: c, Font: font.From(sans, size), Handler: plot.DefaultTextHandler}
}

// cut shortens a text to a width.
func cut(style text.Style, words string, width vg.Length) string {
	if style.Width(words) <= width {
		return words
	}
	runes := []rune(words)
	for len(runes) > 1 && style.Width(string(runes)+"…") > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// head writes title and note at the top of a canvas and returns what is below.
func head(c draw.Canvas, title, note string) draw.Canvas {
	width := c.Max.X - c.Min.X
	big, small := styleOf(titleSize, color.Black), styleOf(noteSize, gray)
	c.FillText(big, vg.Point{X: c.Min.X, Y: c.Max.Y - titleSize}, cut(big, printable(title), width))
	c.FillText(small, vg.Point{X: c.Min.X, Y: c.Max.Y - titleSize - 20}, cut(small, printable(note), width))
	return draw.Crop(c, 0, 0, 0, -headSpace)
}

// newAxes returns linear axes with a grid, whose labels are of a size. What they are called is written beside them: on its
// side a name is hard to read, and gonum/plot v0.17 makes room for the name of a logarithmic axis in the wrong place.
func newAxes(size vg.Length) *plot.Plot {
	axes := plot.New()
	axes.BackgroundColor = nil
	for _, a := range []*plot.Axis{&axes.X, &axes.Y} {
		a.Tick.Label.Font = font.From(sans, size)
		a.Padding = 0
		a.Color, a.Tick.Color = gray, gray
		a.Tick.Marker = tidyTicks{about: 6}
	}
	g := plotter.NewGrid()
	line := draw.LineStyle{Color: color.Gray{Y: 0xe4}, Width: vg.Points(0.6)}
	g.Horizontal, g.Vertical = line, line
	axes.Add(g)
	return axes
}

// remark is a few words in the middle of axes on which there is nothing.
type remark string

// Plot writes the words.
func (r remark) Plot(c draw.Canvas, _ *plot.Plot) {
	style := styleOf(labelSize, gray)
	style.XAlign, style.YAlign = text.XCenter, text.YCenter
	c.FillText(style, c.Center(), string(r))
}

// below writes the name of an x axis under the middle of where the data are.
func below(c, data draw.Canvas, size vg.Length, name string) {
	style := styleOf(size, color.Black)
	style.XAlign = text.XCenter
	c.FillText(style, vg.Point{X: data.Center().X, Y: c.Min.Y}, cut(style, printable(name), data.Max.X-data.Min.X+30))
}
