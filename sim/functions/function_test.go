package functions

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
)

// published holds what the literature prints: the optimum, where it is, and the value at one further point, with one
// half unit in the last printed digit as tolerance. Values are those of the textbook function, to be minimized, except
// for locbo1d.
var published = []struct {
	name      string
	dim       int
	optimum   float64
	at        [][]float64
	atWithin  float64
	probe     []float64
	value     float64
	maximized bool
}{
	{name: "forrester", dim: 1, optimum: -6.0207400558, at: [][]float64{{0.75724876}}, atWithin: 5e-8,
		probe: []float64{.3}, value: -.0155767337},
	{name: "branin", dim: 2, optimum: 0.3978873577, at: [][]float64{{-math.Pi, 12.275}, {math.Pi, 2.275}, {9.42478, 2.475}},
		atWithin: 5e-6, probe: []float64{-.5, 9}, value: 23.1439228763},
	{name: "ackley", dim: 2, optimum: 0, at: [][]float64{{0, 0}}, probe: []float64{-13.1072, 6.5536}, value: 19.2785982087},
	{name: "alpine1", dim: 2, optimum: 0, at: [][]float64{{0, 0}}, probe: []float64{-4, 2}, value: 5.4458048349},
	{name: "sixhump", dim: 2, optimum: -1.0316284535, at: [][]float64{{.08984201, -.71265641}, {-.08984201, .71265641}},
		atWithin: 5e-8, probe: []float64{-1.2, .4}, value: 1.3831680000},
	{name: "hartmann3", dim: 3, optimum: -3.8627797873, at: [][]float64{{.11458889, .55564890, .85254698}}, atWithin: 5e-8,
		probe: []float64{.3, .6, .45}, value: -.9993396587},
	{name: "hartmann6", dim: 6, optimum: -3.3223680114,
		at: [][]float64{{.20168951, .15001069, .47687397, .27533243, .31165162, .65730053}}, atWithin: 5e-8,
		probe: []float64{.3, .6, .45, .2, .7, .55}, value: -.3929633204},
	{name: "levy", dim: 2, optimum: 0, at: [][]float64{{1, 1}}, probe: []float64{-4, 2}, value: 2.8961138529},
	{name: "rosenbrock", dim: 2, optimum: 0, at: [][]float64{{1, 1}}, probe: []float64{-.5, 4}, value: 1408.5},
	{name: "cosines", dim: 2, optimum: -1.6, at: [][]float64{{.3125, .3125}}, probe: []float64{.3, .6}, value: -.9722488094},
	{name: "beale", dim: 2, optimum: 0, at: [][]float64{{3, .5}}, probe: []float64{-1.8, .9}, value: 19.2303878400},
	{name: "mccormick", dim: 2, optimum: -1.9132229550, at: [][]float64{{-.54719755, -1.54719755}}, atWithin: 5e-9,
		probe: []float64{.15, 1.2}, value: 5.8532233578},
	{name: "powers", dim: 2, optimum: 0, at: [][]float64{{0, 0}}, probe: []float64{-.4, .2}, value: .168},
	{name: "crossintray", dim: 2, optimum: -2.0626118708, at: [][]float64{
		{1.34940665, 1.34940665}, {1.34940665, -1.34940665}, {-1.34940665, 1.34940665}, {-1.34940665, -1.34940665}},
		atWithin: 5e-8, probe: []float64{-4, 2}, value: -1.8403090497},
	{name: "dropwave", dim: 2, optimum: -1, at: [][]float64{{0, 0}}, probe: []float64{-2.048, 1.024}, value: -.0652445903},
	{name: "locbo1d", dim: 1, optimum: 4.9580136099, at: [][]float64{{-3.99334852}, {3.99334852}}, atWithin: 5e-9,
		probe: []float64{-2}, value: -.5136049906, maximized: true},
	{name: "goldstein", dim: 2, optimum: 3, at: [][]float64{{0, -1}}, probe: []float64{-.4, .2}, value: 1814.10841344},
	{name: "rastrigin", dim: 2, optimum: 0, at: [][]float64{{0, 0}}, probe: []float64{-2.048, 1.024}, value: 5.8077171052},
	{name: "shekel", dim: 4, optimum: -10.5364431535, at: [][]float64{{4.00074687, 3.99950948, 4.00074687, 3.99950948}}, atWithin: 5e-9,
		probe: []float64{3, 5, 3, 5}, value: -.6087060714},
	{name: "dixonprice", dim: 2, optimum: 0, at: [][]float64{{1, math.Sqrt2 / 2}, {1, -math.Sqrt2 / 2}}, atWithin: 5e-16,
		probe: []float64{-4, 2}, value: 313},
	{name: "ellipsoid", dim: 2, optimum: 0, at: [][]float64{{0, 0}}, probe: []float64{-4, 2}, value: 24},
	{name: "powell", dim: 4, optimum: 0, at: [][]float64{{0, 0, 0, 0}}, probe: []float64{3, -1, 0, 1}, value: 215},
	{name: "griewank", dim: 2, optimum: 0, at: [][]float64{{0, 0}}, probe: []float64{-4, 2}, value: 1.1069316013},
	{name: "zakharov", dim: 2, optimum: 0, at: [][]float64{{0, 0}}, probe: []float64{-2, 1.2}, value: 5.4816},
}

