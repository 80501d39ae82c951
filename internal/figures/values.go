package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

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
	return name + ", in " + power(float64(u))
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

// fences are how many times the distance between the quartiles a value may be worse than the worse quartile and still be on
// the axis, where there are at least enough values.
const (
	fences = 12
	enough = 8
)

// valueAxis fits the axis to the values, apart from a few that are so much worse that the others would fall into one line.
func (s Study) valueAxis() valueAxis {
	a := valueAxis{unit: 1, low: 0, high: 1, name: "value", downwards: s.Minimize}
	var values []float64
	strip := false // whether something is at the edge
	for _, e := range s.Evaluations {
		if _, drawn := fateOf(e); drawn && e.Measured {
			values = append(values, e.Value)
		} else if drawn {
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
		worst := slices.Min(values)
		if s.Minimize {
			worst = slices.Max(values)
		}
		a.name += fmt.Sprintf(" (%d worse ones, to %.3g, at the edge)", beyond, worst)
	}
	a.from, a.to = slices.Min(kept)/float64(a.unit), slices.Max(kept)/float64(a.unit)
	a.low, a.high = padded(a.from, a.to)
	if room := 2 * edgeShare * (a.high - a.low); strip || len(kept) < len(values) {
		if s.Minimize {
			a.high += room
		} else {
			a.low -= room
		}
	}
	return a
}

// fenced leaves out the values that are far worse than the others.
func (s Study) fenced(values []float64) []float64 {
	size := max(math.Abs(slices.Min(values)), math.Abs(slices.Max(values)))
	if len(values) < enough || size == 0 {
		return values
	}
	sorted := slices.Clone(values) // the worst first, as large as 1, so that no difference overflows
	slices.Sort(sorted)
	if s.Minimize {
		slices.Reverse(sorted)
	}
	worse, better := sorted[len(sorted)/4]/size, sorted[len(sorted)*3/4]/size
	limit := worse + fences*(worse-better)
	if worse == better {
		return values
	}
	var kept []float64
	for _, v := range values {
		if !s.better(limit, v/size) {
			kept = append(kept, v)
		}
	}
	return kept
}

// padded is a range with some room around it, also where it is a single number.
func padded(low, high float64) (float64, float64) {
	pad := 0.04 * (high - low)
	if size := max(math.Abs(low), math.Abs(high)); high-low <= 1e-9*size {
		pad = 0.1 * size
	}
	if low == 0 && high == 0 {
		pad = 1
	}
	return low - pad, high + pad
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
	axes.Y.Tick.Marker = tidyTicks{about: about}
	if a.empty {
		axes.Y.Tick.Marker = plot.ConstantTicks(nil)
	}
}
