package space

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

func mixed(t *testing.T) Space {
	t.Helper()
	s, err := New(Float("x", -5, 10), LogFloat("lr", 1e-6, 1), Int("layers", 1, 8), LogInt("units", 1, 1000), Categorical("opt", "adam", "sgd", "lion"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestKnownValues(t *testing.T) {
	s := mixed(t)
	x := s.Value([]float64{0.5, 0.5, 0.51, 0.5, 0.4})
	want := []float64{2.5, 1e-3, 5, 31, 1}
	for i, v := range want {
		if math.Abs(x[i]-v) > 1e-12*math.Abs(v) {
			t.Errorf("%s = %v, want %v", s.Parameter(i).Name, x[i], v)
		}
	}
	if got := s.Format(x); got != "x=2.5 lr=0.001 layers=5 units=31 opt=sgd" {
		t.Errorf("Format: %s", got)
	}
}

func TestEndsOfTheRangeAreReachedExactly(t *testing.T) {
	s := mixed(t)
	low, high := s.Value(make([]float64, 5)), s.Value([]float64{1, 1, 1, 1, 1})
	if !slices.Equal(low, []float64{-5, 1e-6, 1, 1, 0}) || !slices.Equal(high, []float64{10, 1, 8, 1000, 2}) {
		t.Fatalf("corners are %v and %v", low, high)
	}
}

func TestRoundTrips(t *testing.T) {
	s := mixed(t)
	rapid.Check(t, func(t *rapid.T) {
		u := make(Unit, s.Dim())
		for i := range u {
			u[i] = rapid.Float64Range(0, 1).Draw(t, "u")
		}
		snapped := s.Snap(u)
		if again := s.Snap(snapped); !slices.Equal(again, snapped) {
			t.Fatalf("snap is not idempotent: %v then %v", snapped, again)
		}
		x := s.Value(snapped)
		if !slices.Equal(x[2:], s.Value(u)[2:]) {
			t.Fatalf("snapping %v changes the levels", u)
		}
		back, err := s.Unit(x)
		if err != nil {
			t.Fatal(err)
		}
		for i := range back {
			if math.Abs(back[i]-snapped[i]) > 1e-9 {
				t.Fatalf("coordinate %d: %v became %v", i, snapped[i], back[i])
			}
		}
	})
}

func TestValueIsMonotoneInTheUnitCoordinate(t *testing.T) {
	s := mixed(t)
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64Range(0, 1).Draw(t, "a"), rapid.Float64Range(0, 1).Draw(t, "b")
		for i := range s.Dim() {
			if p := s.Parameter(i); a <= b && p.Value(a) > p.Value(b) {
				t.Fatalf("%s: Value(%v) > Value(%v)", p.Name, a, b)
			}
		}
	})
}

func TestEveryLevelOfAnIntIsEquallyLikely(t *testing.T) {
	p := Int("n", -2, 2)
	counts := map[float64]int{}
	for i := range 1000 {
		counts[p.Value((float64(i)+0.5)/1000)]++
	}
	for v := -2.0; v <= 2; v++ {
		if counts[v] != 200 {
			t.Errorf("level %v: %d of 1000", v, counts[v])
		}
	}
}

func TestAllViolationsOfASpaceAreNamed(t *testing.T) {
	_, err := New(Float("a", 3, 1), LogFloat("b", 0, 1), Int("", 1, 2), Categorical("d", "one", "one"),
		Parameter{Name: "e", Kind: KindInt, Low: 0.5, High: math.NaN()}, Float("a", 0, 1), Parameter{Name: "k", Kind: 9, Role: 7})
	if !errors.Is(err, check.ErrInvalidOption) {
		t.Fatalf("error %v", err)
	}
	for _, want := range []string{
		"Parameters[0].High = 1: want a number of at least Low = 3", "Parameters[1].Low = 0", "Parameters[2].Name", "Parameters[3].Choices[1] = one",
		"Parameters[4].Low = 0.5: want a whole number", "Parameters[4].High = NaN", "Parameters[5].Name = a: want distinct", "Parameters[6].Kind = 9", "Parameters[6].Role = 7",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in\n%v", want, err)
		}
	}
	if _, err := New(); err == nil {
		t.Error("an empty space was accepted")
	}
	if _, err := New(Float("z", 0, 1).AsContext()); err == nil || !strings.Contains(err.Error(), "Action") {
		t.Errorf("a space without actions: %v", err)
	}
	if _, err := New(Categorical("c")); err == nil || !strings.Contains(err.Error(), "Choices = []: want at least one choice") {
		t.Errorf("a categorical without choices: %v", err)
	}
}

