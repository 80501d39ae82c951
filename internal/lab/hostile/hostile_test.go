package hostile

import (
	"math"
	"slices"
	"testing"
)

// values are those of a kind at its own points in two dimensions.
func values(t *testing.T, name string, n int) []float64 {
	t.Helper()
	k, ok := Find(name)
	if !ok {
		t.Fatalf("no kind %q", name)
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = k.Value(Query{Seed: 5, Number: i + 1, Order: i, X: k.Points.At(5, i+1, 2)})
	}
	return out
}

// share is the share of values for which a predicate holds.
func share(values []float64, is func(float64) bool) float64 {
	n := 0
	for _, v := range values {
		if is(v) {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

func TestOnlyOneKindHasValuesThatAreNoNumbers(t *testing.T) {
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	for _, name := range Names() {
		got := share(values(t, name, 2000), finite)
		if name == "nonfinite" {
			if math.Abs(got-0.6) > 0.05 {
				t.Errorf("%s: %v of the values are finite, want 0.6", name, got)
			}
		} else if got != 1 {
			t.Errorf("%s: %v of the values are finite", name, got)
		}
	}
	bad := values(t, "nonfinite", 200)
	for _, sign := range []int{1, -1} {
		if share(bad, func(v float64) bool { return math.IsInf(v, sign) }) == 0 {
			t.Errorf("no infinity of sign %d", sign)
		}
	}
	if share(bad, math.IsNaN) == 0 {
		t.Error("no NaN")
	}
}

func TestKindsAreWhatTheirNamesSay(t *testing.T) {
	between := func(lo, hi float64) func(float64) bool {
		return func(v float64) bool { return math.Abs(v) >= lo && math.Abs(v) <= hi }
	}
	for _, c := range []struct {
		kind   string
		is     func(float64) bool
		lo, hi float64 // share
	}{
		{"constant", func(v float64) bool { return v == 7.25 }, 1, 1},
		{"two", func(v float64) bool { return v == 0 }, 0.4, 0.6},
		{"two", func(v float64) bool { return v == 0 || v == 1 }, 1, 1},
		{"huge", between(1e298, 2e300), 0.9, 1},
		{"tiny", between(1e-302, 2e-300), 0.9, 1},
		{"limits", between(math.MaxFloat64, math.MaxFloat64), 0.5, 0.8},
		{"mixed", between(1e300, 1e300), 0.3, 0.5},
		{"mixed", between(1e-300, 1e-300), 0.3, 0.5},
		{"mixed", func(v float64) bool { return v == 0 }, 0.1, 0.3},
		{"denormal", between(0, 5e-321), 1, 1},
		{"offset", func(v float64) bool { return math.Abs(v-1e12) < 0.01 }, 1, 1},
		{"cauchy", between(10, math.MaxFloat64), 0.03, 0.12}, // 1 - 2/π·atan 10 = 0.063
		{"pareto", between(100, math.MaxFloat64), 0.07, 0.13},
		{"outliers", between(1e8, 1e13), 0.003, 0.02},
		{"alternating", func(v float64) bool { return v > 0 }, 0.5, 0.5},
		{"order", func(v float64) bool { return v > 1000 }, 0.45, 0.55},
	} {
		if got := share(values(t, c.kind, 2000), c.is); got < c.lo || got > c.hi {
			t.Errorf("%s: share %v, want %v to %v", c.kind, got, c.lo, c.hi)
		}
	}
	all := values(t, "offset", 500)
	if slices.Min(all) == slices.Max(all) {
		t.Error("the offset leaves nothing of the hill")
	}
	heights := values(t, "steps", 500)
	slices.Sort(heights)
	if n := len(slices.Compact(heights)); n < 2 || n > 8 {
		t.Errorf("%d plateaus", n)
	}
}

func TestValuesFollowFromTheQuery(t *testing.T) {
	for _, k := range Kinds() {
		q := Query{Seed: 3, Number: 4, Order: 1, X: []float64{0.2, 0.9}}
		if a, b := k.Value(q), k.Value(q); math.Float64bits(a) != math.Float64bits(b) {
			t.Errorf("%s: %v, then %v", k.Name, a, b)
		}
	}
	if first, later := values(t, "order", 2), values(t, "smooth", 2); first[1]-later[1] != 1 {
		t.Errorf("the second value drifts by %v, want 1", first[1]-later[1])
	}
}

func TestNamesFindTheirKinds(t *testing.T) {
	names := Names()
	if len(names) != len(Kinds()) || names[0] != "smooth" {
		t.Errorf("names %v", names)
	}
	for i, name := range names {
		if slices.Index(names, name) != i {
			t.Errorf("two kinds are called %s", name)
		}
	}
	if _, ok := Find("kind"); ok {
		t.Error("an unknown kind was found")
	}
}
