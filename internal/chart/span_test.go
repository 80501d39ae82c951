package chart

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/stat"
)

// pair is a curve of two places.
func pair(low, high float64) []Curve {
	return []Curve{{Y: []stat.Estimate{{N: 3, Mean: high, SE: 0.1 * high}, {N: 3, Mean: low, SE: 0.1 * low}}}}
}

func TestALogarithmicAxisEndsAtARoundNumber(t *testing.T) {
	axis := func(curves []Curve) yAxis { return Panel{Scale: Log, Curves: curves}.yAxis() }
	if a := axis(pair(3e-4, 0.5)); a.low != 1e-4 || a.floor != 1e-4 || math.Abs(a.high-0.55*1.2) > 1e-12 || a.below != nil {
		t.Errorf("%+v", a)
	}
	if a := axis(pair(0.5, 9)); a.floor != 0.5 {
		t.Errorf("within two decades: %+v", a)
	}
	if a := axis(pair(1e-15, 0.5)); math.Abs(a.floor-1e-10) > 1e-22 || len(a.below) != 1 {
		t.Errorf("with a very small value: %+v", a)
	}
	for _, empty := range [][]Curve{nil, pair(0, 0), {{Y: []stat.Estimate{stat.Of(nil)}}}} {
		if a := axis(empty); a.floor != 0.1 || a.high != 1 {
			t.Errorf("%v: %+v", empty, a)
		}
	}
}

func TestZeroHasAPlaceBelowALogarithmicAxis(t *testing.T) {
	zero, also, above := pair(0, 0.5)[0], pair(0, 0.2)[0], pair(2e-3, 0.1)[0]
	zero.Name, also.Name, above.Name = "zero", "also", "above"
	a := Panel{Scale: Log, Curves: []Curve{zero, above, also}}.yAxis()
	if a.floor != 1e-3 || !(a.low < a.floor) || len(a.below) != 2 || a.remark() != " (0 below the dashed line)" {
		t.Fatalf("%+v", a)
	}
	first, second := a.place("zero", 0), a.place("also", 0)
	if !(a.low < second && second < first && first < a.floor) || a.place("above", 2e-3) != 2e-3 || a.end(0) != a.floor {
		t.Errorf("0 of one curve at %v, of another at %v, between %v and %v", first, second, a.low, a.floor)
	}
	ticks := a.Ticks(a.low, a.high)
	if last := ticks[len(ticks)-1]; last.Label != "0" || !(a.low < last.Value && last.Value < a.floor) {
		t.Errorf("%+v", last)
	}
	if low, high := (panel{axis: a}).ends(above, stat.Estimate{N: 2, Mean: 0.01, SE: 1}); low != a.floor || high != a.high {
		t.Errorf("an error from %v to %v", low, high)
	}
	tiny := Panel{Scale: Log, Curves: pair(1e-15, 0.5)}.yAxis()
	if ticks := tiny.Ticks(tiny.low, tiny.high); ticks[len(ticks)-1].Label != "<1e-10" {
		t.Errorf("%+v", ticks[len(ticks)-1])
	}
}

func TestGivenEndsAreKept(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		scale     Scale
		want      span
	}{
		{60, 80, Linear, span{60, 80}}, {-1, 0, Linear, span{-1, 0}}, {1e-3, 10, Log, span{1e-3, 10}},
		{1e-12, 1, Log, span{1e-9, 1}},                    // nine decades at most
		{0, 10, Log, span{0.5, 1.2 * 0.55}},               // no end of a logarithmic axis: chosen
		{5, 5, Linear, span{0, 0.572}},                    // no ends: chosen, 0.04·0.55 above the error
		{math.Inf(-1), 1, Linear, span{0, 0.572}},         // the same
		{math.NaN(), math.NaN(), Linear, span{0, 0.572}},  // the same
		{0, 5e-324, Linear, span{0, 0.572}},               // too close
		{1, 1 + 1e-15, Linear, span{0, 0.572}},            // too close
		{-math.MaxFloat64, 1e308, Linear, span{0, 0.572}}, // the difference is no number
		{0, math.MaxFloat64, Log, span{0.5, 1.2 * 0.55}},  // the same
	} {
		got := Panel{Scale: c.scale, Low: c.low, High: c.high, Curves: pair(0, 0.5)}.yAxis()
		low := got.low
		if c.scale == Log {
			low = got.floor
		}
		if math.Abs(low-c.want.low) > 1e-9*math.Abs(c.want.low) || math.Abs(got.high-c.want.high) > 1e-9*math.Abs(c.want.high) {
			t.Errorf("%v to %v, scale %v: %+v, want %v", c.low, c.high, c.scale, got, c.want)
		}
	}
}

