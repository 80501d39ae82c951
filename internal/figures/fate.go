package figures

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/loop"
)

// fate is what became of an evaluation, as far as a figure tells evaluations apart.
type fate int

// The fates, in the order in which they are drawn.
const (
	without    fate = iota // no value
	infeasible             // with a value that does not count, or without one
	observed
	late
	fates
)

// fateOf returns the fate of an evaluation; false for one that has none yet or never will.
func fateOf(e loop.Evaluation) (fate, bool) {
	switch e.Status {
	case loop.Observed:
		return observed, true
	case loop.Late:
		return late, true
	case loop.Infeasible:
		return infeasible, true
	case loop.Failed, loop.TimedOut, loop.Lost:
		return without, true
	}
	return 0, false
}

// looks are the marks of the fates, by fate.
var looks = [fates]struct {
	name string
	mark draw.GlyphStyle
}{
	without:    {"failed, timed out or lost, at the edge", draw.GlyphStyle{Color: chart.Gray, Radius: 3.4, Shape: cross{}}},
	infeasible: {"infeasible", draw.GlyphStyle{Color: chart.Palette[1], Radius: 3, Shape: square{}}},
	observed:   {"value", draw.GlyphStyle{Color: chart.Palette[5], Radius: 2.6, Shape: draw.CircleGlyph{}}},
	late:       {"late value", draw.GlyphStyle{Color: chart.Palette[3], Radius: 2.8, Shape: draw.PyramidGlyph{}}},
}

// The marks of single evaluations, and the line of the incumbent.
var (
	bestMark        = draw.GlyphStyle{Color: color.Black, Radius: 5.5, Shape: diamond{}}
	recommendedMark = draw.GlyphStyle{Color: color.Black, Radius: 7.5, Shape: ring{}}
	incumbentLook   = draw.LineStyle{Color: chart.Palette[0], Width: vg.Points(1.8)}
)

// keysOf has an entry for each fate that is there, and for the evaluations that stand out.
func (s Study) keysOf() []chart.Key {
	var there [fates]bool
	for _, e := range s.Evaluations {
		if f, drawn := fateOf(e); drawn {
			there[f] = true
		}
	}
	var out []chart.Key
	for _, f := range []fate{observed, late, infeasible, without} {
		if there[f] {
			out = append(out, chart.Key{Name: looks[f].name, Sample: sampleOf(looks[f].mark)})
		}
	}
	if s.Best > 0 {
		out = append(out, chart.Key{Name: "best", Sample: sampleOf(bestMark)})
	}
	if s.Recommended > 0 && s.Recommended != s.Best {
		out = append(out, chart.Key{Name: "recommended", Sample: sampleOf(recommendedMark)})
	}
	return out
}

func sampleOf(mark draw.GlyphStyle) func(draw.Canvas, vg.Point) {
	return func(c draw.Canvas, at vg.Point) {
		c.DrawGlyphNoClip(mark, vg.Point{X: at.X + chart.SampleLength/2, Y: at.Y})
	}
}

// lineWidth is that of marks which are outlines; those of gonum/plot are too thin to be told apart when they are small.
const lineWidth = 1.2

// outline strokes closed or open lines.
func outline(c *draw.Canvas, style draw.GlyphStyle, closed bool, points ...vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: lineWidth})
	var p vg.Path
	p.Move(points[0])
	for _, to := range points[1:] {
		p.Line(to)
	}
	if closed {
		p.Close()
	}
	c.Stroke(p)
}

type cross struct{}

// DrawGlyph draws a cross.
func (cross) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	r := style.Radius * math.Sqrt2 / 2
	outline(c, style, false, vg.Point{X: at.X - r, Y: at.Y - r}, vg.Point{X: at.X + r, Y: at.Y + r})
	outline(c, style, false, vg.Point{X: at.X - r, Y: at.Y + r}, vg.Point{X: at.X + r, Y: at.Y - r})
}

type square struct{}

// DrawGlyph draws an empty square.
func (square) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	outline(c, style, true, chart.Box(vg.Point{X: at.X - style.Radius, Y: at.Y}, 2*style.Radius, 2*style.Radius)...)
}

type diamond struct{}

// DrawGlyph draws a filled diamond with a white rim, which keeps it apart from what is around it.
func (diamond) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	for _, layer := range []struct {
		color  color.Color
		radius vg.Length
	}{{color.White, style.Radius + 1.5}, {style.Color, style.Radius}} {
		c.FillPolygon(layer.color, []vg.Point{
			{X: at.X - layer.radius, Y: at.Y}, {X: at.X, Y: at.Y - layer.radius}, {X: at.X + layer.radius, Y: at.Y}, {X: at.X, Y: at.Y + layer.radius},
		})
	}
}

type ring struct{}

// DrawGlyph draws a circle.
func (ring) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: lineWidth})
	var p vg.Path
	p.Move(vg.Point{X: at.X + style.Radius, Y: at.Y})
	p.Arc(at, style.Radius, 0, 2*math.Pi)
	p.Close()
	c.Stroke(p)
}
