package chart

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/stat"
)

// plot returns the axes with bands and curves on them; all bands lie below all curves.
func (p Panel) plot(looks map[string]Look) (*plot.Plot, error) {
	axes := Axes(p.X)
	x := p.xAxis()
	y, _ := p.yAxis()
	if p.LogY {
		axes.Y.Scale, axes.Y.Tick.Marker = plot.LogScale{}, PowerTicks()
	}
	for _, c := range p.Curves {
		band, err := plotter.NewPolygon(p.band(c, y))
		if err != nil {
			continue // no known point
		}
		band.Color, band.LineStyle.Width = translucent(looks[c.Name]), 0
		axes.Add(band)
	}
	empty := true
	for _, c := range p.Curves {
		points := p.line(c, y)
		if len(points) == 0 {
			continue
		}
		empty = false
		line, err := plotter.NewLine(points)
		if err != nil {
			return nil, err
		}
		line.LineStyle = looks[c.Name]
		axes.Add(line)
		if c.dotted() || len(points) == 1 {
			axes.Add(stakes{p, c, y, looks[c.Name]})
		}
	}
	points := p.marks()
	axes.Add(points)
	if empty = empty && len(points) == 0; empty {
		axes.Add(remark("no values"))
	}
	axes.X.Min, axes.X.Max = p.across(x.low), p.across(x.high)
	axes.Y.Min, axes.Y.Max = y.low, y.high
	return axes, nil
}

// across is where on the axis of gonum/plot a place is. That is linear, since v0.17 makes room for the name of a logarithmic one
// in the wrong place.
func (p Panel) across(x float64) float64 {
	if p.LogX {
		return math.Log10(x)
	}
	return x
}

// place is where estimate i is.
func (c Curve) place(i int) float64 {
	if c.X == nil {
		return float64(i + 1)
	}
	return c.X[i]
}

// fewest is the number of places from which on a curve does not show them.
const fewest = 17

// dotted reports whether the places of the curve are marked.
func (c Curve) dotted() bool { return c.X != nil && len(c.X) < fewest }

// check panics where there is not one estimate for each place.
func (c Curve) check() {
	if c.X != nil && len(c.X) != len(c.Y) {
		panic(fmt.Sprintf("chart: curve %q has %d places and %d estimates", c.Name, len(c.X), len(c.Y)))
	}
}

// maxPlaces is how many places of a curve are drawn; longer curves are thinned out.
const maxPlaces = 1000

// places are the indices of a curve that are drawn: evenly spread, the last among them, without those that have no place on
// the axes.
func (p Panel) places(c Curve) []int {
	step := max((len(c.Y)+maxPlaces-1)/maxPlaces, 1)
	var out []int
	for i := (len(c.Y) - 1) % step; i >= 0 && i < len(c.Y); i += step {
		if c.Y[i].Known() && p.drawable(c.place(i)) {
			out = append(out, i)
		}
	}
	return out
}

// line is the curve of the means.
func (p Panel) line(c Curve, y span) plotter.XYs {
	return p.trace(c, y, func(e stat.Estimate) float64 { return e.Mean })
}

// band goes along the upper ends and back along the lower ones.
func (p Panel) band(c Curve, y span) plotter.XYs {
	lower := p.trace(c, y, func(e stat.Estimate) float64 { low, _ := e.Ends(); return low })
	slices.Reverse(lower)
	return append(p.trace(c, y, func(e stat.Estimate) float64 { _, high := e.Ends(); return high }), lower...)
}

// trace is a line through one value of each place.
func (p Panel) trace(c Curve, y span, of func(stat.Estimate) float64) plotter.XYs {
	var out plotter.XYs
	for _, i := range p.places(c) {
		at := plotter.XY{X: p.across(c.place(i)), Y: y.clip(of(c.Y[i]))}
		if p.Steps && len(out) > 0 {
			out = append(out, plotter.XY{X: at.X, Y: out[len(out)-1].Y})
		}
		out = append(out, at)
	}
	return out
}

// stakes mark the places of a curve, with an upright line over each standard error: a single place has no other band.
type stakes struct {
	panel Panel
	curve Curve
	y     span
	look  Look
}

// Plot draws the marks.
func (s stakes) Plot(c draw.Canvas, axes *plot.Plot) {
	x, y := axes.Transforms(&c)
	dot := draw.GlyphStyle{Color: s.look.Color, Radius: vg.Points(3), Shape: draw.CircleGlyph{}}
	thin := draw.LineStyle{Color: s.look.Color, Width: vg.Points(1)}
	places := s.panel.places(s.curve)
	for _, i := range places {
		e, at := s.curve.Y[i], x(s.panel.across(s.curve.place(i)))
		if low, high := e.Ends(); len(places) == 1 && high > low {
			c.StrokeLine2(thin, at, y(s.y.clip(low)), at, y(s.y.clip(high)))
		}
		c.DrawGlyph(dot, vg.Point{X: at, Y: y(s.y.clip(e.Mean))})
	}
}
