package space

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// everyKind has a parameter of every kind, of few values and of many, fixed and not.
func everyKind(t testing.TB) Space {
	t.Helper()
	s, err := New(
		Float("real", -5, 10), LogFloat("rate", 1e-6, 1), Int("layers", 1, 8), LogInt("units", 1, 1000), Categorical("kind", "adam", "sgd", "lion"),
		Bool("bias"), Ordered("batch", 16, 32, 64, 100), Ordered("odd", -0.3, 1e-9, 0.1, 7e200), Float("dropout", 0, 0.5).Stepped(0.05),
		Float("fine", -1, 1).Stepped(1e-4), Float("third", 1.0/3, 5).Stepped(1.0/3), Int("width", 8, 70).Stepped(8),
		Float("fixed", 0.3, 0.3), LogFloat("fixed log", 0.3, 0.3), Int("fixed int", 7, 7), LogInt("fixed log int", 7, 7),
		Categorical("fixed kind", "adam"), Ordered("fixed batch", 32), Float("fixed context", 2, 2).AsContext(),
	)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLevelsOfEveryKind(t *testing.T) {
	want := map[string]int{
		"layers": 8, "units": 1000, "kind": 3, "bias": 2, "batch": 4, "odd": 4, "dropout": 11, "fine": 20001, "third": 15, "width": 8,
		"fixed": 1, "fixed log": 1, "fixed int": 1, "fixed log int": 1, "fixed kind": 1, "fixed batch": 1, "fixed context": 1,
	}
	for _, p := range everyKind(t).Parameters() {
		if got := p.Levels(); got != want[p.Name] {
			t.Errorf("%s has %d levels, want %d", p.Name, got, want[p.Name])
		}
		if p.Fixed() != strings.HasPrefix(p.Name, "fixed") {
			t.Errorf("%s: fixed is %v", p.Name, p.Fixed())
		}
	}
}

// A level goes to the unit cube and comes back as the same number, its rank is its own, and levels increase.
func TestEveryLevelIsItself(t *testing.T) {
	for _, p := range everyKind(t).Parameters() {
		before := math.Inf(-1)
		for k := range p.Levels() {
			u := p.Level(k)
			v := p.Value(u)
			if !(v > before) || p.Unit(v) != u || p.Value(p.Unit(v)) != v || p.Rank(u) != k || !p.Contains(v) || p.Exact(v) != v {
				t.Fatalf("%s: level %d at %v is %v, which is at %v, rank %d, contained %v", p.Name, k, u, v, p.Unit(v), p.Rank(u), p.Contains(v))
			}
			before = v
		}
	}
}

func TestWhereverAPointLiesItIsAValueOfItsParameter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParameter(t, "p")
		s := must.Get(New(p, Float("x", 0, 1)))(t)
		u := []float64{rapid.Float64Range(0, 1).Draw(t, "u"), 0.25}
		p = s.Parameter(0)
		v, snapped := p.Value(u[0]), s.Snap(u)
		if !p.Contains(v) || p.Exact(v) != v {
			t.Fatalf("%+v: %v at %v is no value", p, v, u[0])
		}
		if again := s.Snap(snapped); !slices.Equal(again, snapped) || p.Levels() > 0 && p.Value(snapped[0]) != v {
			t.Fatalf("%+v: %v is snapped to %v, then %v", p, u, snapped, again)
		}
		if n := p.Levels(); n > 0 && (p.Rank(u[0]) < 0 || p.Rank(u[0]) >= n || p.Value(p.Level(p.Rank(u[0]))) != v) {
			t.Fatalf("%+v: %v has rank %d of %d", p, u[0], p.Rank(u[0]), n)
		}
		for _, other := range []float64{v - 1e-3*math.Abs(v) - 1, math.NaN(), math.Inf(1), math.Inf(-1), -math.MaxFloat64} {
			if got := p.Exact(other); p.Levels() > 0 && p.Contains(got) && math.Abs(got-other) > 1e-6*max(math.Abs(got), p.Step) {
				t.Fatalf("%+v: %v means %v", p, other, got)
			}
		}
	})
}

// Each of the k levels is drawn about n/k times: Pearson's chi-square is within six standard deviations of its mean k − 1.
func TestEveryLevelIsDrawnEquallyOften(t *testing.T) {
	const n = 60_000
	s := everyKind(t)
	counts := make([][]float64, s.Dim())
	for i, p := range s.Parameters() {
		counts[i] = make([]float64, p.Levels())
	}
	stream := rng.New(5, rng.Test, 0)
	for range n {
		u := s.Random(stream)
		for i, p := range s.Parameters() {
			if p.Levels() > 0 {
				counts[i][p.Rank(u[i])]++
			}
		}
	}
	for i, p := range s.Parameters() {
		expected, square := n/float64(p.Levels()), 0.0
		for _, count := range counts[i] {
			square += (count - expected) * (count - expected) / expected
		}
		freedom := float64(p.Levels() - 1)
		if even := square <= freedom+6*math.Sqrt(2*freedom); even == (p.Name == "units") && p.Levels() > 0 {
			t.Errorf("%s: chi-square %v of %v degrees of freedom", p.Name, square, freedom)
		}
	}
}

