package chart

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// decided are the panels with what the figure decides about them, and whether one legend is for all of them: where a curve is
// in two, or there is only one.
func (f Figure) decided() (out []panel, together bool) {
	var all []Curve
	bars := false
	together = len(f.Panels) == 1
	for _, p := range f.Panels {
		erring := 0
		for _, c := range p.Curves {
			c.check()
			if c.erring() && !c.Interval {
				erring++
			}
			together = together || slices.ContainsFunc(all, func(other Curve) bool { return other.Name == c.Name })
		}
		bars = bars || erring > mostBands
		all = append(all, p.Curves...)
	}
	looks := looksOf(all)
	for i, axis := range f.yAxes() {
		p := panel{Panel: f.Panels[i], axis: axis, looks: looks, bars: bars}
		if !together {
			p.looks = looksOf(p.Curves)
		}
		out = append(out, p)
	}
	return out, together
}

// mostBands is how many curves have bands: more of them, one over the other, cannot be told apart.
const mostBands = 3

// keysOf has an entry for each curve that is drawn in any of the panels, by name, and for their points.
func keysOf(panels []panel) []Key {
	var out []Key
	drawn, erring := map[string]bool{"": true}, map[string]bool{}
	for _, p := range panels {
		for _, c := range p.Curves {
			erring[c.Name] = erring[c.Name] || c.erring()
		}
	}
	add := func(name string, sample func(draw.Canvas, vg.Point)) {
		if !drawn[name] {
			drawn[name] = true
			out = append(out, Key{name, sample})
		}
	}
	for _, p := range panels {
		for _, c := range p.Curves {
			if len(c.places()) > 0 {
				add(c.Name, sample{p.looks[c.Name], c.Interval, erring[c.Name], p.bars}.draw)
			}
		}
	}
	for _, p := range panels {
		if len(dots(p.Points).there()) > 0 {
			add(p.Dots, Dot(dotGlyph))
		}
	}
	return out
}

// sample is that of a curve in a legend.
type sample struct {
	look     Look
	interval bool
	erring   bool // it has errors
	bars     bool // that are bars
}

// draw draws the line with its mark, and a band or a bar if it has some; an interval is a band between two lines.
func (s sample) draw(c draw.Canvas, at vg.Point) {
	const height = 10
	middle := vg.Point{X: at.X + SampleLength/2, Y: at.Y}
	if s.interval || s.erring && !s.bars {
		c.FillPolygon(s.look.light(), Box(at, SampleLength, height))
	}
	if s.interval {
		Stroke(s.look.line())(c, vg.Point{X: at.X, Y: at.Y - height/2})
		Stroke(s.look.line())(c, vg.Point{X: at.X, Y: at.Y + height/2})
		return
	}
	Stroke(s.look.line())(c, at)
	if s.erring && s.bars {
		errorBar(c, s.look, middle.X, at.Y-height/2, at.Y+height/2)
	}
	c.DrawGlyphNoClip(s.look.glyph(), middle)
}
