package calibration

import (
	"errors"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// warp is what all warps have in common.
type warp interface {
	At(y float64) float64
	Slope(y float64) float64
}

func slopes(t *testing.T, what string, w warp, points ...float64) {
	t.Helper()
	for _, y := range points {
		h := 1e-6 * max(1e-2, math.Abs(y))
		slope := (w.At(y+h) - w.At(y-h)) / (2 * h)
		agree(t, what+": slope", w.Slope(y), slope, 1e-6*(1+math.Abs(slope)))
	}
}

func TestKumaraswamyByHand(t *testing.T) {
	k := Kumaraswamy{2, 3} // 1 - 0.91³ and 6·0.3·0.91²
	agree(t, "value", k.At(0.3), 0.246429, 1e-14)
	agree(t, "slope", k.Slope(0.3), 1.49058, 1e-14)
	for _, k := range []Kumaraswamy{{1, 1}, {2, 3}, {0.4, 0.7}, {5, 0.5}, {0.3, 4}} {
		slopes(t, "Kumaraswamy", k, 0.02, 0.1, 0.5, 0.77, 0.98)
	}
	agree(t, "identity", Kumaraswamy{1, 1}.At(0.37), 0.37, 1e-15)
	for _, x := range []float64{0, 1, -3, 4} {
		k, nearest := Kumaraswamy{0.5, 0.5}, min(max(x, 1e-7), 1-1e-7)
		if v, s := k.At(x), k.Slope(x); v != k.At(nearest) || !(v > 0 && v < 1) || math.IsInf(s, 0) || !(s > 0) {
			t.Errorf("at %g: value %g, slope %g", x, v, s)
		}
	}
}

func TestTanhWarpByHand(t *testing.T) {
	w := TanhWarp{A: []float64{.7}, B: []float64{1.3}, C: []float64{-.2}}
	agree(t, "value", w.At(0.4), .5780068728, 1e-10)
	agree(t, "slope", w.Slope(0.4), 1.8511537417, 1e-10)
	two := TanhWarp{A: []float64{5, 0.1}, B: []float64{40, 3}, C: []float64{0.3, -2}}
	jump := TanhWarp{A: []float64{100}, B: []float64{1e4}, C: []float64{0}}
	for _, w := range []TanhWarp{w, {}, two, jump} {
		slopes(t, "tanh", w, -3, 0.7, 4)
	}
}

func TestLogWarpByHand(t *testing.T) {
	w := LogWarp{Min: -2, Eps: 0.5}
	agree(t, "value", w.At(1), math.Log(3.5), 1e-15)
	agree(t, "slope", w.Slope(1), 1/3.5, 1e-15)
	slopes(t, "log", w, -1.9, 0.3, 10)
}

func TestBoxCoxByHand(t *testing.T) {
	for l, want := range map[float64]float64{0.5: 1.1622776602, 0: .9162907319, -1: .6} {
		agree(t, "value", BoxCox{l}.At(2.5), want, 1e-10)
		slopes(t, "Box-Cox", BoxCox{l}, 0.05, 1, 2.5, 30)
	}
	agree(t, "near 0", BoxCox{1e-12}.At(2.5), math.Log(2.5), 1e-11)
	if v := (BoxCox{0.5}).At(-1); !math.IsNaN(v) {
		t.Errorf("%g of a negative target", v)
	}
}

// naiveLikelihood is the definition.
func naiveLikelihood(y []float64, l float64) float64 {
	n, mean, variance, logs := float64(len(y)), 0.0, 0.0, 0.0
	for _, v := range y {
		mean += BoxCox{l}.At(v) / n
		logs += math.Log(v)
	}
	for _, v := range y {
		d := BoxCox{l}.At(v) - mean
		variance += d * d / n
	}
	return -n/2*math.Log(variance) + (l-1)*logs
}

func TestBoxCoxLikelihoodIsItsDefinition(t *testing.T) {
	y := []float64{0.5, 1.2, 3.4, 0.9}
	agree(t, "four targets", boxCoxLikelihood(logarithms(y), 0.3), .59248581953, 1e-10)
	for _, l := range []float64{-2, -0.7, 0, 1e-9, 1, 2} {
		agree(t, "definition", boxCoxLikelihood(logarithms(y), l), naiveLikelihood(y, l), 1e-7)
	}
}

func TestFitBoxCoxFindsTheMaximum(t *testing.T) {
	r := rng.New(2, rng.Test, 0)
	for _, c := range []struct {
		want float64
		draw func(z float64) float64
	}{
		{0, math.Exp},
		{0.5, func(z float64) float64 { return (5 + z) * (5 + z) }},
		{-1, func(z float64) float64 { return 1 / (6 + z) }},
		{1, func(z float64) float64 { return 8 + z }},
		{2, func(z float64) float64 { return math.Cbrt(40 + z) }}, // the best is 3: the end
		{0, func(z float64) float64 { return 1e200 * math.Exp(z) }},
	} {
		y := make([]float64, 2000)
		for i := range y {
			y[i] = c.draw(r.NormFloat64())
		}
		w := must.Get(FitBoxCox(y))(t)
		agree(t, "exponent", w.L, c.want, 0.35)
		top := boxCoxLikelihood(logarithms(y), w.L)
		for l := -2.0; l <= 2; l += 0.01 {
			if v := boxCoxLikelihood(logarithms(y), l); v > top+1e-6 {
				t.Errorf("%g at %g, %g at the fit %g", v, l, top, w.L)
			}
		}
	}
}

func TestFitBoxCoxOfOddTargets(t *testing.T) {
	for _, y := range [][]float64{nil, {3}, {2, 2, 2}, {1e-300, 1e-300}} {
		if w, err := FitBoxCox(y); err != nil || w.L != 1 {
			t.Errorf("%v: exponent %g, error %v", y, w.L, err)
		}
	}
	for _, y := range [][]float64{{1, 2}, {1e-300, 1e300}, {5e-324, 1, 1e308}, {1, 1 + 1e-15}} {
		if w, err := FitBoxCox(y); err != nil || !(w.L >= -2 && w.L <= 2) {
			t.Errorf("%v: exponent %g, error %v", y, w.L, err)
		}
	}
	for _, y := range [][]float64{{1, 0}, {1, -1}, {1, math.NaN()}, {1, math.Inf(1)}} {
		if _, err := FitBoxCox(y); !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("%v: error %v", y, err)
		}
	}
}

func TestMomentsOfAnEnsemble(t *testing.T) {
	mean, variance := Mixture([]float64{.2, .5, -.1}, []float64{.3, .1, .2})
	agree(t, "mean", mean, 0.2, 1e-15)
	agree(t, "variance", variance, 0.26, 1e-15)
	_, variance = Mixture([]float64{1e9, 1e9}, []float64{1, 3})
	agree(t, "variance far from 0", variance, 2, 0)
	if mean, variance := Mixture(nil, nil); !math.IsNaN(mean) || !math.IsNaN(variance) {
		t.Errorf("mean %g, variance %g of nothing", mean, variance)
	}
	mustPanic(t, "uneven lengths", func() { Mixture([]float64{1}, nil) })
}