func TestPublishedValues(t *testing.T) {
	const half = 5.01e-11 // of the tenth decimal
	if len(published) != len(Names()) {
		t.Errorf("%d functions have published values, %d exist", len(published), len(Names()))
	}
	for _, p := range published {
		t.Run(p.name, func(t *testing.T) {
			f := get(t, p.name, 0)
			sign := -1.0
			if p.maximized {
				sign = 1
			}
			if f.Dim != p.dim {
				t.Errorf("usual dimension %d, want %d", f.Dim, p.dim)
			}
			if math.Abs(f.Maximum-sign*p.optimum) > half {
				t.Errorf("maximum %.12f, published optimum %.10f", f.Maximum, p.optimum)
			}
			if v := sign * f.Value(p.probe); math.Abs(v-p.value) > half {
				t.Errorf("f(%v) = %.12f, published %.10f", p.probe, v, p.value)
			}
			if len(f.Maximizers) != len(p.at) {
				t.Fatalf("%d maximizers, want %d", len(f.Maximizers), len(p.at))
			}
			for i, want := range p.at {
				if d := distance(f.Maximizers[i], want); d > math.Sqrt(float64(f.Dim))*p.atWithin {
					t.Errorf("maximizer %v, published %v", f.Maximizers[i], want)
				}
			}
		})
	}
}

func TestEveryMaximizerReachesTheMaximumInsideTheBox(t *testing.T) {
	for _, f := range everyFunction(t) {
		if len(f.Maximizers) == 0 || f.Reference == "" || len(f.Low) != f.Dim || len(f.High) != f.Dim {
			t.Errorf("%s in %d dimensions is incomplete: %+v", f.Name, f.Dim, f)
		}
		for _, x := range f.Maximizers {
			if v := f.Value(x); math.Abs(v-f.Maximum) > 1e-9 {
				t.Errorf("%s in %d dimensions is %.12f at %v, its maximum is %.12f", f.Name, f.Dim, v, x, f.Maximum)
			}
			for j, v := range x {
				if v < f.Low[j] || v > f.High[j] {
					t.Errorf("%s: maximizer %v leaves the box %v %v", f.Name, x, f.Low, f.High)
				}
			}
		}
	}
}

func TestNoPointOfTheBoxIsAboveTheMaximum(t *testing.T) {
	all := everyFunction(t)
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(all).Draw(t, "function")
		x := make([]float64, f.Dim)
		for j := range x {
			x[j] = rapid.Float64Range(f.Low[j], f.High[j]).Draw(t, "x")
		}
		if v := f.Value(x); math.IsNaN(v) || math.IsInf(v, 0) || v > f.Maximum+1e-9 {
			t.Fatalf("%s%v = %v, maximum %v", f.Name, x, v, f.Maximum)
		}
	})
}

