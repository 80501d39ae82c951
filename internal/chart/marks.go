package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// marks draws points: a diamond each, and their labels where they hide no other one, if there is such a place.
type marks []Point

// marks are the points of the panel that have a place on its axes, and there.
func (p Panel) marks() marks {
	var out marks
	for _, at := range p.Points {
		if p.drawable(at.X) && !math.IsNaN(at.Y) {
			at.X = p.across(at.X)
			out = append(out, at)
		}
	}
	return out
}

const (
	markRadius = 5 * vg.Length(1)
	markSize   = 12 // of a label
)

// Plot draws the marks.
func (m marks) Plot(c draw.Canvas, axes *plot.Plot) {
	x, y := axes.Transforms(&c)
	var taken []vg.Rectangle
	var at []vg.Point
	for _, p := range m {
		spot := vg.Point{X: x(p.X), Y: y(span{axes.Y.Min, axes.Y.Max}.clip(p.Y))}
		at = append(at, spot)
		Diamond(c, spot, markRadius)
		taken = append(taken, around(spot, markRadius, markRadius))
	}
	style := Text(markSize, color.Black)
	style.XAlign, style.YAlign = text.XCenter, text.YCenter
	for i, p := range m {
		if p.Label == "" {
			continue
		}
		words := cut(style, p.Label, c.Max.X-c.Min.X)
		box := free(c.Rectangle, taken, at[i], style.Width(words)/2, 0.6*markSize)
		taken = append(taken, box)
		c.FillText(style, vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}, words)
	}
}

// Diamond draws the sign of what is best.
func Diamond(c draw.Canvas, at vg.Point, radius vg.Length) {
	c.FillPolygon(color.Black, []vg.Point{
		{X: at.X - radius, Y: at.Y}, {X: at.X, Y: at.Y - radius}, {X: at.X + radius, Y: at.Y}, {X: at.X, Y: at.Y + radius},
	})
}

// free returns a rectangle of half a width and half a height beside a point: the first on its right, left, above or below
// that is inside and touches nothing, else the first that is inside.
func free(inside vg.Rectangle, taken []vg.Rectangle, at vg.Point, width, height vg.Length) vg.Rectangle {
	const gap = markRadius + 3
	best, found := vg.Rectangle{}, false
	for _, way := range []vg.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {X: 1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: 1}, {X: -1, Y: -1}} {
		center := vg.Point{X: at.X + way.X*(gap+width), Y: at.Y + way.Y*(gap+height)}
		if way.X == 0 { // above and below it may be shifted
			center.X = min(max(center.X, inside.Min.X+width), inside.Max.X-width)
		}
		box := around(center, width, height)
		if box.Min.X < inside.Min.X || box.Max.X > inside.Max.X || box.Min.Y < inside.Min.Y || box.Max.Y > inside.Max.Y {
			continue
		}
		if !touches(box, taken) {
			return box
		}
		if !found {
			best, found = box, true
		}
	}
	if !found { // as close as it can be
		best = around(vg.Point{
			X: min(max(at.X, inside.Min.X+width), inside.Max.X-width),
			Y: min(max(at.Y+gap+height, inside.Min.Y+height), inside.Max.Y-height),
		}, width, height)
	}
	return best
}

func around(at vg.Point, width, height vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: at.X - width, Y: at.Y - height}, Max: vg.Point{X: at.X + width, Y: at.Y + height}}
}

// touches reports whether a rectangle has a common part with any of some others.
func touches(box vg.Rectangle, others []vg.Rectangle) bool {
	for _, o := range others {
		if box.Min.X < o.Max.X && o.Min.X < box.Max.X && box.Min.Y < o.Max.Y && o.Min.Y < box.Max.Y {
			return true
		}
	}
	return false
}
