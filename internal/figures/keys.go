package figures

import (
	"image/color"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
)

// key is an entry of a legend: a name, and what draws its sample, sampleLength wide, to the right of a point.
type key struct {
	name   string
	sample func(c draw.Canvas, at vg.Point)
}

// keys is a legend in rows below the panels, where nothing can be in its way.
type keys struct {
	style text.Style
	rows  [][]placed
}

// placed is a key with its distance from the left end of its row.
type placed struct {
	key
	start vg.Length
}

// Distances of the legend.
const (
	sampleLength = 24 * vg.Length(1)
	sampleGap    = 5 * vg.Length(1)
	keyGap       = 22 * vg.Length(1)
	keySize      = 13
	keyHeight    = 20 * vg.Length(1)
)

// newKeys fills rows of the given width.
func newKeys(all []key, width vg.Length) keys {
	k := keys{style: chart.Text(keySize, color.Black)}
	var x vg.Length
	for i, e := range all {
		length := sampleLength + sampleGap + k.style.Width(e.name)
		if i == 0 || x+length > width {
			k.rows, x = append(k.rows, nil), 0
		}
		last := len(k.rows) - 1
		k.rows[last] = append(k.rows[last], placed{e, x})
		x += length + keyGap
	}
	return k
}

func (k keys) height() vg.Length { return vg.Length(len(k.rows)) * keyHeight }

// draw puts the legend at the bottom of a canvas and returns what is above.
func (k keys) draw(c draw.Canvas) draw.Canvas {
	for r, row := range k.rows {
		base := c.Min.Y + vg.Length(len(k.rows)-1-r)*keyHeight + 5
		for _, e := range row {
			e.sample(c, vg.Point{X: c.Min.X + e.start, Y: base + keySize*0.33})
			c.FillText(k.style, vg.Point{X: c.Min.X + e.start + sampleLength + sampleGap, Y: base}, e.name)
		}
	}
	if len(k.rows) == 0 {
		return c
	}
	return draw.Crop(c, 0, 0, k.height()+8, 0)
}

// stroke is the sample of a line.
func stroke(l draw.LineStyle) func(draw.Canvas, vg.Point) {
	return func(c draw.Canvas, at vg.Point) { c.StrokeLine2(l, at.X, at.Y, at.X+sampleLength, at.Y) }
}