func TestBoxesAreThePublishedOnes(t *testing.T) {
	want := []struct {
		name      string
		low, high []float64
	}{
		{"branin", []float64{-5, 0}, []float64{10, 15}},
		{"sixhump", []float64{-3, -2}, []float64{3, 2}},
		{"mccormick", []float64{-1.5, -3}, []float64{4, 4}},
		{"ackley", []float64{-32.768, -32.768}, []float64{32.768, 32.768}},
		{"rosenbrock", []float64{-5, -5}, []float64{10, 10}},
		{"hartmann3", []float64{0, 0, 0}, []float64{1, 1, 1}},
		{"locbo1d", []float64{-5}, []float64{5}},
	}
	for _, w := range want {
		if f := get(t, w.name, 0); !slices.Equal(f.Low, w.low) || !slices.Equal(f.High, w.high) {
			t.Errorf("%s lives on %v %v, want %v %v", w.name, f.Low, f.High, w.low, w.high)
		}
	}
}

func TestNamesAreSortedAndDistinct(t *testing.T) {
	names := Names()
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("names are %v", names)
	}
}

func TestUnknownNameListsWhatExists(t *testing.T) {
	_, err := Get("bukin", 2)
	const want = `function = "bukin": want one of ackley, alpine1, beale, branin, cosines, crossintray, dixonprice, dropwave, ` +
		`ellipsoid, forrester, goldstein, griewank, hartmann3, hartmann6, levy, locbo1d, mccormick, powell, powers, rastrigin, rosenbrock, shekel, sixhump, zakharov`
	if err == nil || err.Error() != want || !errors.Is(err, check.ErrInvalidOption) {
		t.Errorf("error is\n%v\nwant\n%s", err, want)
	}
}

func TestDimensionThatDoesNotExistIsAnError(t *testing.T) {
	for _, c := range []struct {
		name string
		dim  int
		want string
	}{
		{"branin", 3, "branin.Dim = 3: want 2 (or 0)"},
		{"rosenbrock", 1, "rosenbrock.Dim = 1: want 2 ≤ Dim ≤ 1000, or 0 for 2"},
		{"levy", -1, "levy.Dim = -1: want 1 ≤ Dim ≤ 1000, or 0 for 2"},
		{"ackley", 1001, "ackley.Dim = 1001: want 1 ≤ Dim ≤ 1000, or 0 for 2"},
	} {
		_, err := Get(c.name, c.dim)
		if err == nil || err.Error() != c.want || !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("error is %q, want %q", err, c.want)
		}
	}
}

func TestPointOfTheWrongLengthPanics(t *testing.T) {
	defer func() {
		if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "functions: ") {
			t.Errorf("recovered %v", r)
		}
	}()
	get(t, "branin", 0).Value([]float64{1})
}

func TestResultsShareNothing(t *testing.T) {
	for _, name := range Names() {
		f := get(t, name, 0)
		f.Low[0], f.High[0], f.Maximizers[0][0] = 99, 99, 99
		if g := get(t, name, 0); g.Low[0] == 99 || g.High[0] == 99 || g.Maximizers[0][0] == 99 {
			t.Errorf("%s: writing to one result changed the next", name)
		}
	}
}

func TestPackageExample(t *testing.T) {
	f := get(t, "branin", 0)
	if regret := f.Maximum - f.Value([]float64{2.5, 7.5}); math.Abs(regret-23.73) > 0.005 {
		t.Errorf("regret %v", regret)
	}
}

func get(t *testing.T, name string, dim int) Function {
	t.Helper()
	return must.Get(Get(name, dim))(t)
}

// everyFunction returns each function in its usual dimension, and in 1 to 10 dimensions where they exist.
func everyFunction(t *testing.T) []Function {
	var all []Function
	for _, name := range Names() {
		all = append(all, get(t, name, 0))
		for d := 1; d <= 10; d++ {
			if f, err := Get(name, d); err == nil {
				all = append(all, f)
			}
		}
	}
	return all
}

func distance(x, y []float64) float64 {
	var sum float64
	for j := range x {
		sum += square(x[j] - y[j])
	}
	return math.Sqrt(sum)
}
