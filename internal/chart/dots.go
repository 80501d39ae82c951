package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// dots draws points, so small and open that many beside each other can be counted.
type dots []Point

// dotGlyph is the mark of a point.
var dotGlyph = draw.GlyphStyle{Color: rgb(0x000000), Radius: 2.6, Shape: Circle.Hollow()}

// there are the points that have a place on the axes.
func (d dots) there() []Point {
	var out []Point
	for _, at := range d {
		if math.Abs(at.X) <= hugest && !math.IsNaN(at.Y) {
			out = append(out, at)
		}
	}
	return out
}

// Plot draws the points.
func (d dots) Plot(c draw.Canvas, axes *plot.Plot) {
	x, y := axes.Transforms(&c)
	for _, at := range d.there() {
		c.DrawGlyphNoClip(dotGlyph, vg.Point{X: x(at.X), Y: y(span{axes.Y.Min, axes.Y.Max}.clip(at.Y))})
	}
}
