package main

import (
	"image/color"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// keys is a legend in rows below the panels, where no curve can be in its way.
type keys struct {
	style text.Style
	rows  [][]key
}

// key is one entry: a sample of the line and the name.
type key struct {
	name  string
	look  look
	start vg.Length // from the left end
}

// Distances of the legend.
const (
	sampleLength = 30 * vg.Length(1)
	sampleGap    = 7 * vg.Length(1)
	keyGap       = 26 * vg.Length(1)
	keySize      = 13
	keyHeight    = 20 * vg.Length(1)
)

// newKeys fills rows of the given width.
func newKeys(all []series, width vg.Length) keys {
	k := keys{style: styleOf(keySize, color.Black)}
	var x vg.Length
	for i, s := range all {
		length := sampleLength + sampleGap + k.style.Width(s.name)
		if i == 0 || x+length > width {
			k.rows, x = append(k.rows, nil), 0
		}
		last := len(k.rows) - 1
		k.rows[last] = append(k.rows[last], key{s.name, looks(i, s.baseline), x})
		x += length + keyGap
	}
	return k
}

func (k keys) height() vg.Length { return vg.Length(len(k.rows)) * keyHeight }

// draw puts the legend on the canvas with its lower left corner at (left, bottom).
func (k keys) draw(c draw.Canvas, left, bottom vg.Length) {
	for r, row := range k.rows {
		base := bottom + vg.Length(len(k.rows)-1-r)*keyHeight + 5
		for _, e := range row {
			x, y := left+e.start, base+keySize*0.33
			band := []vg.Point{{X: x, Y: y - 5}, {X: x + sampleLength, Y: y - 5}, {X: x + sampleLength, Y: y + 5}, {X: x, Y: y + 5}}
			c.FillPolygon(translucent(e.look), band)
			c.StrokeLine2(e.look, x, y, x+sampleLength, y)
			c.FillText(k.style, vg.Point{X: x + sampleLength + sampleGap, Y: base}, e.name)
		}
	}
}
