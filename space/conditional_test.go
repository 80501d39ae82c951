package space

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/rng"
)

// drawConditional draws a space some of whose parameters depend on others, in any order; discrete ones only unless real.
func drawConditional(t *rapid.T, real bool) Space {
	s, err := New(drawDependent(t, real)...)
	if err != nil && strings.Contains(err.Error(), "hold together") {
		t.Skip("never active")
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// drawDependent draws parameters some of which depend on others, in any order, perhaps in ways that contradict each other.
func drawDependent(t *rapid.T, real bool) []Parameter {
	n := rapid.IntRange(2, 6).Draw(t, "parameters")
	var made []Parameter
	for i := range n {
		p := drawSmall(t, fmt.Sprintf("p%d", i), real)
		for j := range made {
			q := made[j]
			if !q.discrete() || rapid.IntRange(0, 2).Draw(t, "depends") > 0 {
				continue
			}
			if q.Words() == nil && rapid.Bool().Draw(t, "at least") {
				p = p.WhenAtLeast(q.Name, q.Value(q.Level(rapid.IntRange(0, q.Levels()-1).Draw(t, "least"))))
				continue
			}
			levels := rapid.SliceOfNDistinct(rapid.IntRange(0, q.Levels()-1), 1, q.Levels(), rapid.ID[int]).Draw(t, "levels")
			var values []any
			for _, k := range levels {
				if v := q.Value(q.Level(k)); q.Words() != nil {
					values = append(values, q.Words()[int(v)])
				} else {
					values = append(values, v)
				}
			}
			p = p.When(q.Name, values...)
		}
		made = append(made, p)
	}
	return rapid.Permutation(made).Draw(t, "order")
}

func drawSmall(t *rapid.T, name string, real bool) Parameter {
	switch kind := rapid.IntRange(0, 6).Draw(t, "kind"); {
	case kind == 0:
		return Bool(name)
	case kind == 1:
		return Int(name, 3, 3+rapid.IntRange(0, 3).Draw(t, "more"))
	case kind == 2:
		return Categorical(name, []string{"a", "b", "c"}[:rapid.IntRange(1, 3).Draw(t, "choices")]...)
	case kind == 3:
		return Ordered(name, 1, 2, 8)
	case kind == 4:
		return LogInt(name, 1, 3)
	case kind == 5 && real:
		return LogFloat(name, 0.1, 10)
	}
	return Float(name, 0, 0.3).Stepped(0.1)
}

// activeByHand says the same as ActiveAt, from the conditions as they were given.
func activeByHand(s Space, x Point, i int) bool {
	for _, c := range s.Parameter(i).Conditions {
		at := slices.IndexFunc(s.Parameters(), func(p Parameter) bool { return p.Name == c.Parent })
		p := s.Parameter(at)
		if !activeByHand(s, x, at) {
			return false
		}
		if c.Values == nil {
			if x[at] < c.AtLeast {
				return false
			}
		} else if !slices.Contains(c.Values, p.Format(x[at])) {
			return false
		}
	}
	return true
}

func TestAnInactiveParameterHasOneCoordinateAndNoValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawConditional(t, true)
		u := make(Unit, s.Dim())
		for i := range u {
			u[i] = rapid.Float64Range(0, 1).Draw(t, "u")
		}
		snapped := s.Snap(u)
		if again := s.Snap(snapped); !slices.Equal(again, snapped) {
			t.Fatalf("snap is not idempotent: %v then %v", snapped, again)
		}
		x := s.Value(u)
		if other := s.Value(snapped); !slices.EqualFunc(x, other, func(a, b float64) bool { return a == b || a != a && b != b || math.Abs(a-b) < 1e-9 }) {
			t.Fatalf("%v is %v, snapped %v", u, x, other)
		}
		for i := range u {
			active := activeByHand(s, x, i)
			if got := []bool{s.Active(u).Has(i), s.Active(snapped).Has(i), s.ActiveAt(x).Has(i), s.SurelyActive(x).Has(i)}; slices.Contains(got, !active) {
				t.Fatalf("%s at %v: active is %v, want %v", s.Parameter(i).Name, x, got, active)
			}
			if active == math.IsNaN(x[i]) || !active && snapped[i] != 0.5 {
				t.Fatalf("%s is active: %v, at %v and %v", s.Parameter(i).Name, active, x[i], snapped[i])
			}
			if active != strings.Contains(" "+s.Format(x), " "+s.Parameter(i).Name+"=") {
				t.Fatalf("%v is printed as %s", x, s.Format(x))
			}
		}
		// Whatever stands in an inactive place, the point is the same.
		given := slices.Clone(x)
		for i := range given {
			if math.IsNaN(given[i]) {
				given[i] = rapid.SampledFrom([]float64{math.NaN(), 0, 1e9, math.Inf(1)}).Draw(t, "whatever")
			}
		}
		back, err := s.Unit(given)
		if err != nil || s.Contains(given) != nil {
			t.Fatalf("%v: %v", given, err)
		}
		for i := range back {
			if math.Abs(back[i]-snapped[i]) > 1e-9 {
				t.Fatalf("coordinate %d: %v became %v", i, snapped[i], back[i])
			}
		}
		if exact := s.Exact(given); s.Format(exact) != s.Format(x) || s.Format(given) != s.Format(x) {
			t.Fatalf("%s became %s", s.Format(x), s.Format(exact))
		}
	})
}

func TestConditionsComeBackFromJSONAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawConditional(t, true)
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back Space
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(s, back) {
			t.Fatalf("%v: %+v became %+v by way of %s", err, s, back, text)
		}
	})
}

func TestCombinationsAreThoseThatDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawConditional(t, false)
		all := map[string]bool{}
		levels := make([]int, s.Dim())
		for done := false; !done; {
			u := make(Unit, s.Dim())
			for i, k := range levels {
				u[i] = s.Parameter(i).Level(k)
			}
			all[fmt.Sprint(s.Canonical(u))] = true
			done = true
			for i := range levels {
				if levels[i]++; levels[i] < s.Parameter(i).Levels() {
					done = false
					break
				}
				levels[i] = 0
			}
		}
		if s.Combinations() != len(all) || s.Distinct(len(all)) != len(all) || len(all) > 1 && s.Distinct(len(all)-1) != 0 {
			t.Fatalf("%d combinations, %d of at most so many, want %d", s.Combinations(), s.Distinct(len(all)), len(all))
		}
		for _, u := range s.Grid() {
			if !all[fmt.Sprint(u)] {
				t.Fatalf("%v is none of the points, or comes twice", u)
			}
			delete(all, fmt.Sprint(u))
		}
	})
}

// A wish names some parameters; what is drawn for the others lets those that were named be active.
func TestAWishIsCompletedSoThatItHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawConditional(t, true)
		stream := rng.New(rapid.Uint64().Draw(t, "seed"), rng.Test, 0)
		from := s.Value(s.Random(stream))
		wish := slices.Clone(from)
		for i := range wish {
			if rapid.Bool().Draw(t, "open") {
				wish[i] = math.NaN()
			}
		}
		if err := s.Admits(wish); err != nil {
			t.Fatalf("%v is a part of %v: %v", wish, from, err)
		}
		x, u, err := s.Complete(wish, stream)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range wish {
			if !math.IsNaN(v) && x[i] != v {
				t.Fatalf("%v was completed to %v", wish, x)
			}
		}
		unit, err := s.Unit(x)
		if err != nil || !slices.Equal(unit, u) {
			t.Fatalf("%v: %v is at %v, want %v", err, x, u, unit)
		}
	})
}

