package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/loop"
)

// Survival is what a study has learned of its delays.
type Survival struct {
	Name   string // begins the title
	Note   string // below it
	Policy string // decides the color
	Report loop.DelayReport
}

// Drawing shows the chance that a query is silent for longer: the estimate of Kaplan & Meier with its band, the law that was learned, and the
// closest family; with the ages of what is pending on the axis.
func (s Survival) Drawing() chart.Drawing {
	look := chart.LookOf(s.Policy)
	longest := time.Duration(0)
	for _, p := range s.Report.Curve {
		longest = max(longest, p.At)
	}
	if n := len(s.Report.Curve); n > 0 {
		longest = longest * 5 / 4
	}
	for _, q := range s.Report.Silent {
		longest = max(longest, min(q.Age, 4*longest))
	}
	i := 0
	for i < len(units)-1 && longest < least*units[i].length {
		i++
	}
	unit := units[i]
	axes := chart.Axes("time since it was sent out, " + unit.name)
	axes.X.Min, axes.X.Max, axes.X.Tick.Marker = 0, math.Max(longest.Seconds()/unit.length.Seconds(), 1e-9), chart.TidyTicks(8)
	axes.Y.Min, axes.Y.Max = 0, 1
	axes.Add(survivalCurves{s.Report, unit.length, look.Pale(), look.Color})
	if len(s.Report.Curve) == 0 {
		axes.Add(chart.Remark("no query has been answered yet"))
	}
	keys := []chart.Key{}
	if len(s.Report.Curve) > 0 {
		keys = append(keys, chart.Key{Name: "Kaplan & Meier, with a band of 95 %", Sample: chart.Bar(look.Pale())})
	}
	if s.Report.Law.Known() {
		keys = append(keys, chart.Key{Name: fmt.Sprintf("as learned: %.2g %% are lost", 100*s.Report.Law.Lost), Sample: chart.Bar(look.Color)})
	}
	if len(s.Report.Families) > 0 {
		keys = append(keys, chart.Key{Name: "closest family: " + string(s.Report.Families[0].Family), Sample: chart.Bar(familyColor)})
	}
	if n := len(s.Report.Silent); n > 0 {
		keys = append(keys, chart.Key{Name: fmt.Sprintf("ages of what is pending (%d)", n), Sample: chart.Bar(color.Black)})
	}
	return chart.Stack{Title: s.Name + ": the chance that a query is silent for longer", Note: s.Note, Layers: []chart.Layer{{Name: "chance", Plot: axes, Height: 300, Keys: keys}}}.Drawing()
}

var familyColor = color.Gray{Y: 0x80}

// survivalCurves are the curves of Survival.
type survivalCurves struct {
	report loop.DelayReport
	unit   time.Duration
	band   color.Color
	line   color.Color
}

// survivalPlaces are the places of a smooth curve.
const survivalPlaces = 400

// Plot draws the band, the steps, the laws and the ages.
func (s survivalCurves) Plot(c draw.Canvas, axes *plot.Plot) {
	x, y := axes.Transforms(&c)
	at := func(d time.Duration) vg.Length { return x(math.Min(float64(d)/float64(s.unit), axes.X.Max)) }
	var above, below, steps []vg.Point
	last := struct{ longer, low, high float64 }{1, 1, 1}
	for _, p := range s.report.Curve {
		above = append(above, vg.Point{X: at(p.At), Y: y(last.high)}, vg.Point{X: at(p.At), Y: y(p.High)})
		below = append(below, vg.Point{X: at(p.At), Y: y(last.low)}, vg.Point{X: at(p.At), Y: y(p.Low)})
		steps = append(steps, vg.Point{X: at(p.At), Y: y(last.longer)}, vg.Point{X: at(p.At), Y: y(p.Longer)})
		last.longer, last.low, last.high = p.Longer, p.Low, p.High
	}
	if len(steps) > 0 {
		slices.Reverse(below)
		c.FillPolygon(s.band, append(above, below...))
		c.StrokeLines(draw.LineStyle{Color: s.line, Width: vg.Points(0.7), Dashes: []vg.Length{2, 2}}, append([]vg.Point{{X: x(0), Y: y(1)}}, steps...))
	}
	smooth := func(longer func(time.Duration) float64, style draw.LineStyle) {
		var points []vg.Point
		for k := range survivalPlaces + 1 {
			v := axes.X.Max * float64(k) / survivalPlaces
			points = append(points, vg.Point{X: x(v), Y: y(longer(time.Duration(v * float64(s.unit))))})
		}
		c.StrokeLines(style, points)
	}
	if len(s.report.Families) > 0 {
		smooth(s.report.Families[0].Longer, draw.LineStyle{Color: familyColor, Width: vg.Points(1.2)})
	}
	if s.report.Law.Known() {
		smooth(s.report.Law.Longer, draw.LineStyle{Color: s.line, Width: vg.Points(1.6)})
	}
	for _, q := range s.report.Silent {
		c.StrokeLine2(ageLook, at(q.Age), y(0), at(q.Age), y(0)+ageHeight)
	}
}
