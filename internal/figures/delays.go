package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/loop"
)

// Delays shows how many evaluations took how long from dispatch to outcome, and how old the pending ones are. The axis is
// logarithmic where the longest is more than a hundred times the shortest. 1200 x 525 pixels. Cost O(n log n).
func Delays(s Study) Figure {
	return newFigure(chart.Pixels(525), s.drawDelays)
}

// bars is a histogram with the ages of the pending evaluations below it.
type bars struct {
	edges  []float64 // one more than counts; seconds
	counts []int
	ages   []float64
	log    bool
}

// The looks of the bars and of the ages.
var (
	barInk  color.Color = color.NRGBA{R: 0x9c, G: 0xc9, B: 0xe6, A: 0xff}
	ageLook             = draw.LineStyle{Color: chart.Palette[1], Width: vg.Points(1.2)}
)

// ageHeight is that of the mark of a pending evaluation.
const ageHeight = 18

// delays are those of the evaluations with an answer, and the ages of the pending ones, in seconds.
func (s Study) delays() (delays, ages []float64) {
	for _, e := range s.Evaluations {
		if age, pending := s.Age(e); pending {
			ages = append(ages, age.Seconds())
		}
		if delay, ended := Delay(e); ended && e.Status != loop.Cancelled && e.Status != loop.Lost {
			delays = append(delays, delay.Seconds())
		}
	}
	return delays, ages
}

// spread is over how many times the shortest time an axis is logarithmic.
const spread = 100

// newBars chooses scale and bins.
func newBars(delays, ages []float64) bars {
	b := bars{ages: ages}
	all := slices.Concat(delays, ages)
	if len(all) == 0 {
		b.edges = []float64{0, 1}
		return b
	}
	longest, shortest := slices.Max(all), math.Inf(1)
	for _, v := range all {
		if v > 0 {
			shortest = min(shortest, v)
		}
	}
	b.log = longest > spread*shortest
	bins := min(max(int(math.Ceil(1.5*math.Sqrt(float64(len(delays))))), 6), 40)
	low, high := slices.Min(all), longest
	if b.log {
		low = shortest // there is no zero: instants are as short as the shortest
	} else if low < longest/3 {
		low = 0
	} else {
		low, high = padded(low, high)
	}
	if low == high {
		high = low + 1
	}
	for i := range bins + 1 {
		share := float64(i) / float64(bins)
		if b.log {
			b.edges = append(b.edges, low*math.Pow(high/low, share))
		} else {
			b.edges = append(b.edges, low+(high-low)*share)
		}
	}
	b.edges[0], b.edges[bins] = low, high
	b.counts = make([]int, bins)
	for _, v := range delays {
		bin, _ := slices.BinarySearch(b.edges, max(v, low))
		if b.edges[bin] > v {
			bin--
		}
		b.counts[min(max(bin, 0), bins-1)]++
	}
	return b
}

// Plot draws the bars, and the ages on the axis.
func (b bars) Plot(c draw.Canvas, axes *plot.Plot) {
	x, y := axes.Transforms(&c)
	for i, n := range b.counts {
		if n == 0 {
			continue
		}
		left, right := x(b.edges[i]), x(b.edges[i+1])
		gap := min(vg.Length(0.8), (right-left)/4)
		c.FillPolygon(barInk, []vg.Point{{X: left, Y: y(0)}, {X: right - gap, Y: y(0)}, {X: right - gap, Y: y(float64(n))}, {X: left, Y: y(float64(n))}})
	}
	drawn := map[int]bool{}
	for _, age := range b.ages {
		at := x(max(age, b.edges[0]))
		if place := int(at * 2); !drawn[place] {
			drawn[place] = true
			c.StrokeLine2(ageLook, at, y(0), at, y(0)+ageHeight)
		}
	}
}

func (s Study) drawDelays(c draw.Canvas) {
	c = chart.Head(draw.Crop(c, chart.Margin, -chart.Margin, chart.Margin, -chart.Margin), s.Name+": how long the evaluations took", s.Note)
	delays, ages := s.delays()
	b := newBars(delays, ages)
	axes := newAxes(chart.TickSize)
	axes.X.Min, axes.X.Max = b.edges[0], b.edges[len(b.edges)-1]
	axes.X.Tick.Marker = tidyTicks{about: 8}
	if b.log {
		axes.X.Scale, axes.X.Tick.Marker = plot.LogScale{}, powerTicks{about: 8}
		axes.X.Min, axes.X.Max = axes.X.Min/1.1, axes.X.Max*1.1
	}
	axes.Y.Min, axes.Y.Max = 0, 1
	if len(delays) > 0 {
		axes.Y.Max = 1.05 * float64(slices.Max(b.counts))
	}
	axes.Y.Tick.Marker = tidyTicks{about: 6, least: 1}
	axes.Add(b)
	if len(delays)+len(ages) == 0 {
		axes.Add(remark("no evaluation has been under way yet"))
	}
	c = withKeys(c, delayKeys(len(delays), len(ages)))
	body := draw.Crop(c, 0, 0, chart.LabelSize+8, -chart.NameSpace)
	axes.Draw(body)
	below(c, axes.DataCanvas(body), chart.LabelSize, "time from dispatch to outcome, s")
	c.FillText(chart.Text(chart.LabelSize, chart.Gray), aboveAxis(body), "evaluations")
}

func delayKeys(delays, ages int) []chart.Key {
	var out []chart.Key
	if delays > 0 {
		out = append(out, chart.Key{Name: fmt.Sprintf("evaluations with an outcome (%d)", delays), Sample: func(c draw.Canvas, at vg.Point) {
			c.FillPolygon(barInk, chart.Box(at, chart.SampleLength, 10))
		}})
	}
	if ages > 0 {
		out = append(out, chart.Key{Name: fmt.Sprintf("how long pending ones have been under way (%d)", ages), Sample: func(c draw.Canvas, at vg.Point) {
			x := at.X + chart.SampleLength/2
			c.StrokeLine2(ageLook, x, at.Y-ageHeight/2, x, at.Y+ageHeight/2)
		}})
	}
	return out
}
