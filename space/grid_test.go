package space

import (
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

func TestTheGridHasEveryCombinationOnce(t *testing.T) {
	s := must.Get(New(Int("n", 1, 3), Categorical("kind", "a", "b"), Int("day", 1, 7).AsContext(), LogInt("m", 1, 4)))(t)
	grid := s.Grid()
	if s.Combinations() != 24 || len(grid) != 24 {
		t.Fatalf("%d combinations, %d points", s.Combinations(), len(grid))
	}
	for k, action := range grid {
		if snapped := s.Snap(s.Join(action, []float64{s.Parameter(2).Level(0)})); !slices.Equal(snapped, s.Join(action, []float64{s.Parameter(2).Level(0)})) {
			t.Errorf("point %d is not representable: %v", k, action)
		}
		if slices.ContainsFunc(grid[:k], func(other Unit) bool { return slices.Equal(other, action) }) {
			t.Errorf("point %d comes twice", k)
		}
	}
	if first, last := s.Value(s.Join(grid[0], []float64{0}))[0], s.Value(s.Join(grid[23], []float64{0})); first != 1 || last[0] != 3 || last[3] != 4 {
		t.Errorf("from %v to %v", first, last)
	}
}

func TestSpacesWithoutAGrid(t *testing.T) {
	list, _ := List([]Point{{1}, {2}}, Int("n", 1, 3))
	real, _ := New(Float("x", 0, 1), Int("n", 1, 3))
	large, _ := New(Int("n", 1, 65), Int("m", 1, 64))
	for name, s := range map[string]Space{"list": list, "real": real, "large": large} {
		if s.Endless() != (name == "real") {
			t.Errorf("%s: endless: %v", name, s.Endless())
		}
		if s.Combinations() != 0 || len(s.Grid()) != 0 {
			t.Errorf("%s: %d combinations", name, s.Combinations())
		}
		if isolated := s.Isolated(s.Snap(make(Unit, s.Dim()))); isolated != (name != "real") {
			t.Errorf("%s: isolated: %v", name, isolated)
		}
	}
	branches, _ := New(Categorical("kind", "a", "b"), Float("x", 0, 1).When("kind", "a"), Float("y", 2, 2))
	for kind, want := range []bool{false, true} {
		if u := branches.Snap(Unit{0.25 + 0.5*float64(kind), 0.3, 0}); branches.Isolated(u) != want {
			t.Errorf("%v: isolated: %v", u, !want)
		}
	}
}