func TestAFixedParameterNeverVaries(t *testing.T) {
	s := everyKind(t)
	stream := rng.New(6, rng.Test, 0)
	for _, d := range []Design{Uniform, LatinHypercube, Halton} {
		for _, u := range append(s.Sample(d, 5, stream), s.Snap(make([]float64, s.Dim()))) {
			x := s.Value(u)
			for i, p := range s.Parameters() {
				if p.Fixed() && (u[i] != 0.5 || x[i] != p.Value(0) || x[i] != p.Value(1)) {
					t.Errorf("%s is at %v, which is %v", p.Name, u[i], x[i])
				}
			}
		}
	}
	if n := s.Varying(); n != 12 {
		t.Errorf("%d parameters vary", n)
	}
	for _, p := range s.Parameters() {
		if p.Fixed() && p.Kind == KindFloat && p.Contains(math.Nextafter(p.Low, 1)) {
			t.Errorf("%s contains another value", p.Name)
		}
	}
}

func TestASpaceWhoseEveryActionIsFixedHasOnePoint(t *testing.T) {
	s := must.Get(New(Float("rate", 0.1, 0.1), Int("layers", 3, 3), Categorical("kind", "adam"), Ordered("batch", 32), Float("hour", 0, 24).AsContext()))(t)
	if grid := s.Grid(); s.Combinations() != 1 || len(grid) != 1 || !slices.Equal(grid[0], []float64{0.5, 0.5, 0.5, 0.5}) {
		t.Errorf("%d combinations: %v", s.Combinations(), grid)
	}
	if x := s.Value(s.Random(rng.New(1, rng.Test, 0))); !slices.Equal(x[:4], []float64{0.1, 3, 0, 32}) {
		t.Errorf("the point is %v", x)
	}
	if n := s.Varying(); n != 1 {
		t.Errorf("%d parameters vary", n)
	}
}

func TestTheGridOfTheNewKinds(t *testing.T) {
	s := must.Get(New(Bool("bias"), Ordered("batch", 16, 32, 100), Float("dropout", 0, 0.5).Stepped(0.25), Float("fixed", 3, 3), Int("n", 0, 9).Stepped(4)))(t)
	grid := s.Grid()
	if s.Combinations() != 2*3*3*3 || len(grid) != 54 {
		t.Fatalf("%d combinations, %d points", s.Combinations(), len(grid))
	}
	if first, last := s.Value(grid[0]), s.Value(grid[53]); !slices.Equal(first, []float64{0, 16, 0, 3, 0}) || !slices.Equal(last, []float64{1, 100, 0.5, 3, 8}) {
		t.Errorf("from %v to %v", first, last)
	}
}

func TestOrderedValuesAreSearchedByRank(t *testing.T) {
	p := Ordered("batch", 64, 16, 1000, 32)
	for v, want := range map[float64]float64{16: 0.125, 32: 0.375, 64: 0.625, 1000: 0.875, 900: 0.875, -1: 0.125, 1e9: 0.875, 24: 0.125} {
		if got := p.Unit(v); got != want {
			t.Errorf("%v is at %v, want %v", v, got, want)
		}
	}
	if p.Value(0.2499) != 16 || p.Value(0.25) != 32 || p.Value(1) != 1000 || !math.IsNaN(p.Value(math.NaN())) {
		t.Error("shares of the interval")
	}
	if whole, parts := p.Whole(), Ordered("x", 1, 2.5).Whole(); !whole || parts || Float("x", 0, 1).Whole() || !Int("n", 0, 1).Whole() {
		t.Errorf("whole numbers: %v, %v", whole, parts)
	}
}

// rounded is the sum of 0.1 and 0.2 in float64.
const rounded = 0.30000000000000004

func TestWhatWasRoundedOnItsWayIsTheExactValue(t *testing.T) {
	stepped, ordered, fixed := Float("x", 0, 1).Stepped(0.1), Ordered("z", 0.3, 1e6, 1e6+1), Float("fixed", 0.3, 0.3)
	for _, c := range []struct {
		p       Parameter
		v, want float64
	}{
		{stepped, rounded, 0.3}, {stepped, 0.3, 0.3}, {stepped, 0.3 + 0.9e-7, 0.3}, {stepped, 0.3 - 0.9e-7, 0.3},
		{stepped, 0.3 + 1.1e-7, 0.3 + 1.1e-7}, {stepped, 1e-17, 0}, {stepped, -1e-17, 0}, {stepped, 1 + 1e-16, 1}, {stepped, 1.1, 1.1},
		{ordered, rounded, 0.3}, {ordered, 0.3 + 2e-10, 0.3}, {ordered, 0.3 + 4e-10, 0.3 + 4e-10},
		{ordered, 1e6 + 9e-4, 1e6}, {ordered, 1e6 + 1 - 9e-4, 1e6 + 1}, {ordered, 1e6 + 0.5, 1e6 + 0.5}, {ordered, 2e6, 2e6},
		{fixed, rounded, 0.3}, {fixed, 0.3001, 0.3001}, {Float("x", 0, 1), rounded, rounded}, {Int("n", 0, 8).Stepped(2), 2.0000000001, 2.0000000001},
	} {
		if got := c.p.Exact(c.v); got != c.want {
			t.Errorf("%s: %v means %v, want %v", c.p.Range(), c.v, got, c.want)
		}
	}
	for _, p := range everyKind(t).Parameters() {
		if !math.IsNaN(p.Exact(math.NaN())) || !math.IsInf(p.Exact(math.Inf(-1)), -1) || p.Contains(math.NaN()) || p.Contains(math.Inf(1)) {
			t.Errorf("%s: NaN and infinities are values", p.Name)
		}
	}
	sum := -1.0 // as a client adds the steps up: ten of them do not lead to 0
	for range 10 {
		sum += 0.1
	}
	if got := Float("x", -1, 1).Stepped(0.1).Exact(sum); got != 0 || sum == 0 {
		t.Errorf("ten steps from -1 are %v, which means %v", sum, got)
	}
}

