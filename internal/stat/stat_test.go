package stat

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var nan = math.NaN()

func TestEstimateOfHandWorkedValues(t *testing.T) {
	// Mean 4, squares 9 + 1 + 1 + 9 = 20, standard error sqrt(20 / 3 / 4).
	if e := Of([]float64{1, 3, 5, 7}); e.N != 4 || e.Mean != 4 || math.Abs(e.SE-math.Sqrt(5./3)) > 1e-15 {
		t.Errorf("%+v", e)
	}
	if e := Of([]float64{2}); e.N != 1 || e.Mean != 2 || !math.IsNaN(e.SE) {
		t.Errorf("one value: %+v", e)
	}
	if e := Of(nil); e.N != 0 || e.Known() || !math.IsNaN(e.SE) {
		t.Errorf("no value: %+v", e)
	}
	if e := Of([]float64{1, nan}); e.N != 2 || e.Known() {
		t.Errorf("an unknown value: %+v", e)
	}
}

func TestEstimatesAreThoseOfTheTwoPassFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 2, 50).Draw(t, "values")
		mean, square := 0., 0.
		for _, v := range values {
			mean += v / float64(len(values))
		}
		for _, v := range values {
			square += (v - mean) * (v - mean)
		}
		want := math.Sqrt(square / float64(len(values)*(len(values)-1)))
		if e := Of(values); math.Abs(e.Mean-mean) > 1e-9 || math.Abs(e.SE-want) > 1e-9 {
			t.Errorf("%+v, want %v ± %v", e, mean, want)
		}
	})
}

func TestEnds(t *testing.T) {
	if low, high := (Estimate{9, 3, 0.5}).Ends(); low != 2.5 || high != 3.5 {
		t.Errorf("%v to %v", low, high)
	}
	if low, high := (Estimate{1, 3, nan}).Ends(); low != 3 || high != 3 {
		t.Errorf("without an error: %v to %v", low, high)
	}
	if low, high := Of(nil).Ends(); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("unknown: %v to %v", low, high)
	}
}

func TestEstimatesAreRoundedToTheirError(t *testing.T) {
	for _, c := range []struct {
		e    Estimate
		want string
	}{
		{Estimate{9, 149.6943, 1.4321}, "149.7 ± 1.4"},
		{Estimate{9, 3293.2, 66.4}, "3293 ± 66"},
		{Estimate{9, 0.017123, 0.00218}, "0.0171 ± 0.0022"},
		{Estimate{9, 0.0091, 0.0024}, "0.0091 ± 0.0024"},
		{Estimate{9, 0.00081, 0.000123}, "8.1e-04 ± 1.2e-04"},
		{Estimate{9, 0, 0}, "0 ± 0"},
		{Estimate{9, 97.25, 0}, "97.25 ± 0"},
		{Estimate{9, 97.486082, 0.00078}, "97.4861 ± 0.0008"},
		{Estimate{9, -1e-17, 0.5}, "0.00 ± 0.50"},
		{Estimate{2, -6.02074, 5.1e-7}, "-6.020740 ± 0.000001"},
		{Estimate{2, -6.02074, 4.9e-7}, "-6.020740 ± 5e-07"}, // not 0
		{Estimate{2, 0.25, 3.2e-10}, "0.250000 ± 3e-10"},
		{Estimate{9, 1, math.Inf(1)}, "1 ± +Inf"},
		{Estimate{1, 0.123456, nan}, "0.1235"},
		{Estimate{0, nan, nan}, "-"},
	} {
		if got := c.e.String(); got != c.want {
			t.Errorf("%+v prints %q, want %q", c.e, got, c.want)
		}
	}
	if got := (Estimate{9, 0.5, 0.25}).Signed(); got != "+0.50 ± 0.25" {
		t.Error(got)
	}
	if got := (Estimate{9, -0.5, 0.25}).Signed(); got != "-0.50 ± 0.25" {
		t.Error(got)
	}
	if got := Of(nil).Signed(); got != Unknown {
		t.Error(got)
	}
}

func TestCurvesEndWithTheShortestRun(t *testing.T) {
	got := Curve([][]float64{{nan, 1, 2}, {3, 3}})
	if len(got) != 2 || got[0].Known() || got[1].Mean != 2 || got[1].SE != 1 {
		t.Errorf("%+v", got)
	}
	if Curve(nil) != nil {
		t.Error("a curve without runs")
	}
}

func TestCheckpoints(t *testing.T) {
	for rounds, want := range map[int][]int{
		300: {50, 100, 200, 300}, 100: {20, 30, 70, 100}, 60: {10, 20, 40, 60}, 5: {2, 3, 5}, 2: {1, 2}, 1: {1},
	} {
		if got := Checkpoints(rounds); !slices.Equal(got, want) {
			t.Errorf("%d: %v, want %v", rounds, got, want)
		}
	}
}
