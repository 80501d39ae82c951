package model

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

func TestGapsByHand(t *testing.T) {
	got := gaps([]float64{-3, -1000, -1, -1100, 0, -1200, -2})
	if want := []gap{{-3, -1000}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if v, want := got[0].middle(0), -math.Sqrt(3000); math.Abs(v-want) > 1e-12*-want {
		t.Errorf("between them is %v, want %v", v, want)
	}
	for name, values := range map[string][]float64{
		"nothing":                                nil,
		"two beyond":                             {0, -1, -2, -3, -1000, -1100},
		"three before":                           {0, -1, -2, -1000, -1100, -1200},
		"a narrow one":                           {0, -1, -2, -3, -80, -81, -82},
		"one of many":                            {0, -1e-3, -1e-1, -1e1, -1e3, -1e5, -1e7, -1e9},
		"no wider than those before":             {0, -1e-9, -1e-8, -1, -1e3, -1e3, -1e3},
		"beyond it orders of magnitude":          {0, -1, -2, -3, -1e5, -1e6, -2e7},
		"the best alike":                         {0, 0, 0, 0, -1e6, -1e6, -1e6},
		"so far apart that no number tells how":  {1e308, 1e308 - 1e300, 1e308 - 2e300, 1e308 - 3e300, -1e308, -1e308, -1e308},
		"values that are good, and three better": {-10, -11, -12, -13, -14, 0, -1e-3, -2e-3},
	} {
		if got := gaps(values); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestTheLawOfPenaltiesByHand(t *testing.T) {
	two := []float64{7 - math.Exp(1), 7 - math.Exp(3)}
	want := -1 - math.Log(2*math.Pi) - 4 - math.Log(3)
	for _, values := range [][]float64{two, append(two, two[1], two[1])} {
		if got := logBroad(values, 7); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if got := logBroad(nil, 7); got != 0 {
		t.Errorf("no values: %v", got)
	}
	if got, want := logLabels(2, 1), -math.Log(12); math.Abs(got-want) > 1e-12 { // 2! 1! / 4!
		t.Errorf("which of three are penalties: %v, want %v", got, want)
	}
	near := Fit{X: []space.Unit{{0}, {.1}, {.9}}}
	for _, c := range []struct {
		at   float64
		want int
	}{{.5, 1}, {.35, 2}, {.05, 3}, {.45, 1}} {
		if got := near.beside(Fit{X: []space.Unit{{c.at}}}); got != c.want {
			t.Errorf("%d points have one at %v beside them, want %d", got, c.at, c.want)
		}
	}
}

// penalizedFit is a fit of n values of a function, but for the points of a corner, which have a penalty.
func penalizedFit(t *testing.T, n int, f func(x space.Unit) float64, penalty func(x space.Unit) float64) Fit {
	t.Helper()
	fit := adaptive(t, n, 0, func(x space.Unit) float64 {
		if x[0]+x[1] > 1 {
			return penalty(x)
		}
		return f(x)
	})
	fit.Penalties = true
	return fit
}

// What a fit took is what all that it compared took: models of all values, and of those that are no penalties.
func TestWhatTellsPenaltiesCounts(t *testing.T) {
	for _, n := range []int{40, 250} {
		f := penalizedFit(t, n, bowl, func(space.Unit) float64 { return -1e6 })
		good := func(f Fit) Fit { return f.only(func(i int) bool { return f.Y[i] > -1e5 }) }
		all, _, want := f.best()
		own, best, more := good(all.some(all.Output.compared())).best()
		if want += more; len(own.Y) < len(good(all).Y) {
			own, best, more = good(all).best()
			want += more
		}
		_, last, err := own.chosen(best, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, got, err := f.Report(); err != nil || got.Evaluations != want+last.Evaluations {
			t.Errorf("%d values: %d evaluations, want %d and %d: %v", n, got.Evaluations, want, last.Evaluations, err)
		}
	}
}

// A model is that of the values without the penalties, be they all the same or greater the farther off.
func TestValuesBeyondAGapAreTakenForPenalties(t *testing.T) {
	for name, penalty := range map[string]func(x space.Unit) float64{
		"ten thousand":                  func(space.Unit) float64 { return -1e4 },
		"a million":                     func(space.Unit) float64 { return -1e6 },
		"a million and more":            func(x space.Unit) float64 { return -1e6 * (x[0] + x[1]) },
		"a million and a little chance": func(x space.Unit) float64 { return -1e6 - math.Mod(1e6*x[0], 1) },
	} {
		for _, n := range []int{16, 40, 130} {
			f := penalizedFit(t, n, bowl, penalty)
			h := learn(t, f)
			if !h.Penal || h.Penalty > -10 || h.Penalty < -1e5 {
				t.Errorf("%s, %d values: %+v", name, n, h)
				continue
			}
			values := f.only(func(i int) bool { return f.Y[i] > h.Penalty })
			if h.Penal, h.Penalty = false, 0; n <= chooseRows && !reflect.DeepEqual(h, learn(t, values)) {
				t.Errorf("%s, %d values: %+v, of the values alone %+v", name, n, h, learn(t, values))
			}
		}
	}
}

// polished is a fit of a function of which every other point is close to one of the maxima, as in a study that has found them.
func polished(t *testing.T, n int, f func(x space.Unit) float64, maxima ...space.Unit) Fit {
	t.Helper()
	fit, stream := adaptive(t, n, 0, f), rng.New(5, rng.Test, 0)
	for i := 0; i < n; i += 2 {
		x := slices.Clone(maxima[i/2%len(maxima)])
		for j := range x {
			x[j] += 1e-4 * stream.NormFloat64()
		}
		fit.X[i], fit.Y[i] = x, f(x)
	}
	return fit
}

// Of a study that has found a maximum, or several, of values that span orders of magnitude and of single ones that are far too low nothing is a penalty, and the
// model is that which it would be if there were none anywhere.
func TestWhatIsNoPenaltyIsNone(t *testing.T) {
	slips, low := slipped(t)
	for _, number := range low[:penaltyLeast-1] {
		slips.Y[number-1] *= 1e6
	}
	two := func(x space.Unit) float64 { return -math.Min(-bowl(x), -bowl(space.Unit{1 - x[0], 1 - x[1]})) }
	for name, f := range map[string]Fit{
		"a maximum that was found": polished(t, 60, bowl, space.Unit{.3, .6}), "two that were": polished(t, 60, two, space.Unit{.3, .6}, space.Unit{.7, .4}),
		"a valley": adaptive(t, 40, 0, valley), "a wave": adaptive(t, 40, 0, smooth), "outliers": slips,
		"orders of magnitude": adaptive(t, 40, 0, func(x space.Unit) float64 { return -math.Exp(-24 * bowl(x)) }),
	} {
		for _, n := range []int{8, 12, 20, len(f.Y)} {
			f := f.only(func(i int) bool { return i < n })
			without := learn(t, f)
			f.Penalties = true
			if with := learn(t, f); !reflect.DeepEqual(with, without) {
				t.Errorf("%s, %d values: %+v, want %+v", name, n, with, without)
			}
		}
	}
}