func TestContainsNamesTheParameter(t *testing.T) {
	s := mixed(t)
	for _, bad := range []Point{
		{11, 1e-3, 1, 1, 0}, {0, 1e-3, 1.5, 1, 0}, {0, math.NaN(), 1, 1, 0}, {0, 1e-3, 1, 1, 3}, {0, 1e-3, 1, 1, 0.5}, {0},
	} {
		if err := s.Contains(bad); !errors.Is(err, ErrOutsideSpace) {
			t.Errorf("Contains(%v) = %v", bad, err)
		}
		if _, err := s.Unit(bad); err == nil {
			t.Errorf("Unit(%v) succeeded", bad)
		}
	}
	if err := s.Contains([]float64{11, 1e-3, 1, 1, 0}); !strings.Contains(err.Error(), "x = 11, want a number in [-5, 10]") {
		t.Error(err)
	}
	if err := s.ContainsUnit([]float64{0, 0, 0, 0, 1.1}); err == nil || !strings.Contains(err.Error(), "opt = 1.1") {
		t.Error(err)
	}
	if err := s.ContainsUnit([]float64{0}); err == nil {
		t.Error("a short point was accepted")
	}
	if err := s.ContainsUnit([]float64{0, 1, 0.5, 0, 1}); err != nil {
		t.Error(err)
	}
}

func TestAFiniteListComesBackToTheBit(t *testing.T) {
	points := []Point{{0.1, 2}, {0.7, 3}, {1.0 / 3, 1}}
	s, err := List(points, Float("x", 0, 1), Int("n", 1, 3))
	if err != nil {
		t.Fatal(err)
	}
	if s.Size() != 3 || len(s.UnitPoints()) != 3 {
		t.Fatal("size")
	}
	for _, p := range points {
		u, err := s.Unit(p)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Value(u); !slices.Equal(got, p) {
			t.Errorf("%v came back as %v", p, got)
		}
	}
	if got := s.Value(s.Snap([]float64{0.65, 0.9})); !slices.Equal(got, points[1]) {
		t.Errorf("nearest to (0.65, 0.9) is %v", got)
	}
	if err := s.Contains([]float64{0.1, 3}); !errors.Is(err, ErrOutsideSpace) {
		t.Errorf("a point that is not listed: %v", err)
	}
	for _, u := range s.Sample(Uniform, 50, rng.New(1, rng.Test, 0)) {
		if !slices.Equal(s.Snap(u), u) || s.Contains(s.Value(u)) != nil {
			t.Fatalf("sampled %v, which is not in the list", u)
		}
	}
	_, err = List([]Point{{2, 1}, {0.5}}, Float("x", 0, 1), Int("n", 1, 3))
	if err == nil || !strings.Contains(err.Error(), "Points[0][0] = 2") || !strings.Contains(err.Error(), "Points[1]") {
		t.Errorf("bad list: %v", err)
	}
	if _, err = List(points, Float("x", 1, 0)); err == nil {
		t.Error("bad parameters were accepted")
	}
}

