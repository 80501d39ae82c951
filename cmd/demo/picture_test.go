package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// pair is a curve of two points.
func pair(low, high float64) []series {
	return []series{{curve: []estimate{{3, high, 0.1 * high}, {3, low, 0.1 * low}}}}
}

func TestALogarithmicAxisEndsAtAPowerOfTen(t *testing.T) {
	low, high, below := logRange(pair(3e-4, 0.5))
	if low != 1e-4 || math.Abs(high-0.55*1.2) > 1e-12 || below {
		t.Errorf("%v %v %v", low, high, below)
	}
	if low, _, below := logRange(append(pair(0, 0.5), pair(2e-3, 0.1)...)); low != 1e-3 || !below {
		t.Errorf("with a zero: %v %v", low, below)
	}
	if low, _, below := logRange(pair(1e-15, 0.5)); math.Abs(low-1e-10) > 1e-22 || !below {
		t.Errorf("with a very small value: %v %v", low, below)
	}
	for _, empty := range [][]series{nil, pair(0, 0), {{curve: []estimate{{mean: nan, se: nan}}}}} {
		if low, high, _ := logRange(empty); low != 0.1 || high != 1 {
			t.Errorf("%v: %v %v", empty, low, high)
		}
	}
}

func TestLongCurvesAreThinnedOut(t *testing.T) {
	curve := make([]estimate, 12345)
	curve[12331].mean = nan
	got := places(curve)
	if len(got) > maxPoints || got[len(got)-1] != 12344 || len(got) < maxPoints/2 {
		t.Errorf("%d places, last %d", len(got), got[len(got)-1])
	}
	if got := places(make([]estimate, 3)); len(got) != 3 {
		t.Errorf("a short curve has places %v", got)
	}
}

func TestPicturesOfExtremeFigures(t *testing.T) {
	dir := t.TempDir()
	many := make([]series, 30)
	for i := range many {
		many[i] = series{"a policy with a long name:and=options", false, pair(0.1, 1)[0].curve}
	}
	for name, all := range map[string][]series{
		"unknown": {{"p", false, []estimate{{mean: nan, se: nan}}}, {"q", true, nil}},
		"zeros":   {{"p", false, pair(0, 0)[0].curve}},
		"one":     {{"p", false, []estimate{{1, 0.5, nan}}}},
		"many":    many,
	} {
		low, high, _ := logRange(all)
		f := figure{name, "", []panel{{xLabel, "y", true, true, low, high, all}, {xLabel, "y", false, false, 0, top(all), all}}}
		path := filepath.Join(dir, name+".png")
		if err := (picture{path, filepath.Join(dir, name+".svg"), f}).write(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() < 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTicks(t *testing.T) {
	labels := func(low, high float64, log bool) string {
		out := ""
		ticks := tidyTicks{}.Ticks(low, high)
		if log {
			ticks = powerTicks{}.Ticks(low, high)
		}
		for _, k := range ticks {
			if k.Label != "" {
				out += k.Label + " "
			}
		}
		return out
	}
	for _, c := range []struct {
		low, high float64
		log       bool
		want      string
	}{
		{0, 300, false, "0 50 100 150 200 250 300 "},
		{0, 60, false, "0 10 20 30 40 50 60 "},
		{-0.2, 1, false, "-0.2 0.0 0.2 0.4 0.6 0.8 1.0 "},
		{96.3, 98.1, false, "96.5 97.0 97.5 98.0 "},
		{1e-7, 0.5, true, "1e-7 1e-6 1e-5 1e-4 1e-3 0.01 0.1 "},
		{0.1, 4, true, "0.1 0.2 0.5 1 2 "},
		{1e-9, 20, true, "1e-9 1e-7 1e-5 1e-3 0.1 10 "},
		{1e3, 2e5, true, "1000 1e4 1e5 "},
	} {
		if got := labels(c.low, c.high, c.log); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.low, c.high, got, c.want)
		}
	}
}
