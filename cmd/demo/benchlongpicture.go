package main

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
)

// costChart shows what a long study cost over its evaluations: times above, memory and rows below.
type costChart struct {
	title, subtitle     string
	evaluations         float64
	usual, rebuilt, fit plotter.XYs // seconds
	median              plotter.XYs // running, of all suggestions
	heap, rows          plotter.XYs // MB, number
}

// chart is the picture of what was played.
func (s *longStudy) chart() costChart {
	c := costChart{
		title:    fmt.Sprintf("%s on %s: what a suggestion costs over %s", s.policySpec, s.problem.Name, s.extent()),
		subtitle: fmt.Sprintf("%s; %s, GOMAXPROCS=%d", s.conditions(), processor(), s.cpus),
	}
	seconds := make([]float64, len(s.suggestions))
	for i, t := range s.suggestions {
		at := plotter.XY{X: float64(t.evaluation), Y: t.seconds}
		if t.rebuilt {
			c.rebuilt = append(c.rebuilt, at)
		} else {
			c.usual = append(c.usual, at)
		}
		seconds[i] = t.seconds
		c.rows = append(c.rows, plotter.XY{X: at.X, Y: float64(t.rows)})
		c.evaluations = at.X
	}
	medians := runningMedian(seconds, medianWindow)
	for _, i := range evenly(len(medians), maxMedians) {
		c.median = append(c.median, plotter.XY{X: c.rows[i].X, Y: medians[i]})
	}
	for _, f := range s.fits {
		c.fit = append(c.fit, plotter.XY{X: float64(f.evaluation), Y: f.seconds})
	}
	for _, h := range s.heaps {
		c.heap = append(c.heap, plotter.XY{X: float64(h.evaluation), Y: h.mb})
	}
	c.rows = corners(c.rows)
	return c
}

// extent says how much of the study was played.
func (s *longStudy) extent() string {
	all := plural(s.study, "evaluation")
	if done := s.nextFrom() - 1; done < s.study {
		return fmt.Sprintf("the first %d of %s", done, all)
	}
	return all
}

// medianWindow is how many suggestions the running median looks at, maxMedians how many medians are drawn.
const (
	medianWindow = 51
	maxMedians   = 1000
)

// runningMedian returns the median of the window around each value, as far as there are values.
func runningMedian(values []float64, window int) []float64 {
	out := make([]float64, len(values))
	half := window / 2
	for i := range values {
		out[i] = medianOf(values[max(i-half, 0):min(i+half+1, len(values))])
	}
	return out
}

// evenly returns at most about count of n places, evenly spread, the first and the last among them.
func evenly(n, count int) []int {
	var out []int
	step := max((n+count-1)/count, 1)
	for i := 0; i < n; i += step {
		out = append(out, i)
	}
	if n > 0 && out[len(out)-1] != n-1 {
		out = append(out, n-1)
	}
	return out
}

// corners leaves out the points that lie on the straight line between their neighbours.
func corners(points plotter.XYs) plotter.XYs {
	var out plotter.XYs
	for i, p := range points {
		if i > 0 && i < len(points)-1 {
			before, after := points[i-1], points[i+1]
			if (p.Y-before.Y)*(after.X-p.X) == (after.Y-p.Y)*(p.X-before.X) {
				continue
			}
		}
		out = append(out, p)
	}
	return out
}

// Looks of the chart.
var (
	usualInk   = color.NRGBA{R: 0x9c, G: 0xc9, B: 0xe6, A: 0xff}
	medianLook = chart.Look{Color: chart.Palette[0], Width: vg.Points(2)}
	rebuiltInk = chart.Palette[4]
	fitInk     = chart.Palette[1]
	heapLook   = chart.Look{Color: chart.Palette[2], Width: vg.Points(2)}
	rowsLook   = chart.Look{Color: chart.Palette[3], Width: vg.Points(2), Dashes: []vg.Length{8, 4}}
)

// drawing is 1200 x 800 pixels.
func (c costChart) drawing() chart.Drawing {
	return chart.Drawing{Width: chart.Pixels(1200), Height: chart.Pixels(800), Draw: c.draw}
}

// Distances of the chart.
const (
	memoryHeight = 190 * vg.Length(1) // panel of the heap, with its axis
	rightSpace   = 44 * vg.Length(1)  // numbers of the axis on the right
)

// draw lays the chart out: title, legend, times, memory with its own legend.
func (c costChart) draw(canvas draw.Canvas) error {
	canvas = draw.Crop(canvas, chart.Margin, -chart.Margin, chart.Margin, -chart.Margin)
	top := chart.Head(canvas, c.title, c.subtitle).Max.Y
	left, width := canvas.Min.X, canvas.Max.X-canvas.Min.X

	memoryKeys := chart.NewKeys(c.memoryKeys(), width)
	memoryKeys.Draw(canvas, left, canvas.Min.Y)
	bottom := canvas.Min.Y + memoryKeys.Height() + 4
	low := draw.Crop(canvas, 0, -rightSpace, bottom-canvas.Min.Y, bottom+memoryHeight-canvas.Max.Y)
	caption := vg.Point{X: left, Y: low.Max.Y + 8}
	canvas.FillText(inked(heapLook), caption, "heap that the study holds, MB")
	rows, rowsStyle := "rows of the model", inked(rowsLook)
	canvas.FillText(rowsStyle, vg.Point{X: canvas.Max.X - rowsStyle.Width(rows), Y: caption.Y}, rows)

	timeKeys := chart.NewKeys(c.timeKeys(), width)
	canvas.FillText(chart.Text(chart.LabelSize, color.Black), vg.Point{X: left, Y: top - chart.LabelSize}, "seconds for a suggestion, seconds for a fit (logarithmic)")
	timeKeys.Draw(canvas, left, top-chart.LabelSize-8-timeKeys.Height())
	high := draw.Crop(canvas, 0, -rightSpace, caption.Y+chart.LabelSize+14-canvas.Min.Y, top-chart.LabelSize-14-timeKeys.Height()-canvas.Max.Y)

	times, err := c.timePanel()
	if err != nil {
		return err
	}
	memory, err := c.memoryPanel()
	if err != nil {
		return err
	}
	high, low = flush(times, high, memory, low)
	times.Draw(high)
	memory.Draw(low)
	return nil
}

// inked is a label in the color of a curve.
func inked(l chart.Look) draw.TextStyle { return chart.Text(chart.LabelSize, l.Color) }

// timeKeys explains the dots and the line.
func (c costChart) timeKeys() []chart.Key {
	dot := func(ink color.Color, radius vg.Length) func(draw.Canvas, vg.Point) {
		return func(canvas draw.Canvas, at vg.Point) {
			canvas.DrawGlyph(draw.GlyphStyle{Color: ink, Radius: radius, Shape: draw.CircleGlyph{}}, vg.Point{X: at.X + chart.SampleLength/2, Y: at.Y})
		}
	}
	return []chart.Key{
		{Name: "suggestion", Sample: dot(usualInk, 2.4)},
		{Name: "suggestion that rebuilds the factor", Sample: dot(rebuiltInk, 2.6)},
		{Name: fmt.Sprintf("running median of %d suggestions", medianWindow), Sample: chart.Stroke(medianLook)},
		{Name: "fit, beside the suggestions", Sample: dot(fitInk, 3.2)},
	}
}

// memoryKeys explains the lines.
func (c costChart) memoryKeys() []chart.Key {
	return []chart.Key{{Name: "heap, on the left", Sample: chart.Stroke(heapLook)}, {Name: "rows, on the right", Sample: chart.Stroke(rowsLook)}}
}
