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

func TestALogarithmicAxisEndsAtAPowerOfTen(t *testing.T) {
	ends := func(curves []Curve) (low, high float64, below bool) {
		s, remark := Panel{LogY: true, Curves: curves}.yAxis()
		return s.low, s.high, remark != ""
	}
	low, high, below := ends(pair(3e-4, 0.5))
	if low != 1e-4 || math.Abs(high-0.55*1.2) > 1e-12 || below {
		t.Errorf("%v %v %v", low, high, below)
	}
	if low, _, below := ends(append(pair(0, 0.5), pair(2e-3, 0.1)...)); low != 1e-3 || !below {
		t.Errorf("with a zero: %v %v", low, below)
	}
	if low, _, below := ends(pair(1e-15, 0.5)); math.Abs(low-1e-10) > 1e-22 || !below {
		t.Errorf("with a very small value: %v %v", low, below)
	}
	for _, empty := range [][]Curve{nil, pair(0, 0), {{Y: []stat.Estimate{stat.Of(nil)}}}} {
		if low, high, _ := ends(empty); low != 0.1 || high != 1 {
			t.Errorf("%v: %v %v", empty, low, high)
		}
	}
}

func TestTheNameOfALogarithmicAxisSaysWhereZeroIs(t *testing.T) {
	if _, remark := (Panel{LogY: true, Curves: pair(0, 0.5)}).yAxis(); remark != " (0 is drawn at 0.1)" {
		t.Errorf("%q", remark)
	}
	if _, remark := (Panel{LogY: true, Low: 1e-6, High: 1, Curves: pair(0, 0.5)}).yAxis(); remark != " (0 is drawn at 1e-6)" {
		t.Errorf("%q", remark)
	}
	if _, remark := (Panel{Curves: pair(0, 0.5)}).yAxis(); remark != "" {
		t.Errorf("on a linear axis: %q", remark)
	}
}

func TestGivenEndsAreKept(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		log       bool
		want      span
	}{
		{60, 80, false, span{60, 80}}, {-1, 0, false, span{-1, 0}}, {1e-3, 10, true, span{1e-3, 10}},
		{1e-12, 1, true, span{1e-9, 1}},                   // nine decades at most
		{0, 10, true, span{0.1, 1.2 * 0.55}},              // no end of a logarithmic axis: chosen
		{5, 5, false, span{0, 0.572}},                     // no ends: chosen, 0.04·0.55 above the band
		{math.Inf(-1), 1, false, span{0, 0.572}},          // the same
		{math.NaN(), math.NaN(), false, span{0, 0.572}},   // the same
		{0, 5e-324, false, span{0, 0.572}},                // too close
		{1, 1 + 1e-15, false, span{0, 0.572}},             // too close
		{-math.MaxFloat64, 1e308, false, span{0, 0.572}},  // the difference is no number
		{0, math.MaxFloat64, true, span{0.1, 1.2 * 0.55}}, // the same
	} {
		got, _ := Panel{LogY: c.log, Low: c.low, High: c.high, Curves: pair(0, 0.5)}.yAxis()
		if math.Abs(got.low-c.want.low) > 1e-9*math.Abs(c.want.low) || math.Abs(got.high-c.want.high) > 1e-9*math.Abs(c.want.high) {
			t.Errorf("%v to %v, logarithmic %v: %v, want %v", c.low, c.high, c.log, got, c.want)
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
		{Panel{Curves: []Curve{{X: places, Y: long}}}, span{0, 399}},
		{Panel{Curves: []Curve{{X: places[250:], Y: long[250:]}}}, span{350, 399}},
		{Panel{Curves: []Curve{{X: []float64{5, 10, 20}, Y: long[:3]}}}, span{0, 20.6}}, // 0.04·15 for the dots
		{Panel{LogX: true, Curves: []Curve{{X: []float64{0, 10, 10}, Y: long[:3]}}}, span{5, 20}},
		{Panel{LogX: true}, span{0.1, 1}},
		{Panel{}, span{0, 1}},
	} {
		if got := c.p.xAxis(); math.Abs(got.low-c.want.low) > 1e-9 || math.Abs(got.high-c.want.high) > 1e-9 {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
