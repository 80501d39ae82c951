package buffer

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
)

func TestAWarpIsAnchoredWhereItsShapeSays(t *testing.T) {
	values := []float64{1, 7, 2, -3}
	if w := WarpAt(values, feedback.Bend{Scale: 0.5}); w != (feedback.Warp{Bend: feedback.Bend{Scale: 0.5}, Anchor: 7}) {
		t.Errorf("%+v", w)
	}
	for name, w := range map[string]feedback.Warp{
		"no scale": WarpAt(values, feedback.Bend{Scale: 0}), "no values": WarpAt(nil, feedback.Bend{Scale: 1}), "a range that overflows": WarpAt([]float64{math.MaxFloat64, -math.MaxFloat64}, feedback.Bend{Scale: 1}),
		"a range that overflows in scales": WarpAt([]float64{0, 1e10}, feedback.Bend{Scale: 1e-300}),
	} {
		if !w.Straight() {
			t.Errorf("%s: %+v", name, w)
		}
	}
	if w := WarpAt(values, feedback.Bend{Shape: feedback.Both, Scale: 2}); w.Anchor != 1.5 || w.Shape != feedback.Both {
		t.Errorf("%+v", w)
	}
	if w := WarpAt(values, feedback.Bend{Shape: feedback.Above, Scale: 2}); w.Anchor != -3 {
		t.Errorf("%+v", w)
	}
}

func TestWarpedValuesHaveMeanZeroAndDeviationOne(t *testing.T) {
	values := []float64{0, -1, -10, -100, -1e4}
	u := Warped(values, WarpAt(values, feedback.Bend{Scale: 0.1}))
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
	for _, b := range []feedback.Bend{
		{}, {Scale: 0.2}, {Scale: 5}, {Shape: feedback.Both, Scale: 0.2}, {Shape: feedback.Both, Scale: 5},
		{Shape: feedback.Above, Scale: 0.2}, {Shape: feedback.Above, Scale: 5},
	} {
		u := Warped(values, WarpAt(values, b))
		want := 0.0
		for _, y := range values {
			const h = 1e-6
			want += math.Log((u.To(y) - u.To(y-h)) / h)
		}
		if got := LogJacobian(values, u); math.Abs(got-want) > 1e-4 {
			t.Errorf("%+v: %v, differences say %v", b, got, want)
		}
		if got := LogJacobian(append(values, values[1], values[1], values[3]), u); math.Abs(got-want) > 1e-4 {
			t.Errorf("%+v: equal values count again, %v for %v", b, got, want)
		}
	}
}

func TestQuantilesByHand(t *testing.T) {
	values := []float64{4, 1, 3, 2}
	for share, want := range map[float64]float64{0: 1, 0.25: 1.75, 0.5: 2.5, 1: 4} {
		if got := Quantile(values, share); math.Abs(got-want) > 1e-15 {
			t.Errorf("quantile %v: %v, want %v", share, got, want)
		}
	}
	if Quantile(nil, 0.5) != 0 {
		t.Error("a quantile of nothing")
	}
}
