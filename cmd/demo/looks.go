package main

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette is that of Okabe and Ito (2008), which people with any kind of colour vision can tell apart, without the
// yellow, which is too light for a line on white.
var palette = []color.NRGBA{
	{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, // blue
	{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, // vermilion
	{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}, // bluish green
	{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}, // reddish purple
	{R: 0xe6, G: 0x9f, B: 0x00, A: 0xff}, // orange
	{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}, // sky blue
	{R: 0x00, G: 0x00, B: 0x00, A: 0xff}, // black
}

// dashes tell lines of the same colour apart.
var dashes = [][]vg.Length{nil, {8, 4}, {2, 3}, {10, 3, 2, 3}}

// look is how a curve is drawn.
type look = draw.LineStyle

// looks returns the look of curve i. Baselines are dashed and grey.
func looks(i int, baseline bool) look {
	if baseline {
		return look{Color: color.NRGBA{R: 0x6e, G: 0x6e, B: 0x6e, A: 0xff}, Width: vg.Points(2), Dashes: []vg.Length{6, 3}}
	}
	return look{Color: palette[i%len(palette)], Width: vg.Points(2), Dashes: dashes[i/len(palette)%len(dashes)]}
}

// translucent is the colour of the band around a curve.
func translucent(l look) color.Color {
	c := l.Color.(color.NRGBA)
	c.A = 0x30
	return c
}
