package figures

import (
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/tarry-bo/tarry/internal/chart"
)

// spot is where an evaluation is on axes.
type spot struct {
	x, y float64 // y in the unit of the axis
	edge bool    // no such y: it is drawn at the edge of the worse side
}

// cloud is the evaluations of a panel, by fate, and those that stand out.
type cloud struct {
	values      valueAxis
	marks       [fates]draw.GlyphStyle
	spots       [fates][]spot
	best        []spot
	recommended []spot
	most        int // marks that are drawn as vectors; more are a bitmap
}

// mostMarks is how many marks a figure has as vectors: an SVG takes about 250 bytes for each.
const mostMarks = 6000

// cloud has no evaluations yet.
func (s Study) cloud(values valueAxis, most int) cloud {
	return cloud{values: values, marks: s.marks(), most: most}
}

// add places an evaluation.
func (l *cloud) add(s Study, x float64, number int) {
	e := s.Evaluations[number-1]
	f, drawn := l.values.fate(e)
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

// pile is the evaluations of a fate at one place.
type pile struct {
	at    vg.Point
	count int
}

// piles are what is drawn of some spots on a canvas.
func (l cloud) piles(c draw.Canvas, axes *plot.Plot, spots []spot) []pile {
	x, y := axes.Transforms(&c)
	at := make([]vg.Point, len(spots))
	for i, s := range spots {
		if at[i] = (vg.Point{X: x(s.x), Y: y(s.y)}); s.edge {
			at[i].Y = l.values.edge(c)
		}
	}
	var out []pile
	for _, same := range chart.Piles(at) {
		out = append(out, pile{at[same[0]], len(same)})
	}
	return out
}

// highest is the number of evaluations of the highest pile, and its fate, on axes in an area of a size.
func (l cloud) highest(axes *plot.Plot, size vg.Point) (count int, of fate) {
	c := axes.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: size}})
	for f, spots := range l.spots {
		for _, p := range l.piles(c, axes, spots) {
			if p.count > count {
				count, of = p.count, fate(f)
			}
		}
	}
	return count, of
}

// pileKeys explains the largest mark, if there is one for more than one evaluation.
func pileKeys(mark draw.GlyphStyle, count int) []chart.Key {
	if count < 2 {
		return nil
	}
	name := fmt.Sprintf("%d evaluations at one place", count)
	if count > chart.MostPiled {
		name = fmt.Sprintf("%d or more evaluations at one place, up to %d", chart.MostPiled, count)
	}
	mark.Radius = chart.PileRadius(mark.Radius, count)
	return []chart.Key{{Name: name, Sample: chart.Dot(mark)}}
}

// roomy is the area in square points for each mark below which marks are drawn smaller.
const roomy = 60

// Plot draws the marks of all evaluations. A mark for more than one is larger.
func (l cloud) Plot(c draw.Canvas, axes *plot.Plot) {
	var piles [fates][]pile
	total := 0
	for f, spots := range l.spots {
		piles[f] = l.piles(c, axes, spots)
		total += len(piles[f])
	}
	size := c.Size()
	shrink := vg.Length(math.Sqrt(float64(size.X*size.Y) / float64(total*roomy)))
	shrink = min(max(shrink, 0.35), 1)
	for f := range l.marks {
		l.marks[f].Radius *= shrink
	}
	if total > l.most {
		l.stamp(c, piles)
		return
	}
	for f, all := range piles {
		for _, p := range all {
			mark := l.marks[f]
			mark.Radius = chart.PileRadius(mark.Radius, p.count)
			c.DrawGlyphNoClip(mark, p.at)
		}
	}
}

// standouts are the marks of a cloud that go over everything else.
type standouts cloud

// Plot draws the marks.
func (l standouts) Plot(c draw.Canvas, axes *plot.Plot) {
	for _, p := range cloud(l).piles(c, axes, l.best) {
		c.DrawGlyphNoClip(bestMark, p.at)
	}
	for _, p := range cloud(l).piles(c, axes, l.recommended) {
		c.DrawGlyphNoClip(recommendedMark, p.at)
	}
}

// stampDots is the resolution of a bitmap within a figure, in dots for a point.
const stampDots = 2

// stamp draws many marks as one bitmap, which is a little larger than the canvas, as marks at its edges are.
func (l cloud) stamp(c draw.Canvas, piles [fates][]pile) {
	const rim = 12 // points, more than any mark needs
	dots := func(v vg.Length) int { return int(math.Round(float64(v) * stampDots)) }
	width, height := dots(c.Max.X-c.Min.X+2*rim), dots(c.Max.Y-c.Min.Y+2*rim)
	area := vg.Rectangle{Min: vg.Point{X: c.Min.X - rim, Y: c.Min.Y - rim}}
	area.Max = area.Min.Add(vg.Point{X: vg.Length(width) / stampDots, Y: vg.Length(height) / stampDots})
	sheet := image.NewRGBA(image.Rect(0, 0, width, height))
	for f, all := range piles {
		for count := 1; count <= chart.MostPiled; count++ {
			mark := l.marks[f]
			mark.Radius = chart.PileRadius(mark.Radius, count)
			half := 2*mark.Radius + 2
			same := slices.DeleteFunc(slices.Clone(all), func(p pile) bool { return min(p.count, chart.MostPiled) != count })
			if len(same) == 0 {
				continue
			}
			seal := sealOf(mark, 2*half)
			for _, p := range same {
				corner := image.Pt(dots(p.at.X-half-area.Min.X), dots(area.Max.Y-p.at.Y-half))
				imagedraw.Draw(sheet, seal.Bounds().Add(corner), seal, image.Point{}, imagedraw.Over)
			}
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