func TestPointsThatWereRoundedOnTheirWay(t *testing.T) {
	s := must.Get(List([]Point{{rounded, 0.5}, {0.6000000000000001, 0.25}}, Float("x", 0, 1).Stepped(0.1), Float("y", 0, 1), Ordered("z", 0.3, 1).AsContext()))(t)
	for _, x := range []Point{{rounded, 0.5, 0.3}, {0.6000000000000001, 0.25, rounded}} {
		if u, err := s.Unit(s.Exact(x)); err != nil || !slices.Equal(s.Value(u), s.Exact(x)) || slices.Equal(x, s.Exact(x)) {
			t.Errorf("%v: %v at %v", x, err, u)
		}
		if _, err := s.Unit(x); err == nil {
			t.Errorf("%v is a point as it is", x)
		}
	}
	if got := s.Exact([]float64{rounded, math.NaN()}); got[0] != 0.3 || !math.IsNaN(got[1]) {
		t.Errorf("actions only: %v", got)
	}
	if got := s.ExactContext([]float64{rounded}); got[0] != 0.3 {
		t.Errorf("contexts only: %v", got)
	}
	if got := s.Exact([]float64{7}); !slices.Equal(got, []float64{7}) || len(s.ExactContext(nil)) != 0 {
		t.Errorf("of another length: %v", got)
	}
}

func TestEveryKindInWords(t *testing.T) {
	for _, c := range []struct {
		p            Parameter
		v            float64
		format, want string
	}{
		{Bool("b"), 1, "true", "0 (false) or 1 (true)"},
		{Categorical("c", "adam"), 0, "adam", "one of adam (by index)"},
		{Ordered("o", 16, 1e6), 1e6, "1000000", "one of 16, 1000000"},
		{Ordered("o", 0.5, 1e6), 1e6, "1000000", "one of 0.5, 1000000"},
		{Ordered("o", 1e-9, 1e20), 1e-9, "1e-09", "one of 1e-09, 1e+20"},
		{Ordered("o", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21), 3, "3",
			"one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 … 21"},
		{Float("x", 0, 1).Stepped(0.1), 0.3, "0.3", "one of 0, 0.1 … 1 (steps of 0.1)"},
		{Float("x", 0, 1).Stepped(1), 1, "1", "one of 0, 1 (steps of 1)"},
		{Float("x", 0, 1).Stepped(0.5), 0.5, "0.5", "one of 0, 0.5, 1 (steps of 0.5)"},
		{Int("n", 0, 30).Stepped(8), 24, "24", "one of 0, 8 … 24 (steps of 8)"},
		{Float("x", 1e-5, 1e-5), 1e-5, "1e-05", "the fixed value 1e-05"},
		{Int("n", 3, 3), 3, "3", "the fixed value 3"},
	} {
		if got := c.p.Format(c.v); got != c.format {
			t.Errorf("%+v: %s, want %s", c.p, got, c.format)
		}
		if got := c.p.Range(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.p, got, c.want)
		}
	}
	if !slices.Equal(Bool("b").Words(), []string{"false", "true"}) || Ordered("o", 1).Words() != nil || Int("n", 0, 1).Words() != nil {
		t.Error("words")
	}
	if got := fmt.Sprint(KindBool, KindOrdered, Kind(-1)); got != "bool ordered Kind(-1)" {
		t.Error(got)
	}
}

func TestWhatHasNoOrder(t *testing.T) {
	s := everyKind(t)
	for i, unordered := range s.Categorical() {
		if name := s.Parameter(i).Name; unordered != (name == "kind" || name == "bias") {
			t.Errorf("%s: unordered is %v", name, unordered)
		}
	}
}

func TestParametersOfASpaceAreReadWithoutAllocation(t *testing.T) {
	for _, p := range everyKind(t).Parameters() {
		v, k := p.Value(0.3), 0
		if n := testing.AllocsPerRun(100, func() { k += p.Rank(p.Unit(p.Exact(p.Value(0.7)))) + p.Levels() }); n > 0 {
			t.Errorf("%s (%v): %v allocations", p.Name, v, n)
		}
	}
}
