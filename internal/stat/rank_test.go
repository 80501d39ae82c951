package stat

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestEqualValuesShareTheMeanOfTheirRanks(t *testing.T) {
	for _, c := range []struct{ values, want []float64 }{
		{[]float64{3, 1, 2}, []float64{3, 1, 2}},
		{[]float64{5, 5, 1}, []float64{2.5, 2.5, 1}},
		{[]float64{0, 7, 0, 0, 7}, []float64{2, 4.5, 2, 2, 4.5}},
		{[]float64{4}, []float64{1}},
		{nil, []float64{}},
	} {
		if got := Ranks(c.values); !slices.Equal(got, c.want) {
			t.Errorf("ranks of %v are %v, want %v", c.values, got, c.want)
		}
	}
}

func TestRanksAlwaysHaveTheSameSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.Map(rapid.IntRange(0, 5), func(i int) float64 { return float64(i) })).Draw(t, "values")
		sum, n := 0.0, float64(len(values))
		for _, r := range Ranks(values) {
			sum += r
		}
		if sum != n*(n+1)/2 {
			t.Errorf("ranks of %v have the sum %v", values, sum)
		}
	})
}

func TestHolmOfHandWorkedValues(t *testing.T) {
	// In order .005 .01 .03 .04, times 4 3 2 1: .02 .03 .06 .04, of which the last may not be below the one before.
	for _, c := range []struct{ p, want []float64 }{
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{0.5, 0.6}, []float64{1, 1}},
		{[]float64{0.2}, []float64{0.2}},
	} {
		got := Holm(c.p)
		for i, want := range c.want {
			if math.Abs(got[i]-want) > 1e-15 {
				t.Errorf("Holm of %v is %v, want %v", c.p, got, c.want)
			}
		}
	}
}

func TestIntervalsOfStudentsLaw(t *testing.T) {
	// Three values: mean 2, standard error 1, t(0.975, 2) = 4.302653.
	e := Of([]float64{2 - math.Sqrt(3), 2, 2 + math.Sqrt(3)})
	low, high := e.Interval(0.95)
	if math.Abs(low-(2-4.302653)) > 1e-6 || math.Abs(high-(2+4.302653)) > 1e-6 {
		t.Errorf("%v to %v", low, high)
	}
	// With two degrees of freedom P(T > t) = (1 − t/√(2 + t²))/2, here at t = 2.
	want := (1 - 2/math.Sqrt(6)) / 2
	if p := e.Above(); math.Abs(p-want) > 1e-12 {
		t.Errorf("above with p = %v, want %v", p, want)
	}
	if p := e.Apart(); math.Abs(p-2*want) > 1e-12 {
		t.Errorf("apart with p = %v, want %v", p, 2*want)
	}
	below := Estimate{3, -2, 1}
	if p := below.Above(); math.Abs(p-(1-want)) > 1e-12 {
		t.Errorf("below zero: above with p = %v, want %v", p, 1-want)
	}
}

func TestTooFewValuesAreNoEvidenceAndEqualOnesThatOfTheirSigns(t *testing.T) {
	for _, c := range []struct {
		values       []float64
		above, apart float64
	}{{nil, 1, 1}, {[]float64{5}, 1, 1}, {[]float64{0, 0, 0}, 1, 1}, {[]float64{2, 2}, 0.25, 0.5}, {[]float64{-2, -2}, 1, 0.5}, {slices.Repeat([]float64{2}, 6), 1. / 64, 1. / 32}} {
		e := Of(c.values)
		if e.Above() != c.above || e.Apart() != c.apart {
			t.Errorf("%v: above %v, apart %v", c.values, e.Above(), e.Apart())
		}
	}
	if low, high := Of([]float64{5}).Interval(0.95); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("an interval of one value: %v to %v", low, high)
	}
}

func TestClustersOfHandWorkedValues(t *testing.T) {
	// Mean 2.5; the sums of the clusters about it are −2, 2: √((4 + 4) · 2/1) / 4.
	e := Clustered([]float64{1, 2, 3, 4}, []string{"a", "a", "b", "b"})
	if e.N != 2 || e.Mean != 2.5 || math.Abs(e.SE-1) > 1e-15 {
		t.Errorf("%+v", e)
	}
	values := []float64{1, 3, 5, 7}
	if got, want := Clustered(values, []string{"a", "b", "c", "d"}), Of(values); got.N != want.N || math.Abs(got.SE-want.SE) > 1e-15 {
		t.Errorf("single values: %+v, want %+v", got, want)
	}
	if e := Clustered([]float64{0.1, 0.3, 0.7}, []string{"a", "a", "a"}); !math.IsNaN(e.SE) {
		t.Errorf("one cluster: %+v", e)
	}
}

func TestDifferentValuesAreThoseThatCameFirst(t *testing.T) {
	of := []float64{3, 1, 3, math.Copysign(0, -1), 1, 0, 2}
	if got := Different(of); !slices.Equal(got, []float64{3, 1, 0, 2}) || of[2] != 3 {
		t.Errorf("%v of %v", got, of)
	}
	if got := Different(nil); len(got) != 0 {
		t.Error(got)
	}
}
