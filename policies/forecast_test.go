package policies

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
)

// Values of forecasts N(0, 1) in units of 2 around 10: 10 is at the mean, 12 one standard deviation above.
func TestWhatWasIssuedHoldsTheValuesBetweenItsEnds(t *testing.T) {
	model := Forecast{Stddev: 1, Shift: 10, Scale: 2}
	with := func(target, threshold float64, levels ...float64) Forecast {
		f := model
		f.Target, f.Threshold, f.Levels = target, threshold, levels
		return f
	}
	for _, c := range []struct {
		what    string
		f       Forecast
		wanted  float64
		in, out []float64
	}{
		{"nothing", model, 0, nil, []float64{10, 12}},
		{"a set of one standard deviation", with(0.7, 0.31), 0.7, []float64{10, 12, 8}, []float64{12.1, 7.9}},
		{"everything", with(0.7, 0), 0.7, []float64{10, 1e9, -1e9}, nil},
		{"nothing at all", with(0.7, 1.01), 0.7, nil, []float64{10, 12}},
		{"quantiles to both sides", with(0, 0, 0.16, 0.5, 0.84), 0.5, []float64{10, 8.02, 11.98}, []float64{7.9, 12.1}},
		{"quantiles above the mean", with(0, 0, 0.5, 0.6, 0.99), 0.5, []float64{10.1, 14}, []float64{10, 9, 15}},
		{"a quantile alone", with(0, 0, 0.5), 0, nil, []float64{9, 10, 11}},
		{"levels beside a set", with(0.7, 0.31, 0.4, 0.6), 0.7, []float64{12}, []float64{12.1}},
		{"quantiles beyond all values", with(0, 0, -0.1, 1.1), 1. / 3, []float64{10, 1e9, -1e9}, nil},
	} {
		if got := c.f.Wanted(); math.Abs(got-c.wanted) > 1e-15 {
			t.Errorf("%s: wants %v, want %v", c.what, got, c.wanted)
		}
		for _, v := range c.in {
			if !c.f.Holds(v) {
				t.Errorf("%s: does not hold %v", c.what, v)
			}
		}
		for _, v := range c.out {
			if c.f.Holds(v) {
				t.Errorf("%s: holds %v", c.what, v)
			}
		}
	}
}

// The image of a quantile is the quantile of the image: a warp moves no value across the ends of an interval.
func TestQuantilesOfAForecastGoThroughItsWarp(t *testing.T) {
	f := Forecast{Mean: -0.3, Stddev: 0.4, Warp: feedback.Warp{Bend: feedback.Bend{Scale: 0.1}, Anchor: 5}, Shift: -2, Scale: 1.5}
	for _, z := range []float64{-1.2816, 0, 1, 9} {
		if got, want := f.PIT(f.Quantile(z)), math.Erfc(-z/math.Sqrt2)/2; math.Abs(got-want) > 1e-12 {
			t.Errorf("%v deviations: %v of the values lie below, want %v", z, got, want)
		}
	}
	for value, want := range map[float64]bool{f.Quantile(-1.28): true, f.Quantile(1.28): true, f.Quantile(1.29): false, f.Quantile(-1.29): false} {
		if f.Central(value) != want {
			t.Errorf("%v in the central 80 %%: %v", value, !want)
		}
	}
	if straight := (Forecast{Mean: 1, Stddev: 0.5, Shift: 10, Scale: 2}); straight.Quantile(2) != 14 || straight.Deviation() != 1 {
		t.Errorf("without a warp: %v, %v", straight.Quantile(2), straight.Deviation())
	}
}

// A value of 13 is one and a half standard deviations and as many units of the model from a mean of 10 in units of 2.
func TestSurprisesAreCountedInDeviationsAndSpreads(t *testing.T) {
	f := Forecast{Stddev: 1, Shift: 10, Scale: 2}
	if deviations, spreads := f.Surprise(13); deviations != 1.5 || spreads != 1.5 {
		t.Errorf("%v, %v", deviations, spreads)
	}
	f.Stddev = 0.1
	if deviations, spreads := f.Surprise(9); math.Abs(deviations-5) > 1e-12 || spreads != 0.5 {
		t.Errorf("%v, %v", deviations, spreads)
	}
}
