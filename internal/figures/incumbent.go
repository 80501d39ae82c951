package figures

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
)

// Incumbent shows every value against the place of its evaluation in the order in which they came, and over them the best
// value so far. What came without a value is at the edge of the worse side, and so are values that are so much worse than
// most that the others could not be told apart beside them. 1200 x 675 pixels. Cost O(n log n).
func Incumbent(s Study) Figure {
	return newFigure(chart.Pixels(675), s.drawIncumbent)
}

func (s Study) drawIncumbent(c draw.Canvas) {
	c = chart.Head(draw.Crop(c, chart.Margin, -chart.Margin, chart.Margin, -chart.Margin), s.Name+": values in the order in which they came", s.Note)
	legend := s.keysOf()
	axes := newAxes(chart.TickSize)
	values := s.valueAxis()
	values.fit(axes, 8)
	marks, steps := s.course(values)
	axes.Add(marks)
	if len(steps) > 0 {
		axes.Add(stairs(steps), standouts(marks))
		legend = append(legend, chart.Key{Name: "best so far", Sample: chart.Stroke(incumbentLook)})
	} else {
		axes.Add(remark("no value yet"))
	}
	arrived := len(s.arrived())
	axes.X.Min, axes.X.Max = 0, float64(max(arrived, 5))*1.01
	axes.X.Tick.Marker = tidyTicks{about: 8, least: 1}

	c = withKeys(c, legend)
	body := draw.Crop(c, 0, 0, chart.LabelSize+8, -chart.NameSpace)
	axes.Draw(body)
	below(c, axes.DataCanvas(body), chart.LabelSize, fmt.Sprintf("evaluations in the order in which they came (%d)", arrived))
	c.FillText(chart.Text(chart.LabelSize, chart.Gray), aboveAxis(body), values.name)
}

// course is the marks and the steps of the best value so far, which go on to the last mark.
func (s Study) course(values valueAxis) (marks cloud, steps plotter.XYs) {
	marks = cloud{values: values, most: mostMarks}
	var best float64
	for i, e := range s.arrived() {
		at := float64(i + 1)
		marks.add(s, at, e.Number)
		if e.Status.Valued() && (len(steps) == 0 || s.better(e.Value, best)) {
			best = e.Value
			steps = append(steps, plotter.XY{X: at, Y: best})
		}
	}
	for i := range steps { // what is beyond the axis begins at its end
		steps[i].Y = min(max(steps[i].Y/float64(values.unit), values.low), values.high)
	}
	if n := len(steps); n > 0 {
		steps = append(steps, plotter.XY{X: float64(len(s.arrived())), Y: steps[n-1].Y})
	}
	return marks, steps
}

// stairs is a line that stays where it is until the next point.
type stairs plotter.XYs

// Plot draws the line.
func (l stairs) Plot(c draw.Canvas, axes *plot.Plot) {
	line := plotter.Line{XYs: plotter.XYs(l), StepStyle: plotter.PostStep, LineStyle: incumbentLook}
	line.Plot(c, axes)
}
