package chart

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Palette is that of Okabe and Ito (2008), which people with any kind of color vision can tell apart, without the yellow,
// which is too light for a line on white: blue, vermilion, bluish green, reddish purple, orange, sky blue, black.
var Palette = [...]color.NRGBA{
	{R: 0x00, G: 0x72, B: 0xb2, A: 0xff},
	{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff},
	{R: 0x00, G: 0x9e, B: 0x73, A: 0xff},
	{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff},
	{R: 0xe6, G: 0x9f, B: 0x00, A: 0xff},
	{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff},
	{R: 0x00, G: 0x00, B: 0x00, A: 0xff},
}

// dashes tell lines of the same color apart.
var dashes = [...][]vg.Length{nil, {8, 4}, {2, 3}, {10, 3, 2, 3}}

// baselineInk is the color of baselines.
var baselineInk = color.NRGBA{R: 0x6e, G: 0x6e, B: 0x6e, A: 0xff}

// Look is how a curve is drawn. Its color is a color.NRGBA.
type Look = draw.LineStyle

// Looks returns the look of curve i. Baselines are dashed and gray.
func Looks(i int, baseline bool) Look {
	if baseline {
		return Look{Color: baselineInk, Width: vg.Points(2), Dashes: []vg.Length{6, 3}}
	}
	return Look{Color: Palette[i%len(Palette)], Width: vg.Points(2), Dashes: dashes[i/len(Palette)%len(dashes)]}
}

// translucent is the color of the band around a curve.
func translucent(l Look) color.Color {
	c := l.Color.(color.NRGBA)
	c.A = 0x30
	return c
}