func TestAWishThatContradictsItselfIsRefused(t *testing.T) {
	s, err := New(Categorical("kind", "adam", "sgd"), Float("beta", 0, 1).When("kind", "adam"), Float("mu", 0, 1).When("kind", "sgd"))
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	if err := s.Admits([]float64{nan, 0.5, 0.5}); err == nil || !strings.Contains(err.Error(), "no value of kind allows all of them") {
		t.Errorf("%v", err)
	}
	if err := s.Admits([]float64{1, 0.5}); err == nil || !strings.HasSuffix(err.Error(), "2 coordinates, want 3") {
		t.Errorf("%v", err)
	}
	if err := s.Admits([]float64{1, 0.5, 0.5}); err != nil {
		t.Errorf("what is inactive is not looked at: %v", err)
	}
	for seed := range uint64(20) {
		if x, _, err := s.Complete([]float64{nan, 0.5, nan}, rng.New(seed, rng.Test, 0)); err != nil || s.Format(x) != "kind=adam beta=0.5" {
			t.Fatalf("%v, %s", err, s.Format(x))
		}
	}
}

func TestAListWithConditionsHasEachPointOnce(t *testing.T) {
	parameters := []Parameter{Float("mu", 0, 1).When("kind", "sgd"), Categorical("kind", "adam", "sgd"), Float("beta", 0, 1).When("kind", "adam")}
	nan := math.NaN()
	s, err := List([]Point{{nan, 0, 0.5}, {0.25, 1, nan}, {7, 0, 0.5}, {0.3, 1, -1}, {nan, 0, 0.6}}, parameters...)
	if err != nil {
		t.Fatal(err)
	}
	if s.Distinct(100) != 4 || !slices.Equal(s.UnitPoints()[0], s.UnitPoints()[2]) {
		t.Fatalf("%d points: %v", s.Distinct(100), s.UnitPoints())
	}
	for k, u := range s.UnitPoints() {
		if !slices.Equal(s.Snap(u), u) {
			t.Errorf("point %d: %v is snapped to %v", k, u, s.Snap(u))
		}
		if err := s.Contains(s.Value(u)); err != nil {
			t.Errorf("point %d: %v", k, err)
		}
	}
	if got := s.Format(s.Value([]float64{0.3, 0.75, 0.9})); got != "mu=0.3 kind=sgd" {
		t.Errorf("the nearest point is %s", got)
	}
	if points := s.Matching([]float64{nan, nan, 0.5}); len(points) != 2 {
		t.Errorf("%v have beta = 0.5", points)
	}
	if points := s.Matching([]float64{0.25, 1, 0.5}); len(points) != 1 {
		t.Errorf("%v: beta is inactive where kind is sgd", points)
	}
	if _, err := List([]Point{{0.5}}, Bool("day").AsContext(), Float("x", 0, 1).When("day", true)); err == nil || !strings.Contains(err.Error(), "depends on a context") {
		t.Errorf("a list that depends on a context: %v", err)
	}
	if _, err := List([]Point{{nan, 1, 0.5}}, parameters...); err == nil || !strings.Contains(err.Error(), "Space.Points[0][0] = NaN") {
		t.Errorf("a point without a value of what is active: %v", err)
	}
}

func TestAParameterMayDependOnAContext(t *testing.T) {
	s, err := New(Float("x", 0, 1).When("day", true), Bool("day").AsContext(), Int("n", 1, 3))
	if err != nil {
		t.Fatal(err)
	}
	if u := s.Join([]float64{0.1, 0.5}, []float64{0.25}); !slices.Equal(u, []float64{0.5, 0.25, 0.5}) {
		t.Errorf("at night the point is %v", u)
	}
	if u := s.Join([]float64{0.1, 0.5}, []float64{0.75}); u[0] != 0.1 {
		t.Errorf("by day the point is %v", u)
	}
	// Whoever wishes for a point at a context to come has a value for it.
	x, u, err := s.Complete([]float64{math.NaN(), 2}, rng.New(1, rng.Test, 0))
	if err != nil || math.IsNaN(x[0]) || u[0] == 0.5 {
		t.Errorf("%v: %v, %v", err, x, u)
	}
}

