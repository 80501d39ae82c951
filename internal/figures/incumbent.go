package figures

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/stat"
)

// Incumbent shows every value against the place of its evaluation in the order in which they came, and over them the best
// value so far. Where the space has a fidelity or the budget is one in cost, what was spent is in place of the number: evaluations
// that cost more take more of the axis. What came without a value is at the edge of the worse side, and so are values that are so much worse than
// most that the others could not be told apart beside them. Where the best value came nearer and nearer to that in the end,
// its distance from that is shown as well, on a logarithmic axis. An error is that of gonum/plot. Cost O(n log n).
func Incumbent(s Study) (chart.Drawing, error) {
	along := s.along()
	axes := chart.Axes(along.name)
	axes.X.Min, axes.X.Max = 0, along.end*1.01
	axes.X.Tick.Marker = along.ticks
	values := s.valueAxis()
	values.fit(axes, 8)
	marks, steps := s.course(values, along.at)
	axes.Add(marks)
	keys := s.keys(values)
	if len(steps) > 0 {
		axes.Add(stairs(values.cut(steps)), standouts(marks))
	} else {
		axes.Add(chart.Remark("no value yet"))
	}
	if n := len(steps); n > 0 && steps[0].X < steps[n-1].X {
		keys = append(keys, chart.Key{Name: "best so far", Sample: chart.Stroke(incumbentLook)})
	}
	const height = 330 * vg.Length(1)
	count, of := marks.highest(axes, vg.Point{X: chart.Inside, Y: height})
	layers := []chart.Layer{{Name: values.name, Plot: axes, Height: height, Keys: append(keys, pileKeys(marks.marks[of], count)...)}}
	if approach, there := s.approach(steps, axes.X.Max); there {
		layer, err := approach.Layer(190)
		if err != nil {
			return chart.Drawing{}, err
		}
		layer.Plot.X.Max, layer.Plot.X.Tick.Marker = axes.X.Max, axes.X.Tick.Marker
		layers[0].Plot.X.Label.Text, layer.Plot.X.Label.Text = "", axes.X.Label.Text
		layers = append(layers, layer)
	}
	return chart.Stack{Title: s.Name + ": values in the order in which they came", Note: s.Note, Layers: layers}.Drawing(), nil
}

// pending says how many evaluations are under way.
func (s Study) pending() string {
	n := 0
	for _, e := range s.Evaluations {
		if _, pending := s.Age(e); pending {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d pending", n)
}

// course is the marks at their places, and the best value from each place on where there is a better one, which goes on to the last mark.
func (s Study) course(values valueAxis, places []float64) (marks cloud, steps plotter.XYs) {
	marks = s.cloud(values, mostMarks)
	var best float64
	arrived := s.arrived()
	for i, e := range arrived {
		at := places[i]
		marks.add(s, at, e.Number)
		if e.Counts() && (len(steps) == 0 || s.sense().Better(e.Value, best)) {
			best = e.Value
			steps = append(steps, plotter.XY{X: at, Y: best})
		}
	}
	if n := len(steps); n > 0 {
		steps = append(steps, plotter.XY{X: places[len(places)-1], Y: steps[n-1].Y})
	}
	return marks, steps
}

// cut brings steps to the unit of the axis; what is beyond it begins at its end.
func (a valueAxis) cut(steps plotter.XYs) plotter.XYs {
	out := make(plotter.XYs, len(steps))
	for i, at := range steps {
		out[i] = plotter.XY{X: at.X, Y: min(max(at.Y/float64(a.unit), a.low), a.high)}
	}
	return out
}

// closest is how many times nearer the best value must have come for its distance to be shown, and over how many steps.
const (
	closest  = 10
	fewSteps = 3
)

// approach is the distance of the best value so far from that in the end; false where that says nothing.
func (s Study) approach(steps plotter.XYs, end float64) (chart.Panel, bool) {
	if len(steps) <= fewSteps {
		return chart.Panel{}, false
	}
	last := steps[len(steps)-1].Y
	c := chart.Curve{Policy: s.Policy}
	for _, at := range steps[:len(steps)-1] {
		c.X = append(c.X, at.X)
		c.Y = append(c.Y, stat.Of([]float64{math.Abs(at.Y - last)}))
	}
	farthest, nearest := c.Y[0].Mean, c.Y[len(c.Y)-2].Mean
	name := fmt.Sprintf("distance of the best so far from the best in the end, %.6g", last)
	return chart.Panel{Y: name, Scale: chart.Log, Steps: true, End: end, Curves: []chart.Curve{c}}, farthest >= closest*nearest && nearest > 1e-300 && farthest < math.Inf(1)
}

// stairs is a line that stays where it is until the next point.
type stairs plotter.XYs

// Plot draws the line.
func (l stairs) Plot(c draw.Canvas, axes *plot.Plot) {
	line := plotter.Line{XYs: plotter.XYs(l), StepStyle: plotter.PostStep, LineStyle: incumbentLook}
	line.Plot(c, axes)
}
