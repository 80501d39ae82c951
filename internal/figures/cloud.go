package figures

import (
	"image"
	"image/color"
	imagedraw "image/draw"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// spot is where an evaluation is on axes.
type spot struct {
	x, y float64 // y in the unit of the axis
	edge bool    // no such y: it is drawn at the edge of the worse side
}

// cloud is the evaluations of a panel, by fate, and those that stand out.
type cloud struct {
	values      valueAxis
	spots       [fates][]spot
	best        []spot
	recommended []spot
	most        int // marks that are drawn as vectors; more are a bitmap
}

// mostMarks is how many marks a figure has as vectors: an SVG takes about 250 bytes for each.
const mostMarks = 6000

// add places an evaluation.
func (l *cloud) add(s Study, x float64, number int) {
	e := s.Evaluations[number-1]
	f, drawn := fateOf(e)
	if !drawn {
		return
	}
	at := l.values.place(x, e)
	l.spots[f] = append(l.spots[f], at)
	if number == s.Best {
		l.best = append(l.best, at)
	}
	if number == s.Recommended && s.Recommended != s.Best {
		l.recommended = append(l.recommended, at)
	}
}

// Plot draws the marks of all evaluations.
func (l cloud) Plot(c draw.Canvas, axes *plot.Plot) {
	var places [fates][]vg.Point
	total := 0
	for f, spots := range l.spots {
		places[f] = l.apart(c, axes, spots)
		total += len(places[f])
	}
	size := c.Size()
	shrink := vg.Length(math.Sqrt(float64(size.X*size.Y) / float64(total*roomy)))
	shrink = min(max(shrink, 0.35), 1)
	if total > l.most {
		stamp(c, places, shrink)
		return
	}
	for f, at := range places {
		mark := looks[f].mark
		mark.Radius *= shrink
		for _, p := range at {
			c.DrawGlyphNoClip(mark, p)
		}
	}
}

// roomy is the area in square points for each mark below which marks are drawn smaller.
const roomy = 60

// standouts are the marks of a cloud that go over everything else.
type standouts cloud

// Plot draws the marks.
func (l standouts) Plot(c draw.Canvas, axes *plot.Plot) {
	for _, p := range cloud(l).apart(c, axes, l.best) {
		c.DrawGlyphNoClip(bestMark, p)
	}
	for _, p := range cloud(l).apart(c, axes, l.recommended) {
		c.DrawGlyphNoClip(recommendedMark, p)
	}
}

// apart is where spots are on a canvas, without those that would look the same.
func (l cloud) apart(c draw.Canvas, axes *plot.Plot, spots []spot) []vg.Point {
	const grain = 0.5 // points
	x, y := axes.Transforms(&c)
	type place struct{ x, y int }
	seen := map[place]bool{}
	var out []vg.Point
	for _, s := range spots {
		at := vg.Point{X: x(s.x), Y: y(s.y)}
		if s.edge {
			at.Y = l.values.edge(c)
		}
		cell := place{int(math.Round(float64(at.X) / grain)), int(math.Round(float64(at.Y) / grain))}
		if !seen[cell] {
			seen[cell] = true
			out = append(out, at)
		}
	}
	return out
}

// stampDots is the resolution of a bitmap within a figure, in dots for a point.
const stampDots = 2

// stamp draws many marks, shrunk, as one bitmap, which is a little larger than the canvas, as marks at its edges are.
func stamp(c draw.Canvas, places [fates][]vg.Point, shrink vg.Length) {
	const rim = 6 // points, more than any mark needs
	dots := func(v vg.Length) int { return int(math.Round(float64(v) * stampDots)) }
	width, height := dots(c.Max.X-c.Min.X+2*rim), dots(c.Max.Y-c.Min.Y+2*rim)
	area := vg.Rectangle{Min: vg.Point{X: c.Min.X - rim, Y: c.Min.Y - rim}}
	area.Max = area.Min.Add(vg.Point{X: vg.Length(width) / stampDots, Y: vg.Length(height) / stampDots})
	sheet := image.NewRGBA(image.Rect(0, 0, width, height))
	for f, all := range places {
		mark := looks[f].mark
		mark.Radius *= shrink
		half := mark.Radius + 2
		seal := sealOf(mark, 2*half)
		for _, p := range all {
			corner := image.Pt(dots(p.X-half-area.Min.X), dots(area.Max.Y-p.Y-half))
			imagedraw.Draw(sheet, seal.Bounds().Add(corner), seal, image.Point{}, imagedraw.Over)
		}
	}
	c.DrawImage(area, sheet)
}

// sealOf is a mark in the middle of a square of a size in points.
func sealOf(mark draw.GlyphStyle, size vg.Length) image.Image {
	one := vgimg.NewWith(vgimg.UseWH(size, size), vgimg.UseDPI(stampDots*int(vg.Inch)), vgimg.UseBackgroundColor(color.Transparent))
	canvas := draw.New(one)
	canvas.DrawGlyphNoClip(mark, vg.Point{X: size / 2, Y: size / 2})
	return one.Image()
}