func TestSpacesWithTooManyCombinationsAreNotCounted(t *testing.T) {
	s, err := New(Int("n", 1, 1<<30), Bool("b").WhenAtLeast("n", 5), Int("m", 1, 1<<30).When("b", true))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Distinct(1 << 30); got != 0 {
		t.Errorf("%d combinations", got)
	}
	deep := []Parameter{Bool("b0")}
	for i := range 40 { // a chain: each only where the one before is true
		deep = append(deep, Bool(fmt.Sprintf("b%d", i+1)).When(fmt.Sprintf("b%d", i), true))
	}
	if s, err = New(deep...); err != nil || s.Combinations() != 42 {
		t.Errorf("%v: %d combinations of a chain of 41 bools, want 42", err, s.Combinations())
	}
}

func TestConditionsOfTheCallerStayHis(t *testing.T) {
	base := Float("x", 0, 1).When("n", 2.0)
	a, b := base.When("k", "a"), base.When("k", "b")
	if a.Conditions[1].Values[0] != "a" || b.Conditions[1].Values[0] != "b" {
		t.Fatalf("%v and %v share a condition", a.Conditions, b.Conditions)
	}
	s, err := New(a, Int("n", 1, 3), Categorical("k", "a", "b"))
	if err != nil {
		t.Fatal(err)
	}
	a.Conditions[0].Values[0] = "3"
	if got := s.Parameter(0).Conditions; fmt.Sprint(got) != "[n = 2 k = a]" {
		t.Errorf("the space has %v", got)
	}
}

func TestWhatIsActiveAtAContextKeepsItsCoordinateThere(t *testing.T) {
	s, err := New(Float("x", 0, 1).When("user", "b"), Categorical("user", "a", "b").AsContext(), Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	if u := s.SnapAt(Unit{0.1, 0.25, 0.9}, Unit{0.75}); !slices.Equal(u, Unit{0.1, 0.75, 0.9}) {
		t.Errorf("the point is %v", u)
	}
	if u := s.SnapAt(Unit{0.1, 0.75, 0.9}, Unit{0.25}); !slices.Equal(u, Unit{0.5, 0.25, 0.9}) {
		t.Errorf("the point is %v", u)
	}
	stream := rng.New(1, rng.Test, 0)
	for range 20 {
		if u := s.RandomAt(Unit{0.75}, stream); u[0] == 0.5 || u[1] != 0.75 {
			t.Errorf("the point is %v", u)
		}
	}
}

func TestALeastValueIsANumber(t *testing.T) {
	for _, low := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, err := New(Int("n", 1, 3), Float("x", 0, 1).WhenAtLeast("n", low))
		if err == nil || !strings.Contains(err.Error(), "Space.Parameters[1].Conditions[0].AtLeast") || !strings.Contains(err.Error(), "1 … 3") {
			t.Errorf("at least %v: %v", low, err)
		}
	}
}

func TestAListIsNoValueOfAParent(t *testing.T) {
	for _, parent := range []Parameter{Int("n", 1, 5), Categorical("n", "[2 3]", "2")} {
		_, err := New(parent, Float("x", 0, 1).When("n", []int{2, 3}))
		if err == nil || !strings.Contains(err.Error(), "= []int{2, 3}: want a value of n") || !strings.Contains(err.Error(), "not in a list") {
			t.Errorf("%v: %v", parent.Kind, err)
		}
	}
}

// What a parameter needs is part of the work of counting: many combinations of deep conditions are not counted.
func TestNeedsCountAsWorkOfCounting(t *testing.T) {
	all := []Parameter{Int("n", 1, 4000)}
	for i := range 100 {
		p := Bool(fmt.Sprintf("b%d", i)).WhenAtLeast("n", 4000)
		for k := max(0, i-15); k < i; k++ {
			p = p.When(fmt.Sprintf("b%d", k), true)
		}
		all = append(all, p)
	}
	s, err := New(all...)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.when.tree.total; got != 0 {
		t.Errorf("%d combinations were counted", got)
	}
}
