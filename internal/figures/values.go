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
)

// unit is a power of ten in which numbers are drawn: those that are very large or very small would not fit beside an axis,
// and their differences not into a number.
type unit float64

// unitOf is the unit for numbers up to a size.
func unitOf(size float64) unit {
	if size == 0 || size >= 1e-3 && size < 1e5 {
		return 1
	}
	exact, _ := strconv.ParseFloat(fmt.Sprintf("1e%.0f", max(math.Floor(math.Log10(size)), -300)), 64)
	return unit(exact)
}

// named adds the unit to the name of an axis.
func (u unit) named(name string) string {
	if u == 1 {
		return name
	}
	return fmt.Sprintf("%s, in 1e%.0f", name, math.Log10(float64(u)))
}

// valueAxis is the axis of the values.
type valueAxis struct {
	unit      unit
	low, high float64 // of the axis, in the unit
	from, to  float64 // of the values that are on it
	name      string
	downwards bool // the worse side is the upper one
	empty     bool // there is no value
}

// valueAxis fits the axis to the values, apart from a few that are so much worse that the others would fall into one line.
func (s Study) valueAxis() valueAxis {
	a := valueAxis{unit: 1, low: 0, high: 1, name: "value", downwards: s.Minimize}
	var values []float64
	strip := false // whether something is at the edge
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
	kept := s.fenced(values)
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

// worst is the worst of some values.
func (s Study) worst(values []float64) float64 {
	return slices.MaxFunc(values, s.sense().Compare)
}

// A value is left out where it is more than fence times as far from the best one as is usual at the beginning of the study,
// which is the median of its first values, and where one value of few, at most, would be left out so. Later on a policy that
// has found the best region has hardly any others, which says nothing about how bad values usually are.
const (
	fence     = 20
	beginning = 10 // values
	few       = 10
)

// fenced leaves out the values, in the order in which they came, that are far worse than the others.
func (s Study) fenced(values []float64) []float64 {
	size := max(math.Abs(slices.Min(values)), math.Abs(slices.Max(values)))
	best := slices.MinFunc(values, s.sense().Compare)
	distance := func(v float64) float64 { return math.Abs(best/size - v/size) } // of numbers up to 1, which do not overflow
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

// fate is that of an evaluation on the axis.
func (a valueAxis) fate(e loop.Evaluation) (fate, bool) {
	f, drawn := fateOf(e)
	if drawn && e.Status.Valued() && a.place(0, e).edge {
		f = beyond
	}
	return f, drawn
}

// place is where an evaluation is.
func (a valueAxis) place(x float64, e loop.Evaluation) spot {
	y := e.Value / float64(a.unit)
	if !e.Measured || y < a.from || y > a.to {
		return spot{x: x, edge: true}
	}
	return spot{x: x, y: y}
}

// edgeShare is how far from the end of the axis the marks at the edge are, as a share of its length.
const edgeShare = 0.035

// edge is the height of what has no place on the axis.
func (a valueAxis) edge(c draw.Canvas) vg.Length {
	if a.downwards {
		return c.Max.Y - edgeShare*(c.Max.Y-c.Min.Y)
	}
	return c.Min.Y + edgeShare*(c.Max.Y-c.Min.Y)
}

// fit sets the axis, with about so many numbers, and none where there is no value.
func (a valueAxis) fit(axes *plot.Plot, about int) {
	axes.Y.Min, axes.Y.Max = a.low, a.high
	axes.Y.Tick.Marker = chart.TidyTicks(about)
	if a.empty {
		axes.Y.Tick.Marker = plot.ConstantTicks(nil)
	}
}
