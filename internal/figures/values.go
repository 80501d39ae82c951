package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// unit is the power of ten by which an axis divides its numbers. Numbers that are very large or very small would not fit beside
// the axis otherwise.
type unit float64

// unitOf returns the unit of an axis whose largest number has the given size.
func unitOf(size float64) unit {
	if size == 0 || size >= 1e-3 && size < 1e5 {
		return 1
	}
	exact, _ := strconv.ParseFloat(fmt.Sprintf("1e%.0f", max(math.Floor(math.Log10(size)), -300)), 64)
	return unit(exact)
}

// named returns the name of an axis with its unit.
func (u unit) named(name string) string {
	if u == 1 {
		return name
	}
	return fmt.Sprintf("%s, in 1e%.0f", name, math.Log10(float64(u)))
}

// valueAxis is the axis of the values of a study.
type valueAxis struct {
	unit      unit
	low, high float64 // ends of the axis, in the unit
	from, to  float64 // least and greatest value that is drawn in its place, in the unit
	name      string
	downwards bool // small values are good, so the upper side is the worse one
	empty     bool // the study has no value
}

// valueAxis returns an axis that fits the values. Values that are far worse than all others have no place on it, because the
// others would fall onto one line.
func (s Study) valueAxis() valueAxis {
	a := valueAxis{unit: 1, low: 0, high: 1, name: "value", downwards: s.Minimize}
	var values []float64
	strip := false // whether marks without a value need room at the edge
	for _, e := range s.arrived() {
		if e.Measured {
			values = append(values, e.Value)
		} else {
			strip = true
		}
	}
	if a.empty = len(values) == 0; a.empty {
		return a
	}
	kept := Fenced(values, s.sense())
	a.unit = unitOf(max(math.Abs(slices.Min(kept)), math.Abs(slices.Max(kept))))
	a.name = a.unit.named(a.name)
	if beyond := len(values) - len(kept); beyond > 0 {
		a.name += fmt.Sprintf(" (%d much worse, to %.3g)", beyond, s.worst(values))
	}
	a.from, a.to = slices.Min(kept)/float64(a.unit), slices.Max(kept)/float64(a.unit)
	a.low, a.high = chart.Padded(a.from, a.to)
	if room := 2 * edgeShare * (a.high - a.low); strip || len(kept) < len(values) {
		if s.Minimize {
			a.high += room
		} else {
			a.low -= room
		}
	}
	return a
}

// worst returns the worst of some values.
func (s Study) worst(values []float64) float64 {
	return slices.MaxFunc(values, s.sense().Compare)
}

// A value is left out if its distance from the best value is more than fence times the median distance of the first values,
// and if that rule leaves out at most one value of few. The first values show how bad values usually are; later a policy
// has found the best region and proposes hardly any bad points.
const (
	fence     = 20
	beginning = 10 // number of first values
	few       = 10
)

// Fenced returns the values without those that are far worse than the others, which would fall onto one line beside them. The values
// are in the order of their arrival; where none is left out it returns them as they are.
func Fenced(values []float64, sense outcome.Sense) []float64 {
	size := max(math.Abs(slices.Min(values)), math.Abs(slices.Max(values)))
	best := slices.MinFunc(values, sense.Compare)
	distance := func(v float64) float64 { return math.Abs(best/size - v/size) } // divided first, so that it does not overflow
	var first []float64
	for _, v := range values[:min(beginning, len(values))] {
		first = append(first, distance(v))
	}
	slices.Sort(first)
	limit := fence * first[len(first)/2]
	var kept []float64
	for _, v := range values {
		if distance(v) <= limit {
			kept = append(kept, v)
		}
	}
	if !(limit > 0) || len(values)-len(kept) > len(values)/few { // also where size is 0
		return values
	}
	return kept
}

// fate returns the fate of an evaluation as the axis shows it, and false where the evaluation is not drawn.
func (a valueAxis) fate(e loop.Evaluation) (fate, bool) {
	f, drawn := fateOf(e)
	if drawn && e.Status.Valued() && a.place(0, e).edge {
		f = beyond
	}
	return f, drawn
}

// place returns where an evaluation is drawn at an x: at its value, or at the edge where the axis has no place for the value.
func (a valueAxis) place(x float64, e loop.Evaluation) spot {
	y := e.Value / float64(a.unit)
	if !e.Measured || y < a.from || y > a.to {
		return spot{x: x, edge: true}
	}
	return spot{x: x, y: y}
}

// edgeShare is the distance of the marks at the edge from the end of the axis, as a share of the length of the axis.
const edgeShare = 0.035

// edge returns the height at which marks are drawn that have no place on the axis.
func (a valueAxis) edge(c draw.Canvas) vg.Length {
	if a.downwards {
		return c.Max.Y - edgeShare*(c.Max.Y-c.Min.Y)
	}
	return c.Min.Y + edgeShare*(c.Max.Y-c.Min.Y)
}

// fit sets the y axis of a plot, with about so many numbers; with no numbers where there is no value.
func (a valueAxis) fit(axes *plot.Plot, about int) {
	axes.Y.Min, axes.Y.Max = a.low, a.high
	axes.Y.Tick.Marker = chart.TidyTicks(about)
	if a.empty {
		axes.Y.Tick.Marker = plot.ConstantTicks(nil)
	}
}
