package bench

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
)

// The looks of the chart. It compares no policies, and has none of their colors.
var (
	usualMark   = draw.GlyphStyle{Color: color.Gray{Y: 0xb8}, Radius: 1.4, Shape: chart.Circle}
	rebuiltMark = draw.GlyphStyle{Color: chart.Gray, Radius: 2.6, Shape: chart.Triangle.Hollow()}
	fitMark     = draw.GlyphStyle{Color: color.Black, Radius: 2.6, Shape: chart.Diamond}
	costLine    = draw.LineStyle{Color: color.Black, Width: vg.Points(1.6)}
)

// drawing is the times above the memory and the rows.
func (c costChart) drawing() (chart.Drawing, error) {
	times, err := c.timePanel()
	if err != nil {
		return chart.Drawing{}, err
	}
	heap, err := c.linePanel("", c.heap)
	if err != nil {
		return chart.Drawing{}, err
	}
	rows, err := c.linePanel("evaluations (queries sent out)", c.rows)
	return chart.Stack{Title: c.title, Note: c.subtitle, Layers: []chart.Layer{
		{Name: "seconds for a suggestion, seconds for a fit (logarithmic)", Plot: times, Height: 220, Keys: c.timeKeys()},
		{Name: "heap that the study holds, MB", Plot: heap, Height: 100},
		{Name: "rows of the model", Plot: rows, Height: 124},
	}}.Drawing(), err
}

// timeKeys explains the marks that are there, and the line.
func (c costChart) timeKeys() []chart.Key {
	var out []chart.Key
	for _, k := range []struct {
		points plotter.XYs
		name   string
		sample func(draw.Canvas, vg.Point)
	}{
		{c.usual, "suggestion", chart.Dot(usualMark)},
		{c.rebuilt, "suggestion that rebuilds the factor", chart.Dot(rebuiltMark)},
		{c.median, fmt.Sprintf("running median of %d suggestions", medianWindow), chart.Stroke(costLine)},
		{c.fit, "fit, beside the suggestions", chart.Dot(fitMark)},
	} {
		if len(k.points) > 0 {
			out = append(out, chart.Key{Name: k.name, Sample: k.sample})
		}
	}
	return out
}

// timePanel has the marks of suggestions below those of fits, and the median over all of them.
func (c costChart) timePanel() (*plot.Plot, error) {
	axes := chart.Axes("")
	axes.Y.Scale, axes.Y.Tick.Marker = plot.LogScale{}, chart.PowerTicks(chart.AboutPowers)
	axes.X.Min, axes.X.Max = 0, c.evaluations
	axes.Y.Min, axes.Y.Max = logEnds(c.usual, c.rebuilt, c.fit)
	axes.Add(dots{c.usual, usualMark}, dots{c.rebuilt, rebuiltMark})
	if err := addLine(axes, c.median); err != nil {
		return nil, err
	}
	axes.Add(dots{c.fit, fitMark})
	return axes, nil
}

// linePanel has one line, from 0.
func (c costChart) linePanel(x string, points plotter.XYs) (*plot.Plot, error) {
	axes := chart.Axes(x)
	axes.X.Min, axes.X.Max = 0, c.evaluations
	axes.Y.Min, axes.Y.Max = 0, 1
	axes.Y.Tick.Marker = chart.TidyTicks(5)
	for _, p := range points {
		axes.Y.Max = max(axes.Y.Max, 1.05*p.Y)
	}
	return axes, addLine(axes, points)
}

func addLine(axes *plot.Plot, points plotter.XYs) error {
	if len(points) == 0 {
		return nil
	}
	line, err := plotter.NewLine(points)
	if err == nil {
		line.LineStyle = costLine
		axes.Add(line)
	}
	return err
}

// logEnds are the ends of a logarithmic axis with some room beyond the values.
func logEnds(all ...plotter.XYs) (low, high float64) {
	low, high = math.Inf(1), 0
	for _, p := range slices.Concat(all...) {
		low, high = min(low, p.Y), max(high, p.Y)
	}
	if !(low > 0 && high >= low) || math.IsInf(low, 0) {
		return 1e-4, 1
	}
	return low / 1.5, high * 1.5
}

// dots are drawn once for each place at which they would look the same.
type dots struct {
	points plotter.XYs
	mark   draw.GlyphStyle
}

// Plot draws the dots.
func (d dots) Plot(c draw.Canvas, axes *plot.Plot) {
	x, y := axes.Transforms(&c)
	at := make([]vg.Point, len(d.points))
	for i, p := range d.points {
		at[i] = vg.Point{X: x(p.X), Y: y(p.Y)}
	}
	for _, pile := range chart.Piles(at) {
		c.DrawGlyph(d.mark, at[pile[0]])
	}
}
