package tuning

import (
	"image/color"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
)

// curveHeight is the height of the curves with their axis.
const curveHeight = 270 * vg.Length(1)

// laneHeight is the height of the lanes with theirs: more workers take more room, up to a limit.
func (t timeline) laneHeight() vg.Length {
	return min(max(vg.Length(t.workers)*18, 90), 330) + 46
}

// drawing is the curves above the lanes.
func (t timeline) drawing() (chart.Drawing, error) {
	curves, err := chart.Panel{
		Y: "accuracy of the incumbent in cross-validation, %", Scale: chart.Percent, Steps: true, End: t.seconds, Curves: t.curves,
	}.Layer(curveHeight)
	lanes := chart.Layer{
		Name: "pending evaluations of " + t.lanes.label() + ", one row for each worker", Plot: t.lanePanel(), Height: t.laneHeight(), Keys: t.fateKeys(),
	}
	return chart.Stack{Title: t.title, Note: t.subtitle, Layers: []chart.Layer{curves, lanes}}.Drawing(), err
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

// fill is the color of a fate: what came is in that of the policy, as its curve is.
func (t timeline) fill(f fate) color.Color {
	switch f {
	case observed:
		return chart.LookOf(t.lanes.name).Pale()
	case failed:
		return chart.Gray
	}
	return color.Gray{Y: 0xdd}
}

// incumbent is the mark of an evaluation that brought one.
var incumbent = draw.GlyphStyle{Color: color.Black, Shape: chart.Diamond}

// Plot draws the segments, and over them the marks of the incumbents.
func (b laneBars) Plot(c draw.Canvas, axes *plot.Plot) {
	x, y := axes.Transforms(&c)
	lane := (c.Max.Y - c.Min.Y) / vg.Length(b.workers)
	for _, s := range b.segments {
		from, to := x(s.from), x(min(s.to, b.seconds))
		at := vg.Point{X: from, Y: y(float64(s.worker))}
		gap := min(vg.Length(0.8), (to-from)/4) // between neighbours
		c.FillPolygon(b.fill(s.fate), chart.Box(at, to-from-gap, max(lane*0.76, 0.5)))
	}
	mark := incumbent
	mark.Radius = min(max(lane*0.25, 2), 3.7)
	for _, s := range b.segments {
		if s.best {
			c.DrawGlyphNoClip(mark, vg.Point{X: x(s.to), Y: y(float64(s.worker))})
		}
	}
}

// fateKeys explains the colors of the lanes, as far as they are there, and the mark.
func (t timeline) fateKeys() []chart.Key {
	var there [len(fateNames)]bool
	best := false
	for _, s := range t.segments {
		there[s.fate], best = true, best || s.best
	}
	var out []chart.Key
	for f, name := range fateNames {
		if there[f] {
			out = append(out, chart.Key{Name: name, Sample: chart.Bar(t.fill(fate(f)))})
		}
	}
	if best {
		mark := incumbent
		mark.Radius = 3.7
		out = append(out, chart.Key{Name: "new incumbent", Sample: chart.Dot(mark)})
	}
	return out
}

// fateNames are the fates in words.
var fateNames = [...]string{observed: "its value came", failed: "failed or took too long", cancelled: "cancelled at the end"}
