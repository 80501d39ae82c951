package space

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// What an evaluation costs is stated for each value, or lies on straight lines between values that are evenly spread.
func TestCostsAreThoseOfTheValues(t *testing.T) {
	for _, c := range []struct {
		p    Parameter
		v    float64
		want float64
	}{
		{Ordered("m", 1, 3, 9, 27).AsFidelity(10, 15, 20, 25), 9, 20},
		{Ordered("m", 1, 3, 9, 27).AsFidelity(10, 36), 3, 12},
		{Int("epochs", 1, 81).AsFidelity(1, 81), 27, 27},
		{LogInt("epochs", 1, 81).AsFidelity(1, 81), 27, 27},
		{Int("epochs", 10, 50).Stepped(20).AsFidelity(1, 4, 9), 30, 4},
		{Float("share", 0, 1).AsFidelity(1, 2, 10), 0.75, 6},
		{Float("share", 0, 1).AsFidelity(1, 2, 10), 1, 10},
		{Float("share", 0, 1), 1, 0},
	} {
		if got := c.p.Cost(c.v); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s with costs %v: %v at %v, want %v", c.p.Name, c.p.Costs, got, c.v, c.want)
		}
	}
}

// A fidelity is held by every search, at the greatest unless it is said otherwise.
func TestAFidelityIsHeld(t *testing.T) {
	s := must.Get(New(Float("x", 0, 1), Ordered("m", 1, 2, 4).AsFidelity(1, 2, 4), Float("z", 0, 1).AsContext(), Int("k", 0, 3).WhenAtLeast("m", 2)))(t)
	if i, has := s.Fidelity(); i != 1 || !has || !slices.Equal(s.Held(), []int{1, 2}) || !slices.Equal(s.Contexts(), []int{2}) || !slices.Equal(s.Actions(), []int{0, 3}) {
		t.Fatalf("fidelity %d %v, held %v, contexts %v, actions %v", i, has, s.Held(), s.Contexts(), s.Actions())
	}
	levels := s.Fidelities(8)
	if len(levels) != 3 || levels[2] != s.Target() || s.Parameter(1).Value(levels[0]) != 1 {
		t.Errorf("levels %v, target %v", levels, s.Target())
	}
	for _, level := range levels {
		u := s.RandomAt(s.Hold(Unit{0.25}, level), rng.New(1, rng.Design, 0))
		if u[1] != level || u[2] != 0.25 || s.OnTarget(u) != (level == s.Target()) || s.Cost(u) != s.Parameter(1).Cost(s.Value(u)[1]) {
			t.Errorf("at %v: %v costs %v", level, u, s.Cost(u))
		}
		if active := s.Active(u).Has(3); active != (level > levels[0]) || !active && u[3] != idle {
			t.Errorf("at %v: k is %v", level, u[3])
		}
		if top := s.AtTarget(u); !s.OnTarget(top) || top[0] != u[0] || !slices.Equal(top, s.Snap(top)) {
			t.Errorf("%v at the target is %v", u, top)
		}
	}
	plain := must.Get(New(Float("x", 0, 1)))(t)
	if _, has := plain.Fidelity(); has || !plain.OnTarget(Unit{0.3}) || plain.Cost(Unit{0.3}) != 0 || plain.Fidelities(4) != nil || len(plain.Hold(nil, math.NaN())) != 0 {
		t.Error("a space without a fidelity has one")
	}
}

// Of many values, and of infinitely many, some are looked at: both ends among them.
func TestFewOfManyFidelitiesAreLookedAt(t *testing.T) {
	for _, p := range []Parameter{Int("epochs", 1, 81).AsFidelity(1, 81), Float("share", 0.1, 1).AsFidelity(1, 10), LogInt("epochs", 1, 64).AsFidelity(1, 64)} {
		s := must.Get(New(Float("x", 0, 1), p))(t)
		levels := s.Fidelities(5)
		if len(levels) != 5 || !slices.IsSorted(levels) || p.Value(levels[0]) != p.Low || p.Value(levels[4]) != p.High || levels[4] != s.Target() {
			t.Errorf("%s: %v", p.Name, levels)
		}
	}
}