func TestPanelsThatShowTheSameHaveTheSameAxis(t *testing.T) {
	of := func(y string, low, high float64) Panel { return Panel{Y: y, Curves: pair(low, high)} }
	f := Figure{Panels: []Panel{of("regret", 1, 9), of("regret", 2, 10), of("regret", 3, 20), of("regret", 1, 18), of("regret", 1, 15), of("cost", 1, 100)}}
	axes := f.yAxes()
	for i := range 5 {
		if axes[i].span != axes[2].span {
			t.Errorf("panel %d: %+v, want %+v", i, axes[i].span, axes[2].span)
		}
	}
	if axes[5].span == axes[2].span {
		t.Error("two quantities have one axis")
	}
	f.Panels[2] = of("regret", 3, 2000) // beside which the second row would be squeezed
	if axes = f.yAxes(); axes[0].span != axes[2].span || axes[3].span != axes[4].span || axes[3].span == axes[0].span {
		t.Errorf("%+v", axes)
	}
	f.Apart = true
	if axes = f.yAxes(); axes[0].span == axes[1].span || axes[3].span == axes[4].span {
		t.Errorf("apart: %+v", axes)
	}
	zero := Figure{Panels: []Panel{{Scale: Log, Curves: pair(0, 1)}, {Scale: Log, Curves: pair(1e-3, 1)}}}
	if axes = zero.yAxes(); axes[0].low != axes[1].low || axes[0].floor != axes[1].floor {
		t.Errorf("with zeros in one of them: %+v", axes)
	}
}

func TestPercentagesAreLogarithmicInWhatTheyLack(t *testing.T) {
	var s percentScale
	if got := s.Normalize(90, 99, 90+9*0.75); math.Abs(got-0.488) > 0.001 { // log(10/3.25) / log(10)
		t.Errorf("%v", got)
	}
	if s.Normalize(96, 99, 96) != 0 || s.Normalize(96, 99, 99) != 1 || math.IsInf(s.Normalize(50, 100, 100), 0) {
		t.Error("the ends are 0 and 1, also with a lack of nothing")
	}
	for _, c := range []struct {
		of        span
		low, high float64
	}{{span{62.8, 97.24}, 55, 97.6}, {span{97.5, 97.5}, 97.2, 97.8}, {span{0, 100}, 0, 100}, {nothing(), 0, 90}, {span{65, 77}, 60, 80}} {
		got := c.of.percent()
		if got.low < c.low || got.high > c.high || !(got.low < got.high) {
			t.Errorf("%v: %v", c.of, got)
		}
		ticks := percentTicks{}.Ticks(got.low, got.high)
		if len(ticks) < 2 || len(ticks) > 16 {
			t.Errorf("%v: %d ticks", c.of, len(ticks))
		}
		for i, a := range ticks {
			for _, b := range ticks[:i] {
				if math.Abs(s.Normalize(got.low, got.high, a.Value)-s.Normalize(got.low, got.high, b.Value)) < nearestTicks {
					t.Errorf("%v: the ticks %s and %s are too close", c.of, a.Label, b.Label)
				}
			}
		}
	}
}

func TestLinearAxesHoldZeroWhereItIsNear(t *testing.T) {
	for _, c := range []struct{ low, high, wantLow, wantHigh float64 }{
		{1, 3, 0, 3.08}, {10, 12, 9.92, 12.08}, {-3, -1, -3.08, 0}, {-1, 1, -1.08, 1.08}, {0, 0, 0, 1}, {5, 5, 4.5, 5.5}, {-5, -5, -5.5, -4.5},
	} {
		got := nothing().with(c.low).with(c.high).linear()
		if math.Abs(got.low-c.wantLow) > 1e-12 || math.Abs(got.high-c.wantHigh) > 1e-12 {
			t.Errorf("%v to %v: %v", c.low, c.high, got)
		}
	}
	if got := nothing().with(math.NaN()).with(math.Inf(1)).linear(); got != (span{0, 1}) {
		t.Errorf("no numbers: %v", got)
	}
}

// Room is a share of the length of the axis, also where that is beyond all numbers.
func TestRoomAroundNumbersByHand(t *testing.T) {
	for _, c := range [][4]float64{{0, 1, -0.04, 1.04}, {3, 3, 2.7, 3.3}, {0, 0, -1, 1}, {-1e308, 1e308, -1.08e308, 1.08e308}, {5e307, 1.5e308, 4.6e307, 1.54e308}} {
		if low, high := Padded(c[0], c[1]); math.Abs(low/c[2]-1) > 1e-15 || math.Abs(high/c[3]-1) > 1e-15 {
			t.Errorf("%v: %v to %v", c, low, high)
		}
	}
}

func TestXAxes(t *testing.T) {
	long := make([]stat.Estimate, 300)
	places := make([]float64, 300)
	for i := range places {
		places[i] = float64(100 + i)
	}
	for _, c := range []struct {
		p    Panel
		want span
	}{
		{Panel{Curves: []Curve{{Y: long}}}, span{0, 300}},
		{Panel{End: 320, Curves: []Curve{{Y: long}}}, span{0, 320}},
		{Panel{Curves: []Curve{{X: places, Y: long}}}, span{0, 399}},
		{Panel{Curves: []Curve{{X: places[250:], Y: long[250:]}}}, span{350, 399}},
		{Panel{Points: []Point{{-2, 1}, {3, 1}}}, span{-2.2, 3.2}},
		{Panel{Points: []Point{{7, 1}}}, span{6.3, 7.7}},
		{Panel{Curves: []Curve{{X: []float64{5, 10, 20}, Y: long[:3]}}}, span{0, 20.6}}, // 0.04·15 for the marks
		{Panel{End: 25, Curves: []Curve{{X: []float64{5, 10, 20}, Y: long[:3]}}}, span{0, 25}},
		{Panel{}, span{0, 1}},
	} {
		if got := c.p.xAxis(); math.Abs(got.low-c.want.low) > 1e-9 || math.Abs(got.high-c.want.high) > 1e-9 {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
