package chart

import (
	"image/color"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Keys is a legend in rows beside the panels, where no curve can be in its way.
type Keys struct {
	style text.Style
	rows  [][]placed
}

// Key is one entry of a legend: a name and what draws its sample, SampleLength wide, to the right of a point.
type Key struct {
	Name   string
	Sample func(c draw.Canvas, at vg.Point)
}

// placed is a key with its distance from the left end of its row.
type placed struct {
	Key
	start vg.Length
}

// SampleLength is the width of a sample, KeyHeight the height of a row.
const (
	SampleLength = 38 * vg.Length(1)
	KeyHeight    = 20 * vg.Length(1)
)

// Distances of the legend.
const (
	sampleGap = 7 * vg.Length(1)
	keyGap    = 26 * vg.Length(1)
	keySize   = 13
)

// NewKeys fills rows of the given width. Names that are longer are cut.
func NewKeys(all []Key, width vg.Length) Keys {
	k := Keys{style: Text(keySize, color.Black)}
	var x vg.Length
	for i, e := range all {
		e.Name = Cut(k.style, e.Name, width-SampleLength-sampleGap)
		length := SampleLength + sampleGap + k.style.Width(e.Name)
		if i == 0 || x+length > width {
			k.rows, x = append(k.rows, nil), 0
		}
		last := len(k.rows) - 1
		k.rows[last] = append(k.rows[last], placed{e, x})
		x += length + keyGap
	}
	return k
}

// Height returns how much room the legend takes.
func (k Keys) Height() vg.Length { return vg.Length(len(k.rows)) * KeyHeight }

// Draw puts the legend on the canvas with its lower left corner at (left, bottom).
func (k Keys) Draw(c draw.Canvas, left, bottom vg.Length) {
	for r, row := range k.rows {
		base := bottom + vg.Length(len(k.rows)-1-r)*KeyHeight + 5
		for _, e := range row {
			e.Sample(c, vg.Point{X: left + e.start, Y: base + keySize*0.33})
			c.FillText(k.style, vg.Point{X: left + e.start + SampleLength + sampleGap, Y: base}, e.Name)
		}
	}
}

// Stroke is the sample of a line.
func Stroke(l draw.LineStyle) func(draw.Canvas, vg.Point) {
	return func(c draw.Canvas, at vg.Point) { c.StrokeLine2(l, at.X, at.Y, at.X+SampleLength, at.Y) }
}

// Dot is the sample of a mark.
func Dot(mark draw.GlyphStyle) func(draw.Canvas, vg.Point) {
	return func(c draw.Canvas, at vg.Point) {
		c.DrawGlyphNoClip(mark, vg.Point{X: at.X + SampleLength/2, Y: at.Y})
	}
}

// Bar is the sample of an area.
func Bar(fill color.Color) func(draw.Canvas, vg.Point) {
	return func(c draw.Canvas, at vg.Point) { c.FillPolygon(fill, Box(at, SampleLength, 10)) }
}

// Box is a rectangle of a width to the right of a point, half its height above it.
func Box(at vg.Point, width, height vg.Length) []vg.Point {
	return []vg.Point{
		{X: at.X, Y: at.Y - height/2}, {X: at.X + width, Y: at.Y - height/2},
		{X: at.X + width, Y: at.Y + height/2}, {X: at.X, Y: at.Y + height/2},
	}
}
