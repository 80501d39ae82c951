package feedback

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

func TestWarpByHand(t *testing.T) {
	w := Warp{Top: 3, Scale: 0.5}
	for y, want := range map[float64]float64{3: 0, 2.5: -math.Ln2, 1.5: -math.Log(4), 3.5: 1, 5: 4} {
		must.Near(t, "T", w.At(y), want, 1e-15)
		must.Near(t, "inverse", w.Inverse(want), y, 1e-15)
	}
	must.Near(t, "log slope at the top", w.LogSlope(3), -math.Log(0.5), 1e-15)
	must.Near(t, "log slope above it", w.LogSlope(30), -math.Log(0.5), 1e-15)
	must.Near(t, "log slope below it", w.LogSlope(1.5), -math.Log(2), 1e-15)
}

func TestAWarpIsIncreasingAndItsInverseComesBack(t *testing.T) {
	for _, w := range []Warp{{}, {Top: 2, Scale: 1e-3}, {Top: -1e6, Scale: 7}, {Top: 0, Scale: 1e9}} {
		before := math.Inf(-1)
		for _, step := range []float64{-1e6, -300, -2, -1e-3, -1e-6, 0, 1e-6, 1e-3, 5, 1e4} {
			y := w.Top + step*max(w.Scale, 1)
			v := w.At(y)
			if !(v > before) {
				t.Errorf("%+v: T(%v) = %v, of a smaller value %v", w, y, v, before)
			}
			before = v
			must.Near(t, "inverse", w.Inverse(v), y, 1e-9)
			h := 1e-5 * max(w.Scale, 1e-3)
			if slope := (w.At(y+h) - w.At(y-h)) / (2 * h); math.Abs(step) > 1e-4 && math.Abs(step) < 1e3 {
				must.Near(t, "log slope", w.LogSlope(y), math.Log(slope), 1e-3)
			}
		}
	}
}

func TestWarpsOfHugeValuesStayFinite(t *testing.T) {
	w := Warp{Top: math.MaxFloat64, Scale: 1e300}
	for _, y := range []float64{math.MaxFloat64, 0, -math.MaxFloat64} {
		if v, s := w.At(y), w.LogSlope(y); math.IsNaN(v) || math.IsInf(v, 0) || math.IsNaN(s) || math.IsInf(s, 0) {
			t.Errorf("T(%v) = %v, log slope %v", y, v, s)
		}
	}
	if !(w.At(-math.MaxFloat64) < w.At(0)) {
		t.Error("not increasing where differences overflow")
	}
	if u := (Units{Warp: Warp{Top: 0, Scale: 1e-300}, Scale: 1}); u.To(1e300) != 1e100 {
		t.Errorf("a value far above the top becomes %v", u.To(1e300))
	}
}

func TestUnitsGoThroughTheWarp(t *testing.T) {
	u := Units{Warp: Warp{Top: 3, Scale: 0.5}, Shift: -1, Scale: 2}
	must.Near(t, "to", u.To(2.5), (1-math.Ln2)/2, 1e-15)
	must.Near(t, "from", u.From(u.To(2.5)), 2.5, 1e-14)
	must.Near(t, "from", u.From(u.To(4)), 4, 1e-14)
}

func TestDeviationsAreHalfTheWidthOfTheirImages(t *testing.T) {
	must.Near(t, "without a warp", Units{Shift: 3, Scale: 2}.Deviation(7, 0.5), 1, 0)
	u := Units{Warp: Warp{Top: 3, Scale: 0.5}, Shift: -1, Scale: 2}
	must.Near(t, "with one", u.Deviation(-0.5, 0.25), (u.From(-0.25)-u.From(-0.75))/2, 0)
	must.Near(t, "above the top", u.Deviation(2, 0.25), 0.25, 1e-12)
}