func TestAFidelityThatIsNoneIsRefused(t *testing.T) {
	x := Float("x", 0, 1)
	for _, c := range []struct {
		p    []Parameter
		want string
	}{
		{[]Parameter{x, Categorical("m", "a", "b").AsFidelity(1, 2)}, "Kind = categorical: want KindFloat, KindInt or KindOrdered for a fidelity"},
		{[]Parameter{x, Bool("m").AsFidelity(1, 2)}, "for a fidelity"},
		{[]Parameter{x, Ordered("m", 1, 2).AsFidelity()}, "Costs = []: want what an evaluation costs"},
		{[]Parameter{x, Ordered("m", 1, 2).AsFidelity(1, 2, 3)}, "Costs = 3: want at most 2 costs"},
		{[]Parameter{x, Ordered("m", 1, 2).AsFidelity(0, 2)}, "Costs[0] = 0: want a finite number > 0"},
		{[]Parameter{x, Ordered("m", 1, 2).AsFidelity(1, -2)}, "Costs[1] = -2"},
		{[]Parameter{x, Ordered("m", 1, 2).AsFidelity(1, math.Inf(1))}, "Costs[1] = +Inf"},
		{[]Parameter{x, Ordered("m", 1).AsFidelity(1, 2)}, "at least two values"},
		{[]Parameter{x, Ordered("m", 1, 2).AsFidelity(1, 2), Ordered("n", 1, 2).AsFidelity(1, 2)}, "one fidelity at most"},
		{[]Parameter{Ordered("m", 1, 2).AsFidelity(1, 2)}, "at least one parameter with the role Action"},
		{[]Parameter{x, Bool("b"), Ordered("m", 1, 2).AsFidelity(1, 2).When("b", "true")}, "no conditions of a fidelity"},
	} {
		if _, err := New(c.p...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.p[len(c.p)-1], err, c.want)
		}
	}
	odd := x
	odd.Costs = []float64{1, 2}
	if _, err := New(odd); err == nil || !strings.Contains(err.Error(), "none, unless Role is Fidelity") {
		t.Error(err)
	}
	for _, c := range []struct {
		p    Parameter
		want []float64
	}{
		{Ordered("m", 1, 2).AsFidelity(1, 2), nil},
		{Ordered("m", 1, 2).AsFidelity(2, 2), []float64{1}},
		{Ordered("m", 1, 3, 9, 27).AsFidelity(5, 2, 7, 4), []float64{1, 9}},
		{Int("epochs", 1, 81).AsFidelity(3, 3, 1), []float64{1, 41}},
	} {
		if got := c.p.Dear(); !slices.Equal(got, c.want) {
			t.Errorf("%v with costs %v: %v are dear, want %v", c.p.Name, c.p.Costs, got, c.want)
		}
	}
}

func TestAPointWithoutAFidelityIsMeantAtTheTarget(t *testing.T) {
	s := must.Get(New(Int("hour", 0, 23).AsContext(), Ordered("epochs", 1, 10).AsFidelity(1, 10), Float("x", 0, 1).Stepped(0.1)))(t)
	for _, c := range []struct{ given, want Point }{
		{Point{7, math.NaN(), 0.30000000000000004}, Point{7, 10, 0.3}},
		{Point{7, 0.3}, Point{7, 10, 0.3}},
		{Point{7, 1, 0.3}, Point{7, 1, 0.3}},
		{Point{0.3}, Point{0.3}}, // neither context nor fidelity: it is a wish
		{Point{1, 2, 3, 4}, Point{1, 2, 3, 4}},
	} {
		before := slices.Clone(c.given)
		if got := s.Meant(c.given); !slices.Equal(got, c.want) {
			t.Errorf("%v means %v, want %v", c.given, got, c.want)
		}
		if fmt.Sprint(before) != fmt.Sprint(c.given) {
			t.Errorf("%v was changed to %v", before, c.given)
		}
	}
}
