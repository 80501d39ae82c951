package buffer

import (
	"math"
	"testing"
)

func TestUnits(t *testing.T) {
	near := func(got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
			t.Errorf("%.12g, want %.12g", got, want)
		}
	}
	u := Standardize([]float64{.5, -.3, 1.2, .1})
	near(u.Shift, 0.375)
	near(u.Scale, 0.6396613687)
	// Centred standardization puts a floor of 0 far below the data, which is why the floored form exists.
	u = Standardize([]float64{.62, .40, .58})
	near(u.Shift, .5333333333333)
	near(u.Scale, .1171893055416)
	near(u.To(0), -4.5510409919)
	near(u.From(u.To(.62)), .62)
	f := Floored([]float64{.62, .40, .58}, 0, 0)
	near(f.To(0), f.Censored)
	near(f.Scale, .1171893055416)
	near(Floored(nil, 2, 4).To(6), 1)
	near(LowerBound([]float64{1, 3, 2}, math.Inf(1)), 0.8)
	near(LowerBound([]float64{1, 3, 2}, 0.5), 0.5)
	near(LowerBound(nil, math.Inf(1)), 0)
}

func TestStandardizeIsFiniteForAnyFiniteValues(t *testing.T) {
	for _, values := range [][]float64{
		nil, {3}, {5, 5, 5}, {0, 0}, {1e300, -1e300, 1e308}, {math.MaxFloat64, -math.MaxFloat64}, {1e-300, 3e-300}, {5e-324, 0}, {1e12, 1e12 + 1e-4},
	} {
		u := Standardize(values)
		if !(u.Scale > 0) || math.IsInf(u.Scale, 0) || math.IsNaN(u.Shift) {
			t.Errorf("%v: %+v", values, u)
		}
		for _, v := range values {
			if z := u.To(v); math.IsNaN(z) || math.Abs(z) > 10 {
				t.Errorf("%v: value %v becomes %v", values, v, z)
			}
		}
		if b := LowerBound(values, math.Inf(1)); math.IsNaN(b) || math.IsInf(b, 0) {
			t.Errorf("%v: lower bound %v", values, b)
		}
	}
}
