package feedback

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

func TestWarpByHand(t *testing.T) {
	w := Warp{Bend: Bend{Scale: 0.5}, Anchor: 3}
	for y, want := range map[float64]float64{3: 0, 2.5: -math.Ln2, 1.5: -math.Log(4), 3.5: 1, 5: 4} {
		must.Near(t, "T", w.At(y), want, 1e-15)
		must.Near(t, "inverse", w.Inverse(want), y, 1e-15)
	}
	must.Near(t, "log slope at the top", w.LogSlope(3), -math.Log(0.5), 1e-15)
	must.Near(t, "log slope above it", w.LogSlope(30), -math.Log(0.5), 1e-15)
	must.Near(t, "log slope below it", w.LogSlope(1.5), -math.Log(2), 1e-15)
}

func TestWarpsOfBothTailsAndOfTheUpperOneByHand(t *testing.T) {
	both, above := Warp{Bend{Both, 0.5}, 3}, Warp{Bend{Above, 0.5}, 3}
	for y, want := range map[float64]float64{3: 0, 3.5: math.Asinh(1), 2.5: -math.Asinh(1), 3 + 0.5*math.Sinh(2): 2} {
		must.Near(t, "T of both", both.At(y), want, 1e-15)
		must.Near(t, "inverse of both", both.Inverse(want), y, 1e-15)
	}
	for y, want := range map[float64]float64{3: 0, 3.5: math.Ln2, 4.5: math.Log(4), 2.5: -1, 1: -4} {
		must.Near(t, "T above", above.At(y), want, 1e-15)
		must.Near(t, "inverse above", above.Inverse(want), y, 1e-15)
	}
	must.Near(t, "log slope at the median", both.LogSlope(3), -math.Log(0.5), 1e-15)
	must.Near(t, "log slope far out", both.LogSlope(3-0.5*math.Sinh(2)), -math.Log(0.5*math.Cosh(2)), 1e-14)
	must.Near(t, "log slope above", above.LogSlope(4.5), -math.Log(2), 1e-15)
	must.Near(t, "log slope below the least", above.LogSlope(-30), -math.Log(0.5), 1e-15)
}

// exp f comes back as f, but for a straight line, where f is far from its least value.
func TestTheWarpAboveUndoesAnExponential(t *testing.T) {
	w := Warp{Bend{Above, 1e-6}, 0}
	for _, f := range []float64{1, 3, 7} {
		must.Near(t, "T of exp f", w.At(math.Exp(f))-w.At(1), f, 1e-5)
	}
}

func TestABendIsSoundOrNot(t *testing.T) {
	for _, b := range []Bend{{}, {Both, 0}, {Above, 3}} {
		if !b.Sound() {
			t.Errorf("%+v", b)
		}
	}
	for _, b := range []Bend{{Both, -1}, {Below, math.NaN()}, {Below, math.Inf(1)}, {Shape(3), 1}, {Shape(-1), 1}} {
		if b.Sound() {
			t.Errorf("%+v", b)
		}
	}
	if Above.String() != "above" || Shape(7).String() != "Shape(7)" {
		t.Error("names")
	}
}

func TestAWarpIsIncreasingAndItsInverseComesBack(t *testing.T) {
	for _, w := range []Warp{{}, {Bend{Below, 1e-3}, 2}, {Bend{Below, 7}, -1e6}, {Bend{Below, 1e9}, 0},
		{Bend{Both, 1e-3}, 2}, {Bend{Both, 7}, -1e6}, {Bend{Both, 1e9}, 0}, {Bend{Above, 1e-3}, 2}, {Bend{Above, 7}, -1e6}, {Bend{Above, 1e9}, 0},
	} {
		before := math.Inf(-1)
		for _, step := range []float64{-1e6, -300, -2, -1e-3, -1e-6, 0, 1e-6, 1e-3, 5, 1e4} {
			y := w.Anchor + step*max(w.Scale, 1)
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
	for _, w := range []Warp{{Bend{Below, 1e300}, math.MaxFloat64}, {Bend{Above, 1e300}, -math.MaxFloat64}, {Bend{Below, 1e-300}, math.MaxFloat64}, {Bend{Above, 1e-300}, -math.MaxFloat64}, {Bend{Both, 1e-300}, -math.MaxFloat64}, {Bend{Both, 1}, 0}} {
		before := math.Inf(-1)
		for _, y := range []float64{-math.MaxFloat64, 0, math.MaxFloat64} {
			v, s := w.At(y), w.LogSlope(y)
			if math.IsNaN(v) || math.IsInf(v, 0) || math.IsNaN(s) || math.IsInf(s, 0) {
				t.Errorf("%+v: T(%v) = %v, log slope %v", w, y, v, s)
			}
			if !(v > before) {
				t.Errorf("%+v is not increasing where differences overflow", w)
			}
			before = v
		}
	}
	if u := (Units{Warp: Warp{Bend: Bend{Scale: 1e-300}, Anchor: 0}, Scale: 1}); u.To(1e300) != 1e100 {
		t.Errorf("a value far above the top becomes %v", u.To(1e300))
	}
}

func TestUnitsGoThroughTheWarp(t *testing.T) {
	u := Units{Warp: Warp{Bend: Bend{Scale: 0.5}, Anchor: 3}, Shift: -1, Scale: 2}
	must.Near(t, "to", u.To(2.5), (1-math.Ln2)/2, 1e-15)
	must.Near(t, "from", u.From(u.To(2.5)), 2.5, 1e-14)
	must.Near(t, "from", u.From(u.To(4)), 4, 1e-14)
}

func TestDeviationsAreHalfTheWidthOfTheirImages(t *testing.T) {
	must.Near(t, "without a warp", Units{Shift: 3, Scale: 2}.Deviation(7, 0.5), 1, 0)
	u := Units{Warp: Warp{Bend: Bend{Scale: 0.5}, Anchor: 3}, Shift: -1, Scale: 2}
	must.Near(t, "with one", u.Deviation(-0.5, 0.25), (u.From(-0.25)-u.From(-0.75))/2, 0)
	must.Near(t, "above the top", u.Deviation(2, 0.25), 0.25, 1e-12)
}

// What is not beyond all numbers is told, also where a part of the sum, or twice the width of an interval, would be.
func TestUnitsOfHugeValuesByHand(t *testing.T) {
	u := Units{Shift: 1e308, Scale: 1e308}
	must.Near(t, "from", u.From(-2.5), -1.5e308, 1e-15)
	if got := u.From(-3); !math.IsInf(got, -1) {
		t.Errorf("beyond all numbers is %v", got)
	}
	for shape, image := range map[Shape]float64{Below: -math.Log1p(25), Both: -math.Asinh(25), Above: -25} {
		w := Warp{Bend{shape, 1e307}, 1e308}
		must.Near(t, shape.String(), w.Inverse(image), -1.5e308, 1e-13) // 25 scales below the anchor
		if got := w.Inverse(2 * image); !math.IsInf(got, -1) {
			t.Errorf("%v: beyond all numbers is %v", shape, got)
		}
	}
	wide := Units{Warp: Warp{Bend{Both, 1e307}, 0}, Scale: 1}
	must.Near(t, "half a width", wide.Deviation(0, math.Asinh(15)), 1.5e308, 1e-13)
}
