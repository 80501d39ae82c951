package buffer

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
)

func TestAWarpEndsAtTheGreatestValue(t *testing.T) {
	values := []float64{1, 7, 2, -3}
	if w := WarpAt(values, 0.5); w != (feedback.Warp{Top: 7, Scale: 0.5}) {
		t.Errorf("%+v", w)
	}
	for name, w := range map[string]feedback.Warp{
		"no scale": WarpAt(values, 0), "no values": WarpAt(nil, 1), "a range that overflows": WarpAt([]float64{math.MaxFloat64, -math.MaxFloat64}, 1),
		"a range that overflows in scales": WarpAt([]float64{0, 1e10}, 1e-300),
	} {
		if !w.Straight() {
			t.Errorf("%s: %+v", name, w)
		}
	}
	if r := Reach(values); r != 5.5 {
		t.Errorf("reach %v", r)
	}
	if Reach(nil) != 0 || Reach([]float64{4}) != 0 {
		t.Error("reach of nothing")
	}
}

func TestWarpedValuesHaveMeanZeroAndDeviationOne(t *testing.T) {
	values := []float64{0, -1, -10, -100, -1e4}
	u := Warped(values, WarpAt(values, 0.1))
	var sum, square float64
	for _, y := range values {
		sum += u.To(y)
		square += u.To(y) * u.To(y)
	}
	if math.Abs(sum) > 1e-12 || math.Abs(square-4) > 1e-12 {
		t.Errorf("sum %v, sum of squares %v", sum, square)
	}
	if Warped(values, feedback.Warp{}) != Standardize(values) {
		t.Error("no warp is not standardization")
	}
}

func TestTheLogJacobianIsTheSumOfLogDerivatives(t *testing.T) {
	values := []float64{0.3, -1, -4, -20}
	for _, scale := range []float64{0, 0.2, 5} {
		u := Warped(values, WarpAt(values, scale))
		want := 0.0
		for _, y := range values {
			const h = 1e-6
			want += math.Log((u.To(y) - u.To(y-h)) / h)
		}
		if got := LogJacobian(values, u); math.Abs(got-want) > 1e-4 {
			t.Errorf("scale %v: %v, differences say %v", scale, got, want)
		}
	}
}
