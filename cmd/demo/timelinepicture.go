package main

import (
	"image/color"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
)

// drawing is 1200 pixels by as many as it takes: more workers take more room, up to a limit.
func (t timeline) drawing() chart.Drawing {
	return chart.Drawing{Width: chart.Pixels(1200), Height: chart.Pixels(620) + t.laneHeight(), Draw: t.draw}
}

// laneHeight is the height of the panel of the lanes with its axis.
func (t timeline) laneHeight() vg.Length {
	return min(max(vg.Length(t.workers)*18, 90), 330) + 46
}

// draw lays the timeline out: title, curves with their legend, lanes with theirs.
func (t timeline) draw(c draw.Canvas) error {
	c = draw.Crop(c, chart.Margin, -chart.Margin, chart.Margin, -chart.Margin)
	top := chart.Head(c, t.title, t.subtitle).Max.Y
	width := c.Max.X - c.Min.X
	label := func(y vg.Length, text string) {
		c.FillText(chart.Text(chart.LabelSize, color.Black), vg.Point{X: c.Min.X, Y: y}, text)
	}

	laneKeys := chart.NewKeys(fateKeys(), width)
	laneKeys.Draw(c, c.Min.X, c.Min.Y)
	bottom := c.Min.Y + laneKeys.Height() + 4
	low := draw.Crop(c, 0, 0, bottom-c.Min.Y, bottom+t.laneHeight()-c.Max.Y)
	label(low.Max.Y+8, "pending evaluations of "+t.lanes+", one row for each worker")

	curveKeys := chart.NewKeys(t.curveKeys(), width)
	label(top-chart.LabelSize, "accuracy of the incumbent in cross-validation, % (logarithmic in the error)")
	curveKeys.Draw(c, c.Min.X, top-chart.LabelSize-8-curveKeys.Height())
	high := draw.Crop(c, 0, 0, low.Max.Y+8+chart.LabelSize+14-c.Min.Y, top-chart.LabelSize-14-curveKeys.Height()-c.Max.Y)

	curves, err := t.curvePanel()
	if err != nil {
		return err
	}
	lanes := t.lanePanel()
	high, low = flush(curves, high, lanes, low)
	curves.Draw(high)
	lanes.Draw(low)
	return nil
}

// flush narrows one of two canvases so that the axes of the plots begin and end at the same places.
func flush(a *plot.Plot, above draw.Canvas, b *plot.Plot, below draw.Canvas) (draw.Canvas, draw.Canvas) {
	left := a.DataCanvas(above).Min.X - b.DataCanvas(below).Min.X
	right := a.DataCanvas(above).Max.X - b.DataCanvas(below).Max.X
	return draw.Crop(above, max(-left, 0), min(-right, 0), 0, 0), draw.Crop(below, max(left, 0), min(right, 0), 0, 0)
}

func (t timeline) curvePanel() (*plot.Plot, error) {
	axes := chart.Axes("")
	axes.Y.Scale, axes.Y.Tick.Marker = accuracyScale{}, accuracyTicks{}
	for _, baselines := range []bool{false, true} { // dashes over lines: where they meet, both can be seen
		for i, c := range t.curves {
			if c.baseline != baselines || len(c.points) == 0 {
				continue
			}
			line, dots, err := c.plot(chart.Looks(i, c.baseline), t.seconds)
			if err != nil {
				return nil, err
			}
			axes.Add(line, dots)
		}
	}
	axes.X.Min, axes.X.Max = 0, t.seconds
	axes.Y.Min, axes.Y.Max = accuracyRange(t.curves)
	return axes, nil
}

// plot returns the steps up to the end of the time, and a dot for each incumbent.
func (c curve) plot(l chart.Look, until float64) (*plotter.Line, *plotter.Scatter, error) {
	last := plotter.XY{X: until, Y: c.points[len(c.points)-1].Y}
	line, err := plotter.NewLine(append(slices.Clone(c.points), last))
	if err != nil {
		return nil, nil, err
	}
	line.LineStyle, line.StepStyle = l, plotter.PostStep
	dots, err := plotter.NewScatter(c.points)
	if err != nil {
		return nil, nil, err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: l.Color, Radius: vg.Points(3), Shape: draw.CircleGlyph{}}
	return line, dots, nil
}

// curveKeys has an entry for each curve.
func (t timeline) curveKeys() []chart.Key {
	var out []chart.Key
	for i, curve := range t.curves {
		out = append(out, chart.Key{Name: curve.name, Sample: chart.Stroke(chart.Looks(i, curve.baseline))})
	}
	return out
}

func (t timeline) lanePanel() *plot.Plot {
	axes := chart.Axes("wall-clock time, s")
	axes.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}}
	axes.Y.Tick.Marker = plot.ConstantTicks(workerTicks(t.workers))
	axes.Y.Tick.Length = 0
	axes.Add(laneBars{t})
	axes.X.Min, axes.X.Max = 0, t.seconds
	axes.Y.Min, axes.Y.Max = 0.5, float64(t.workers)+0.5
	return axes
}

// workerTicks names the first worker and round numbers, about sixteen of them.
func workerTicks(workers int) []plot.Tick {
	every := max(int(chart.TidyStep(float64(workers)/16)), 1)
	ticks := []plot.Tick{{Value: 1, Label: "1"}}
	for k := every; k <= workers; k += every {
		if 4*(k-1) >= 3*every && k > 1 { // not too close to the first
			ticks = append(ticks, plot.Tick{Value: float64(k), Label: strconv.Itoa(k)})
		}
	}
	return ticks
}

// laneBars draws the segments.
type laneBars struct{ timeline }

// fills are the colours of the fates.
var fills = [...]color.Color{
	observed:  color.NRGBA{R: 0x9c, G: 0xc9, B: 0xe6, A: 0xff},
	failed:    color.NRGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff},
	cancelled: color.NRGBA{R: 0xd0, G: 0xd0, B: 0xd0, A: 0xff},
}

// Plot draws the segments, and over them the marks of the incumbents.
func (b laneBars) Plot(c draw.Canvas, axes *plot.Plot) {
	x, y := axes.Transforms(&c)
	lane := (c.Max.Y - c.Min.Y) / vg.Length(b.workers)
	for _, s := range b.segments {
		from, to := x(s.from), x(min(s.to, b.seconds))
		at := vg.Point{X: from, Y: y(float64(s.worker))}
		gap := min(vg.Length(0.8), (to-from)/4) // between neighbours
		c.FillPolygon(fills[s.fate], chart.Box(at, to-from-gap, max(lane*0.76, 0.5)))
	}
	for _, s := range b.segments {
		if s.best {
			chart.Diamond(c, vg.Point{X: x(s.to), Y: y(float64(s.worker))}, min(max(lane*0.34, 2.5), 5))
		}
	}
}

// fateKeys explains the colours of the lanes.
func fateKeys() []chart.Key {
	bar := func(f fate) func(draw.Canvas, vg.Point) {
		return func(c draw.Canvas, at vg.Point) { c.FillPolygon(fills[f], chart.Box(at, chart.SampleLength, 10)) }
	}
	return []chart.Key{
		{Name: "its value came", Sample: bar(observed)},
		{Name: "failed or took too long", Sample: bar(failed)},
		{Name: "cancelled at the end", Sample: bar(cancelled)},
		{Name: "new incumbent", Sample: func(c draw.Canvas, at vg.Point) {
			chart.Diamond(c, vg.Point{X: at.X + chart.SampleLength/2, Y: at.Y}, 5)
		}},
	}
}
