package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Axes returns linear axes with a grid and the name of the x axis. That of the y axis is for the caller to write above it: on
// its side it is hard to read, and gonum/plot v0.17 makes room for the name of a logarithmic axis in the wrong place.
func Axes(xName string) *plot.Plot {
	axes := plot.New()
	axes.BackgroundColor = nil
	axes.X.Label.Text = Printable(xName)
	for _, a := range []*plot.Axis{&axes.X, &axes.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font = font.From(sans, LabelSize), font.From(sans, TickSize)
		a.Label.Padding, a.Padding = 6, 0
		a.Color, a.Tick.Color = Gray, Gray
		a.Tick.Marker = TidyTicks(aboutTicks)
	}
	axes.Add(grid())
	return axes
}

// aboutTicks is how many numbers there are on an axis with room for them.
const aboutTicks = 6

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	line := draw.LineStyle{Color: faint, Width: vg.Points(0.6)}
	g.Horizontal, g.Vertical = line, line
	return g
}

// Remark is a few words in the middle of axes on which there is nothing.
type Remark string

// Plot writes the words.
func (r Remark) Plot(c draw.Canvas, _ *plot.Plot) {
	style := Text(LabelSize, Gray)
	style.XAlign, style.YAlign = text.XCenter, text.YCenter
	c.FillText(style, c.Center(), string(r))
}
