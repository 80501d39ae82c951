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

// panel is a panel with what the figure decides about it.
type panel struct {
	Panel
	axis  yAxis
	looks map[string]Look
	bars  bool // errors are bars at some places rather than bands
}

// plot returns the axes with bands, curves and marks on them; all bands lie below all curves, and those below all marks.
func (p panel) plot() (*plot.Plot, error) {
	axes := Axes(p.X)
	x := p.xAxis()
	axes.X.Min, axes.X.Max = x.low, x.high
	p.axis.fit(axes)
	for _, c := range p.Curves {
		if band := p.band(c); (!p.bars || c.Interval) && len(band) > 0 {
			polygon, err := plotter.NewPolygon(band)
			if err != nil {
				return nil, err
			}
			polygon.Color, polygon.LineStyle.Width = p.looks[c.Name].light(), 0
			axes.Add(polygon)
		}
	}
	for _, c := range p.Curves {
		for _, points := range p.lines(c) {
			line, err := plotter.NewLine(points)
			if err != nil {
				return nil, err
			}
			line.LineStyle = p.looks[c.Name].line()
			axes.Add(line)
		}
	}
	axes.Add(stops{p}, dots(p.Points))
	if p.empty() {
		axes.Add(Remark("no values"))
	}
	return axes, nil
}

// place is where estimate i is.
func (c Curve) place(i int) float64 {
	if c.X == nil {
		return float64(i + 1)
	}
	return c.X[i]
}

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
func (c Curve) places() []int {
	step := max((len(c.Y)+maxPlaces-1)/maxPlaces, 1)
	var out []int
	for i := (len(c.Y) - 1) % step; i >= 0 && i < len(c.Y); i += step {
		if c.Y[i].Known() && math.Abs(c.place(i)) <= hugest {
			out = append(out, i)
		}
	}
	return out
}

// empty reports whether there is nothing to be drawn.
func (p Panel) empty() bool {
	return len(dots(p.Points).there()) == 0 && !slices.ContainsFunc(p.Curves, func(c Curve) bool { return len(c.places()) > 0 })
}

// erring reports whether the curve has a standard error that is drawn.
func (c Curve) erring() bool {
	return slices.ContainsFunc(c.places(), func(i int) bool { low, high := c.Y[i].Ends(); return low < high })
}

// lines are the curve of the means, or the two sides of an interval.
func (p panel) lines(c Curve) []plotter.XYs {
	out := []plotter.XYs{p.trace(c, func(e stat.Estimate) float64 { return p.axis.place(c.Name, e.Mean) })}
	if c.Interval {
		out = p.sides(c)
	}
	return slices.DeleteFunc(out, func(points plotter.XYs) bool { return len(points) == 0 })
}

// sides are the lines along the lower and the upper ends of the errors.
func (p panel) sides(c Curve) []plotter.XYs {
	return []plotter.XYs{
		p.trace(c, func(e stat.Estimate) float64 { low, _ := p.ends(c, e); return low }),
		p.trace(c, func(e stat.Estimate) float64 { _, high := p.ends(c, e); return high }),
	}
}

// band goes along the upper ends and back along the lower ones; it is empty without errors.
func (p panel) band(c Curve) plotter.XYs {
	if !c.erring() {
		return nil
	}
	sides := p.sides(c)
	slices.Reverse(sides[0])
	return append(sides[1], sides[0]...)
}

// ends are where one standard error below and above a mean are drawn.
func (p panel) ends(c Curve, e stat.Estimate) (low, high float64) {
	if low, high = e.Ends(); math.IsNaN(low) || math.IsNaN(high) { // infinity less infinity
		low, high = e.Mean, e.Mean
	}
	if e.Mean < p.axis.floor {
		return p.axis.place(c.Name, low), p.axis.place(c.Name, high)
	}
	return p.axis.end(low), p.axis.end(high)
}

// trace is a line through one value of each place.
func (p panel) trace(c Curve, of func(stat.Estimate) float64) plotter.XYs {
	var out plotter.XYs
	for _, i := range c.places() {
		at := plotter.XY{X: c.place(i), Y: of(c.Y[i])}
		if p.Steps && len(out) > 0 {
			out = append(out, plotter.XY{X: at.X, Y: out[len(out)-1].Y})
		}
		out = append(out, at)
	}
	if n := len(out); n > 0 && p.Steps && p.End > out[n-1].X {
		out = append(out, plotter.XY{X: min(p.End, hugest), Y: out[n-1].Y})
	}
	return out
}

// stops draws the marks of the curves and, where there are no bands, their errors, each curve at other places than the
// others, so that none hides another.
type stops struct{ panel }

// Distances of the stops, in points.
const (
	nextCurve = 8  // from the mark of a curve to that of the next one
	nextStop  = 44 // least, from a mark of a curve to the next of the same
	capWidth  = 2.2
)

// Plot draws the marks.
func (s stops) Plot(c draw.Canvas, axes *plot.Plot) {
	x, y := axes.Transforms(&c)
	n := len(s.Curves)
	apart := float64(max(nextCurve*vg.Length(n), nextStop)/max(c.Max.X-c.Min.X, 1)) * (axes.X.Max - axes.X.Min)
	for k, curve := range s.Curves {
		if curve.Interval {
			continue
		}
		look := s.looks[curve.Name]
		for _, stop := range s.stops(curve, axes.X.Min+apart*(float64(k)+0.5)/float64(n), apart, axes.X.Max) {
			e := curve.Y[stop.place]
			at := vg.Point{X: x(stop.x), Y: y(s.axis.place(curve.Name, e.Mean))}
			if low, high := s.ends(curve, e); (s.bars || len(curve.places()) == 1) && low < high {
				errorBar(c, look, at.X, y(low), y(high))
			}
			c.DrawGlyph(look.glyph(), at)
		}
	}
}

// errorBar is an upright line with ends.
func errorBar(c draw.Canvas, l Look, x, low, high vg.Length) {
	thin := draw.LineStyle{Color: l.Color, Width: vg.Points(1)}
	c.StrokeLine2(thin, x, low, x, high)
	c.StrokeLine2(thin, x-capWidth, low, x+capWidth, low)
	c.StrokeLine2(thin, x-capWidth, high, x+capWidth, high)
}

// stop is an estimate of a curve that has a mark, and where that is.
type stop struct {
	x     float64
	place int
}

// fewest is the number of given places from which on a curve does not show all of them.
const fewest = 17

// stops are the marks of a curve on an axis: the first at a place, and so far apart. They are at the last known estimates
// before these or, where the curve stays as it is, at the very places. A curve that is shorter has one at its end.
func (s stops) stops(c Curve, from, apart, end float64) []stop {
	var out []stop
	known := c.places()
	if c.X != nil && len(known) < fewest {
		for _, i := range known {
			out = append(out, stop{c.place(i), i})
		}
		return out
	}
	for k := range int(max((end-from)/apart, 0)) + 1 {
		x := from + float64(k)*apart
		after := slices.IndexFunc(known, func(i int) bool { return c.place(i) > x })
		if after < 0 {
			after = len(known)
		}
		if after == 0 || after == len(known) && c.place(known[after-1]) < x {
			continue // before the curve or behind it
		}
		last := known[after-1]
		if !s.Steps {
			x = c.place(last)
		}
		out = append(out, stop{x, last})
	}
	if len(out) == 0 && len(known) > 0 {
		last := known[len(known)-1]
		out = append(out, stop{c.place(last), last})
	}
	return out
}
