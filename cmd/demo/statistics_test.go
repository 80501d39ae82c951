package main

import (
	"math"
	"slices"
	"testing"
)

func TestEstimateOfHandWorkedValues(t *testing.T) {
	// Mean 4, squares 9 + 1 + 1 + 9 = 20, standard error sqrt(20 / 3 / 4).
	if e := estimateOf([]float64{1, 3, 5, 7}); e.n != 4 || e.mean != 4 || math.Abs(e.se-math.Sqrt(5./3)) > 1e-15 {
		t.Errorf("%+v", e)
	}
	if e := estimateOf([]float64{2}); e.mean != 2 || !math.IsNaN(e.se) {
		t.Errorf("one value: %+v", e)
	}
	if e := estimateOf(nil); e.known() {
		t.Errorf("no value: %+v", e)
	}
	if e := estimateOf([]float64{1, nan}); e.known() {
		t.Errorf("an unknown value: %+v", e)
	}
}

func TestEstimatesAreRoundedToTheirError(t *testing.T) {
	for _, c := range []struct {
		e    estimate
		want string
	}{
		{estimate{9, 149.6943, 1.4321}, "149.7 ± 1.4"},
		{estimate{9, 3293.2, 66.4}, "3293 ± 66"},
		{estimate{9, 0.017123, 0.00218}, "0.0171 ± 0.0022"},
		{estimate{9, 0.00081, 0.000123}, "8.1e-04 ± 1.2e-04"},
		{estimate{9, 0, 0}, "0 ± 0"},
		{estimate{9, 97.25, 0}, "97.25 ± 0"},
		{estimate{9, 97.486082, 0.00078}, "97.4861 ± 0.0008"},
		{estimate{9, -1e-17, 0.5}, "0.00 ± 0.50"},
		{estimate{1, 0.123456, nan}, "0.1235"},
		{estimate{0, nan, nan}, "-"},
	} {
		if got := c.e.String(); got != c.want {
			t.Errorf("%+v prints %q, want %q", c.e, got, c.want)
		}
	}
	if got := (estimate{9, 0.5, 0.25}).signed(); got != "+0.50 ± 0.25" {
		t.Error(got)
	}
	if got := (estimate{9, -0.5, 0.25}).signed(); got != "-0.50 ± 0.25" {
		t.Error(got)
	}
}

func TestCurvesEndWithTheShortestRun(t *testing.T) {
	got := curveOf([][]float64{{nan, 1, 2}, {3, 3}})
	if len(got) != 2 || got[0].known() || got[1].mean != 2 || got[1].se != 1 {
		t.Errorf("%+v", got)
	}
	if curveOf(nil) != nil {
		t.Error("a curve without runs")
	}
}

func TestCheckpoints(t *testing.T) {
	for rounds, want := range map[int][]int{
		300: {50, 100, 200, 300}, 100: {20, 30, 70, 100}, 60: {10, 20, 40, 60}, 5: {2, 3, 5}, 2: {1, 2}, 1: {1},
	} {
		if got := checkpoints(rounds); !slices.Equal(got, want) {
			t.Errorf("%d: %v, want %v", rounds, got, want)
		}
	}
}

func TestPlurals(t *testing.T) {
	for want, got := range map[string]string{"1 query": plural(1, "query"), "2 queries": plural(2, "query"), "0 seeds": plural(0, "seed")} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