func TestContextIsJoinedWithTheAction(t *testing.T) {
	s, err := List([]Point{{0.25}, {0.75}}, Int("day", 1, 7).AsContext(), Float("dose", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Contexts(), []int{0}) || !slices.Equal(s.Actions(), []int{1}) {
		t.Fatal("roles")
	}
	u := s.Join([]float64{0.75}, []float64{0.5})
	if x := s.Value(u); !slices.Equal(x, []float64{4, 0.75}) {
		t.Fatalf("joined point is %v", x)
	}
	stream := rng.New(1, rng.Test, 0)
	for range 20 {
		if u := s.Random(stream); s.Contains(s.Value(u)) != nil {
			t.Fatalf("random point %v", u)
		}
	}
}

func TestDesignsAreInTheSpaceAndReproducible(t *testing.T) {
	s := mixed(t)
	for _, d := range []Design{Uniform, LatinHypercube, Halton} {
		a, b := s.Sample(d, 16, rng.New(3, rng.Design, 0)), s.Sample(d, 16, rng.New(3, rng.Design, 0))
		for i := range a {
			if !slices.Equal(a[i], b[i]) {
				t.Fatalf("%v: point %d differs between two calls", d, i)
			}
			if s.Contains(s.Value(a[i])) != nil || !slices.Equal(s.Snap(a[i]), a[i]) {
				t.Fatalf("%v: point %v is not in the space", d, a[i])
			}
		}
		if len(s.Sample(d, 0, rng.New(3, rng.Design, 0))) != 0 {
			t.Fatal("no points wanted")
		}
	}
	if Designs()[Halton] != "halton" || len(Designs()) != 3 {
		t.Error(Designs())
	}
	if Design(7).String() != "Design(7)" || Kind(8).String() != "Kind(8)" || KindInt.String() != "int" {
		t.Error("String")
	}
}

func TestLatinHypercubeHasOnePointInEachSlice(t *testing.T) {
	s, _ := New(Float("a", 0, 1), Float("b", 0, 1))
	n := 20
	points := s.Sample(LatinHypercube, n, rng.New(1, rng.Design, 0))
	for j := range 2 {
		seen := make([]bool, n)
		for _, p := range points {
			seen[min(int(p[j]*float64(n)), n-1)] = true
		}
		if slices.Contains(seen, false) {
			t.Fatalf("coordinate %d leaves a slice empty", j)
		}
	}
}

func TestLevelsAndKinds(t *testing.T) {
	s := mixed(t)
	want := []int{0, 0, 8, 1000, 3}
	for i, n := range want {
		if got := s.Parameter(i).Levels(); got != n {
			t.Errorf("%s: %d levels, want %d", s.Parameter(i).Name, got, n)
		}
	}
	if !slices.Equal(s.Categorical(), []bool{false, false, false, false, true}) || len(s.Parameters()) != 5 {
		t.Error("Categorical")
	}
	for i := range 5 {
		if s.Parameter(i).Range() == "" || s.Parameter(i).Kind.String() == "" {
			t.Error("no description")
		}
	}
}

// Lists is true for the points of a list alone, wherever the contexts are.
func TestASpaceListsItsPoints(t *testing.T) {
	s, err := List([]Point{{1, 0}, {2, 1}, {1, 0}}, Float("x", 0, 4), Float("hour", 0, 24).AsContext(), Bool("on"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x    Point
		want bool
	}{{Point{1, 7, 0}, true}, {Point{1, 8, 0}, true}, {Point{2, 0, 1}, true}, {Point{2, 0, 0}, false}, {Point{3, 7, 0}, false}} {
		if got := s.Lists(s.toUnit(c.x)); got != c.want {
			t.Errorf("%v is listed: %v", c.x, got)
		}
	}
	box, err := New(Float("x", 0, 4))
	if err != nil || box.Lists(Unit{0.5}) {
		t.Errorf("a box lists its points: %v", err)
	}
}

// What a space returns of its parameters is not its own.
func TestParametersShareNothingWithTheSpace(t *testing.T) {
	s := must.Get(New(Categorical("kind", "a", "b"), Float("rate", 0, 1).When("kind", "a"), Ordered("part", 1, 2).AsFidelity(3, 4)))(t)
	was := must.Get(s.MarshalJSON())(t)
	all := s.Parameters()
	all[0].Choices[0], all[1].Conditions[0].Values, all[2].Values[0], all[2].Costs[0] = "c", nil, 7, 9
	all[0].Name = "other"
	if now := must.Get(s.MarshalJSON())(t); string(now) != string(was) {
		t.Errorf("%s was %s", now, was)
	}
}

// Whole numbers that are no numbers, and logarithms that lead nowhere, are refused where they are.
func TestRangesBeyondTheNumbersAreRefused(t *testing.T) {
	for _, c := range []struct {
		p    Parameter
		want string
	}{
		{Int("n", 1<<53, 1<<53+4), "Space.Parameters[0].High = 9.007199254740996e+15: want a whole number from −2^53 to 2^53"},
		{Int("n", math.MinInt64, -1<<62), "Space.Parameters[0].Low = -9.223372036854776e+18: want a whole number from −2^53 to 2^53"},
		{LogFloat("x", 5e-324, 1), "Space.Parameters[0].Low = 5e-324: want at least 2.3e-308, since Log is set"},
	} {
		if _, err := New(c.p); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	for _, p := range []Parameter{Int("n", -1<<53, -1<<53+4), Int("n", 1<<53-4, 1<<53), LogFloat("x", 2.3e-308, 1)} {
		if _, err := New(p); err != nil {
			t.Error(err)
		}
	}
}
