package chart

import (
	"math"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// labels are the numbers on an axis.
func labels(marker plot.Ticker, low, high float64) string {
	out := ""
	for _, k := range marker.Ticks(low, high) {
		if k.Label != "" {
			out += k.Label + " "
		}
	}
	return out
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		log       bool
		want      string
	}{
		{0, 300, false, "0 50 100 150 200 250 300 "},
		{0, 60, false, "0 10 20 30 40 50 60 "},
		{-0.2, 1, false, "-0.2 0.0 0.2 0.4 0.6 0.8 1.0 "},
		{96.3, 98.1, false, "96.5 97.0 97.5 98.0 "},
		{0, 3e-8, false, "0 5e-9 1.0e-8 1.5e-8 2.0e-8 2.5e-8 3.0e-8 "},
		{-1e8, 2e8, false, "-1.0e8 -5e7 0 5e7 1.0e8 1.5e8 2.0e8 "},
		{0, 9e299, false, "0 2e299 4e299 6e299 8e299 "},
		{1e-7, 0.5, true, "1e-7 1e-6 1e-5 1e-4 1e-3 0.01 0.1 "},
		{0.1, 4, true, "0.1 0.2 0.5 1 2 "},
		{1e-9, 20, true, "1e-8 1e-6 1e-4 0.01 1 "},
		{1e3, 2e5, true, "1000 2000 5000 1e4 20000 50000 1e5 2e5 "},
		{3, 4, true, "3.0 3.2 3.4 3.6 3.8 4.0 "},
		{0.2, 0.8, true, "0.2 0.4 0.6 0.8 "},
		{1e-300, 1e300, true, "1e-300 1e-200 1e-100 1 1e100 1e200 1e300 "},
	} {
		marker := TidyTicks(aboutTicks)
		if c.log {
			marker = PowerTicks(AboutPowers)
		}
		if got := labels(marker, c.low, c.high); c.want != got {
			t.Errorf("%v to %v: %q, want %q", c.low, c.high, got, c.want)
		}
		if n := len(marker.Ticks(c.low, c.high)); n > 100 {
			t.Errorf("%v to %v: %d marks", c.low, c.high, n)
		}
	}
}

func TestWholeNumbersHaveNoFractionsBetweenThem(t *testing.T) {
	if got := labels(WholeTicks(6), 0, 2); got != "0 1 2 " {
		t.Errorf("%q", got)
	}
}

func TestMarksThatCannotBeToldApartAreFew(t *testing.T) {
	if n := len(TidyTicks(6).Ticks(1e16, 1e16+2)); n == 0 || n > 24 {
		t.Errorf("%d marks", n)
	}
}

func TestNumbersOfAnAxisFitItsWidth(t *testing.T) {
	for width := vg.Length(20); width < 600; width += 10 {
		ticks := Thinned(TidyTicks, aboutTicks, 0, 600_000, TickSize, width)
		if len(crowded(ticks, 0, 600_000, TickSize, width)) > 0 {
			t.Errorf("%v points: %v", width, labels(ticks, 0, 600_000))
		}
		if width >= 400 && len(ticks) != 7 {
			t.Errorf("%v points have room for seven numbers: %v", width, labels(ticks, 0, 600_000))
		}
	}
	exponents := ExponentTicks(AboutPowers).Ticks(0, 2)
	if last := exponents[len(exponents)-1]; last.Label != "100" || math.Abs(last.Value-2) > 1e-12 {
		t.Errorf("%+v", last)
	}
}

func TestExponentsBeyondAllNumbersHaveMarks(t *testing.T) {
	if got := labels(ExponentTicks(4), -324, 324); got != "1e-200 1 1e200 " {
		t.Errorf("%q", got)
	}
}

func TestNumbersAreWrittenShort(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", 0.5: "0.5", 0.12345: "0.123", 12345: "12300", 99999: "1e5", 123456: "1.23e5", -1234.5: "-1230", 1e-5: "1e-5",
		0.00012345: "0.000123", math.Inf(1): "+Inf", math.MaxFloat64: "1.80e308",
	} {
		if got := short(v, 3); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{1e-4: "1e-4", 0.01: "0.01", 1000: "1000", 1e4: "1e4", 0.05: "0.05", 2.5e-7: "2.5e-7"} {
		if got := power(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}

func TestTidySteps(t *testing.T) {
	for v, want := range map[float64]float64{1: 1, 1.1: 2, 2: 2, 3: 5, 5.5: 10, 0.03: 0.05, 70: 100} {
		if got := TidyStep(v); math.Abs(got-want) > 1e-12*want {
			t.Errorf("%v: %v, want %v", v, got, want)
		}
	}
}
