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

// Delays shows how many evaluations took how long from dispatch to outcome, and how old the pending ones are. The axis is
// logarithmic where the longest is more than a hundred times the shortest. Cost O(n).
func Delays(s Study) chart.Drawing {
	delays, ages, unit := s.delays()
	b := newBars(delays, ages)
	b.fill = chart.LookOf(s.Policy).Pale()
	axes := chart.Axes("time from dispatch to outcome, " + unit)
	axes.X.Min, axes.X.Max, axes.X.Tick.Marker = b.low, b.high, chart.TidyTicks(8)
	if b.log {
		axes.X.Tick.Marker = chart.ExponentTicks(chart.AboutPowers)
	}
	axes.Y.Min, axes.Y.Max = 0, 1
	if len(delays) > 0 {
		axes.Y.Max = 1.05 * float64(slices.Max(b.counts))
	}
	axes.Y.Tick.Marker = chart.WholeTicks(6)
	axes.Add(b)
	if len(delays)+len(ages) == 0 {
		axes.Add(chart.Remark("no evaluation has been under way yet"))
	}
	return chart.Stack{Title: s.Name + ": how long the evaluations took", Note: s.Note, Layers: []chart.Layer{
		{Name: "evaluations", Plot: axes, Height: 260, Keys: b.keys(len(delays))},
	}}.Drawing()
}

// bars is a histogram with the ages of the pending evaluations below it.
type bars struct {
	low, high float64 // ends of the axis, where at puts them
	counts    []int   // of bins that are equally wide there
	ages      []float64
	log       bool
	shortest  float64 // with log
	fill      color.Color
}

// ageLook is the mark of a pending evaluation, and ageHeight its height.
var ageLook = draw.LineStyle{Color: color.Black, Width: vg.Points(1.4)}

const ageHeight = 18

// units of time, the longest first.
var units = []struct {
	name   string
	length time.Duration
}{{"days", 24 * time.Hour}, {"hours", time.Hour}, {"minutes", time.Minute}, {"s", time.Second}, {"ms", time.Millisecond}}

// least is how many units the longest time has at least, but for the last unit.
const least = 3

// delays are those of the evaluations with an answer, and the ages of the pending ones, in a unit.
func (s Study) delays() (delays, ages []float64, unit string) {
	var ended, pending []time.Duration
	for _, e := range s.Evaluations {
		if age, under := s.Age(e); under {
			pending = append(pending, age)
		}
		if delay, known := Delay(e); known && e.Status != loop.Cancelled && e.Status != loop.Lost {
			ended = append(ended, delay)
		}
	}
	longest := slices.Max(slices.Concat(ended, pending, []time.Duration{0}))
	i := 0
	for i < len(units)-1 && longest < least*units[i].length {
		i++
	}
	in := func(times []time.Duration) (out []float64) {
		for _, t := range times {
			out = append(out, float64(t)/float64(units[i].length))
		}
		return out
	}
	return in(ended), in(pending), units[i].name
}

// spread is over how many times the shortest time an axis is logarithmic.
const (
	spread   = 100
	mostBins = 60
)

// newBars chooses scale and bins: more of them where the delays cover less of the axis.
func newBars(delays, ages []float64) bars {
	b := bars{ages: ages, high: 1}
	all := slices.Concat(delays, ages)
	if len(all) == 0 {
		return b
	}
	shortest := math.Inf(1) // there is no zero on a logarithmic axis: instants are as short as the shortest
	for _, v := range all {
		if v > 0 {
			shortest = min(shortest, v)
		}
	}
	longest := slices.Max(all)
	if b.log = longest > spread*shortest; b.log {
		b.shortest = shortest
	}
	b.low, b.high = b.at(slices.Min(all)), b.at(longest)
	switch {
	case !b.log && b.high <= 0:
		b.low, b.high = 0, 1
	case !b.log && b.low < b.high/3:
		b.low = 0
	case !b.log:
		b.low, b.high = chart.Padded(b.low, b.high)
	}
	if len(delays) == 0 {
		return b
	}
	covered := (b.at(slices.Max(delays)) - b.at(slices.Min(delays))) / (b.high - b.low)
	bins := max(1.5*math.Sqrt(float64(len(delays))), 6) / max(covered, 0.1)
	b.counts = make([]int, int(min(bins, mostBins)))
	for _, v := range delays {
		share := (b.at(v) - b.low) / (b.high - b.low)
		b.counts[min(max(int(share*float64(len(b.counts))), 0), len(b.counts)-1)]++
	}
	return b
}

// at is where a time is on the axis.
func (b bars) at(v float64) float64 {
	if b.log {
		return math.Log10(max(v, b.shortest))
	}
	return v
}

// Plot draws the bars, and the ages on the axis.
func (b bars) Plot(c draw.Canvas, axes *plot.Plot) {
	x, y := axes.Transforms(&c)
	for i, n := range b.counts {
		if n == 0 {
			continue
		}
		width := (b.high - b.low) / float64(len(b.counts))
		left, right := x(b.low+float64(i)*width), x(b.low+float64(i+1)*width)
		gap := min(vg.Length(0.8), (right-left)/4)
		c.FillPolygon(b.fill, []vg.Point{{X: left, Y: y(0)}, {X: right - gap, Y: y(0)}, {X: right - gap, Y: y(float64(n))}, {X: left, Y: y(float64(n))}})
	}
	drawn := map[int]bool{}
	for _, age := range b.ages {
		at := x(b.at(age))
		if place := int(at * 2); !drawn[place] {
			drawn[place] = true
			c.StrokeLine2(ageLook, at, y(0), at, y(0)+ageHeight)
		}
	}
}

// keys explains the bars and the marks, as far as there are some.
func (b bars) keys(delays int) []chart.Key {
	var out []chart.Key
	if delays > 0 {
		out = append(out, chart.Key{Name: fmt.Sprintf("evaluations with an outcome (%d)", delays), Sample: chart.Bar(b.fill)})
	}
	if len(b.ages) > 0 {
		name := fmt.Sprintf("how long pending ones have been under way (%d)", len(b.ages))
		out = append(out, chart.Key{Name: name, Sample: func(c draw.Canvas, at vg.Point) {
			x := at.X + chart.SampleLength/2
			c.StrokeLine2(ageLook, x, at.Y-ageHeight/2, x, at.Y+ageHeight/2)
		}})
	}
	return out
}
