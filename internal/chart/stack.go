package chart

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Stack is layers below each other whose axes begin and end at the same places.
type Stack struct {
	Title, Note string
	Layers      []Layer
}

// Layer is a pair of axes with its legend.
type Layer struct {
	Name   string // of the y axis, with its unit, written above it
	Plot   *plot.Plot
	Height vg.Length // of the axes with their numbers and the name of the x axis
	Keys   []Key     // of the legend, which is below
}

// Layer is a panel with its legend as a layer of a height. An error is that of gonum/plot.
func (p Panel) Layer(height vg.Length) (Layer, error) {
	p.height = height - axisHeight
	panels, _ := Figure{Panels: []Panel{p}}.decided()
	axes, err := panels[0].plot()
	return Layer{p.Y + panels[0].axis.remark(), axes, height, keysOf(panels)}, err
}

const (
	stackGap   = 10 * vg.Length(1) // between a legend and the next layer
	axisHeight = 46 * vg.Length(1) // of an x axis with its name
)

// Drawing lays the stack out, 1200 pixels wide and as high as its layers need.
func (s Stack) Drawing() Drawing {
	width := Inside
	height := 2*Margin + HeadHeight(s.Title, s.Note)
	keys := make([]Keys, len(s.Layers))
	for i, l := range s.Layers {
		keys[i] = NewKeys(l.Keys, width)
		height += nameSpace + l.Height + keys[i].Height() + stackGap
	}
	return Drawing{Width, height, func(c draw.Canvas) error {
		c = draw.Crop(c, Margin, -Margin, Margin, -Margin)
		top := Head(c, s.Title, s.Note).Max.Y
		areas := make([]draw.Canvas, len(s.Layers))
		for i, l := range s.Layers {
			style := Text(LabelSize, color.Black)
			c.FillText(style, vg.Point{X: c.Min.X, Y: top - LabelSize}, Cut(style, l.Name, width))
			top -= nameSpace
			areas[i] = draw.Crop(c, 0, 0, top-l.Height-c.Min.Y, top-c.Max.Y)
			top -= l.Height + keys[i].Height()
			keys[i].Draw(c, c.Min.X, top)
			top -= stackGap
		}
		for i, area := range flush(s.Layers, areas) {
			s.Layers[i].Plot.Draw(area)
		}
		return nil
	}}
}

// flush narrows areas so that the axes on them begin and end at the same places.
func flush(layers []Layer, areas []draw.Canvas) []draw.Canvas {
	left, right := vg.Length(0), vg.Inch*1000
	for i, l := range layers {
		data := l.Plot.DataCanvas(areas[i])
		left, right = max(left, data.Min.X), min(right, data.Max.X)
	}
	out := make([]draw.Canvas, len(areas))
	for i, l := range layers {
		data := l.Plot.DataCanvas(areas[i])
		out[i] = draw.Crop(areas[i], left-data.Min.X, right-data.Max.X, 0, 0)
	}
	return out
}
