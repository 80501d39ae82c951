package figures

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
)

// headSpace is the height of title and note of a line each, in points.
const headSpace = 54 * vg.Length(1)

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

// newAxes returns linear axes with a grid, whose labels are of a size. What they are called is written beside them.
func newAxes(size vg.Length) *plot.Plot {
	axes := chart.Axes("")
	for _, a := range []*plot.Axis{&axes.X, &axes.Y} {
		a.Tick.Label.Font.Size = size
		a.Tick.Marker = tidyTicks{about: 6}
	}
	return axes
}

// remark is a few words in the middle of axes on which there is nothing.
type remark string

// Plot writes the words.
func (r remark) Plot(c draw.Canvas, _ *plot.Plot) {
	style := chart.Text(chart.LabelSize, chart.Gray)
	style.XAlign, style.YAlign = text.XCenter, text.YCenter
	c.FillText(style, c.Center(), string(r))
}

// below writes the name of an x axis under the middle of where the data are.
func below(c, data draw.Canvas, size vg.Length, name string) {
	style := chart.Text(size, color.Black)
	style.XAlign = text.XCenter
	c.FillText(style, vg.Point{X: data.Center().X, Y: c.Min.Y}, cut(style, printable(name), data.Max.X-data.Min.X+30))
}
