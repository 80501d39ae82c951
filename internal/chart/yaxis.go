package chart

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Scale is how numbers are spread over a y axis.
type Scale int

// The scales.
const (
	Linear  Scale = iota
	Log           // nine decades at most; what is lower, as 0 is, lies below a dashed line, each curve at a height of its own
	Percent       // percentages, logarithmic in what they lack of 100
)

// yAxis is the y axis of one or more panels.
type yAxis struct {
	scale Scale
	span
	floor float64  // of a logarithmic axis: the least number that has its own place
	below []string // names of the curves with lower ones
	least float64  // of those
}

// yAxis is the axis for the curves and the points of a panel.
func (p Panel) yAxis() yAxis {
	a := yAxis{scale: p.Scale, span: span{p.Low, p.High}}
	switch given := a.usable(); {
	case p.Scale == Log:
		if !given || p.Low <= 0 {
			a.span = p.logRange()
		}
		a.low = max(a.low, math.Pow(10, math.Floor(math.Log10(a.high))-logDecades))
		a.lower(p)
	case p.Scale == Percent:
		a.span = p.yNumbers().percent()
	case !given:
		a.span = p.yNumbers().linear()
	}
	return a
}

// Heights of what is below the floor of an axis, in points, and of the axis itself, where nobody says.
const (
	lane        = 4 // of a curve
	leastLanes  = 28
	usualHeight = 250
)

// lower makes room below the lowest number for curves that go there.
func (a *yAxis) lower(p Panel) {
	a.floor, a.least = a.low, math.Inf(1)
	for _, c := range p.Curves {
		for _, e := range c.Y {
			if e.Known() && e.Mean < a.floor {
				a.least = min(a.least, e.Mean)
				if !slices.Contains(a.below, c.Name) {
					a.below = append(a.below, c.Name)
				}
			}
		}
	}
	if n := len(a.below); n > 0 {
		height := p.height
		if height == 0 {
			height = usualHeight
		}
		share := min(max(lane*float64(n+1), leastLanes)/float64(height), 0.4)
		a.low = max(a.floor/math.Pow(a.high/a.floor, share/(1-share)), math.SmallestNonzeroFloat64)
	}
}

// place is where on the axis a number of a curve is drawn.
func (a yAxis) place(curve string, v float64) float64 {
	i := slices.Index(a.below, curve)
	if a.scale != Log || v >= a.floor || i < 0 {
		return a.end(v)
	}
	n := float64(len(a.below))
	return a.low * math.Pow(a.floor/a.low, (n-float64(i)-0.5)/n)
}

// end is where a number on the axis is drawn, or the end of the axis beyond which it is.
func (a yAxis) end(v float64) float64 {
	if a.scale == Log {
		return span{a.floor, a.high}.clip(v)
	}
	return a.clip(v)
}

// remark is what is to be added to the name of the axis.
func (a yAxis) remark() string {
	switch {
	case a.scale == Percent:
		return " (log of the error)"
	case len(a.below) == 0:
		return ""
	case a.least == 0:
		return " (0 below the dashed line)"
	}
	return fmt.Sprintf(" (less than %s below the dashed line)", power(a.floor))
}

// length is that of what is drawn, to be compared with that of other axes of the scale.
func (a yAxis) length() float64 {
	switch a.scale {
	case Log:
		return math.Log(a.high / a.floor)
	case Percent:
		return depth(a.high) - depth(a.low)
	}
	return a.high - a.low
}

// fit sets the axis of a plot, and draws the floor.
func (a yAxis) fit(axes *plot.Plot) {
	axes.Y.Min, axes.Y.Max = a.low, a.high
	switch a.scale {
	case Log:
		axes.Y.Scale, axes.Y.Tick.Marker = plot.LogScale{}, a
		axes.Add(a)
	case Percent:
		axes.Y.Scale, axes.Y.Tick.Marker = percentScale{}, percentTicks{}
	}
}

// Ticks returns the marks of a logarithmic axis, with one for what is below its floor.
func (a yAxis) Ticks(_, high float64) []plot.Tick {
	out := PowerTicks(AboutPowers).Ticks(a.floor, high)
	if len(a.below) == 0 {
		return out
	}
	label := "0"
	if a.least != 0 {
		label = "<" + power(a.floor)
	}
	return append(out, plot.Tick{Value: math.Sqrt(a.low) * math.Sqrt(a.floor), Label: label})
}

// Plot draws the floor, if there is something below it.
func (a yAxis) Plot(c draw.Canvas, axes *plot.Plot) {
	if _, y := axes.Transforms(&c); len(a.below) > 0 {
		line := draw.LineStyle{Color: Gray, Width: vg.Points(0.8), Dashes: []vg.Length{3, 3}}
		c.StrokeLine2(line, c.Min.X, y(a.floor), c.Max.X, y(a.floor))
	}
}
