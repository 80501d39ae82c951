package main

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
)

// timePanel has the dots of suggestions below those of fits, and the median over all of them.
func (c costChart) timePanel() (*plot.Plot, error) {
	axes := chart.Axes("")
	axes.Y.Scale, axes.Y.Tick.Marker = plot.LogScale{}, chart.PowerTicks()
	axes.X.Min, axes.X.Max = 0, c.evaluations
	axes.Y.Min, axes.Y.Max = logEnds(c.usual, c.rebuilt, c.fit)
	axes.Add(dots{c.usual, usualInk, 1.4}, dots{c.rebuilt, rebuiltInk, 2.6})
	if len(c.median) > 0 {
		line, err := plotter.NewLine(c.median)
		if err != nil {
			return nil, err
		}
		line.LineStyle = medianLook
		axes.Add(line)
	}
	axes.Add(dots{c.fit, fitInk, 3.2})
	return axes, nil
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
	ink    color.Color
	radius vg.Length
}

// Plot draws the dots.
func (d dots) Plot(c draw.Canvas, axes *plot.Plot) {
	const grain = 0.5 // points
	x, y := axes.Transforms(&c)
	style := draw.GlyphStyle{Color: d.ink, Radius: d.radius, Shape: draw.CircleGlyph{}}
	type place struct{ x, y int }
	seen := map[place]bool{}
	for _, p := range d.points {
		at := vg.Point{X: x(p.X), Y: y(p.Y)}
		cell := place{int(math.Round(float64(at.X) / grain)), int(math.Round(float64(at.Y) / grain))}
		if !seen[cell] {
			seen[cell] = true
			c.DrawGlyph(style, at)
		}
	}
}

// memoryPanel has the heap on its left axis and the rows on its right one, whose marks are at the same heights.
func (c costChart) memoryPanel() (*plot.Plot, error) {
	axes := chart.Axes("evaluations (queries sent out)")
	axes.X.Min, axes.X.Max = 0, c.evaluations
	heapStep, rowsStep := markStep(c.heap), max(markStep(c.rows), 1)
	count := max(marksFor(c.heap, heapStep), marksFor(c.rows, rowsStep))
	axes.Y.Min, axes.Y.Max = 0, count*heapStep
	axes.Y.Tick.Label.Color = heapLook.Color
	for _, l := range []struct {
		points plotter.XYs
		scale  float64
		look   chart.Look
	}{{c.heap, 1, heapLook}, {c.rows, heapStep / rowsStep, rowsLook}} {
		if len(l.points) == 0 {
			continue
		}
		scaled := slices.Clone(l.points)
		for i := range scaled {
			scaled[i].Y *= l.scale
		}
		line, err := plotter.NewLine(scaled)
		if err != nil {
			return nil, err
		}
		line.LineStyle = l.look
		axes.Add(line)
	}
	axes.Add(rightAxis{int(count), heapStep, rowsStep})
	return axes, nil
}

// markStep is a tidy distance for about five marks up to the greatest value.
func markStep(points plotter.XYs) float64 {
	high := 0.
	for _, p := range points {
		high = max(high, p.Y)
	}
	if high == 0 {
		return 1
	}
	return chart.TidyStep(high / 5)
}

// marksFor is how many steps reach the greatest value, at least one.
func marksFor(points plotter.XYs, step float64) float64 {
	count := 1.
	for _, p := range points {
		count = max(count, math.Ceil(p.Y/step))
	}
	return count
}

// rightAxis writes numbers to the right of a panel, one for each mark on its left.
type rightAxis struct {
	count      int
	step, rows float64 // of a mark, on the left and on the right
}

// Plot draws the axis.
func (a rightAxis) Plot(c draw.Canvas, axes *plot.Plot) {
	_, y := axes.Transforms(&c)
	style := chart.Text(chart.TickSize, rowsLook.Color)
	line := draw.LineStyle{Color: chart.Gray, Width: vg.Points(0.5)}
	c.StrokeLine2(line, c.Max.X, c.Min.Y, c.Max.X, c.Max.Y)
	for k := range a.count + 1 {
		at := vg.Point{X: c.Max.X, Y: y(float64(k) * a.step)}
		c.StrokeLine2(line, at.X, at.Y, at.X+8, at.Y)
		c.FillText(style, vg.Point{X: at.X + 11, Y: at.Y - chart.TickSize*0.33}, strconv.FormatFloat(float64(k)*a.rows, 'f', -1, 64))
	}
}
