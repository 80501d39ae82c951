package main

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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
	for _, i := range evenly(len(medians), maxPoints) {
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

// medianWindow is how many suggestions the running median looks at.
const medianWindow = 51

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
	medianLook = look{Color: palette[0], Width: vg.Points(2)}
	rebuiltInk = palette[4]
	fitInk     = palette[1]
	heapLook   = look{Color: palette[2], Width: vg.Points(2)}
	rowsLook   = look{Color: palette[3], Width: vg.Points(2), Dashes: dashes[1]}
)

// size is 1200 x 800 pixels.
func (c costChart) size() (width, height vg.Length) { return pixels(1200), pixels(800) }

// Distances of the chart.
const (
	memoryHeight = 190 * vg.Length(1) // panel of the heap, with its axis
	rightSpace   = 44 * vg.Length(1)  // numbers of the axis on the right
)

// draw lays the chart out: title, legend, times, memory with its own legend.
func (c costChart) draw(canvas draw.Canvas) error {
	canvas = draw.Crop(canvas, margin, -margin, margin, -margin)
	head(canvas, c.title, c.subtitle)
	left, width := canvas.Min.X, canvas.Max.X-canvas.Min.X

	memoryKeys := newKeys(c.memoryKeys(), width)
	memoryKeys.draw(canvas, left, canvas.Min.Y)
	bottom := canvas.Min.Y + memoryKeys.height() + 4
	low := draw.Crop(canvas, 0, -rightSpace, bottom-canvas.Min.Y, bottom+memoryHeight-canvas.Max.Y)
	caption := vg.Point{X: left, Y: low.Max.Y + 8}
	canvas.FillText(inked(heapLook), caption, "heap that the study holds, MB")
	rows, rowsStyle := "rows of the model", inked(rowsLook)
	canvas.FillText(rowsStyle, vg.Point{X: canvas.Max.X - rowsStyle.Width(rows), Y: caption.Y}, rows)

	timeKeys := newKeys(c.timeKeys(), width)
	top := canvas.Max.Y - headSpace
	canvas.FillText(styleOf(labelSize, color.Black), vg.Point{X: left, Y: top - labelSize}, "seconds for a suggestion, seconds for a fit (logarithmic)")
	timeKeys.draw(canvas, left, top-labelSize-8-timeKeys.height())
	high := draw.Crop(canvas, 0, -rightSpace, caption.Y+labelSize+14-canvas.Min.Y, top-labelSize-14-timeKeys.height()-canvas.Max.Y)

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
func inked(l look) draw.TextStyle { return styleOf(labelSize, l.Color) }

// timeKeys explains the dots and the line.
func (c costChart) timeKeys() []key {
	dot := func(ink color.Color, radius vg.Length) func(draw.Canvas, vg.Point) {
		return func(canvas draw.Canvas, at vg.Point) {
			canvas.DrawGlyph(draw.GlyphStyle{Color: ink, Radius: radius, Shape: draw.CircleGlyph{}}, vg.Point{X: at.X + sampleLength/2, Y: at.Y})
		}
	}
	return []key{
		{"suggestion", dot(usualInk, 2.4)},
		{"suggestion that rebuilds the factor", dot(rebuiltInk, 2.6)},
		{fmt.Sprintf("running median of %d suggestions", medianWindow), stroke(medianLook)},
		{"fit, beside the suggestions", dot(fitInk, 3.2)},
	}
}

// memoryKeys explains the lines.
func (c costChart) memoryKeys() []key {
	return []key{{"heap, on the left", stroke(heapLook)}, {"rows, on the right", stroke(rowsLook)}}
}

func stroke(l look) func(draw.Canvas, vg.Point) {
	return func(c draw.Canvas, at vg.Point) { c.StrokeLine2(l, at.X, at.Y, at.X+sampleLength, at.Y) }
}
