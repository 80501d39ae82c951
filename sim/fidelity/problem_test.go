package fidelity

import (
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// The parameters make a space, and a task follows from the seed and its number alone.
func TestTasksFollowFromTheirSeedAndNumber(t *testing.T) {
	if raced {
		t.Skip("pure, and run in full without the race detector")
	}
	points, tasks := 20, []func(uint64, int) Problem{Hartmann, FairUplink, Gas, Uplink, Lowers()[0].Branin}
	for _, make := range tasks {
		a, again, otherTask, otherSeed := make(1, 2), make(1, 2), make(1, 3), make(2, 2)
		s := must.Get(space.New(a.Parameters...))(t)
		if len(a.Costs) != len(a.Levels) || !slices.IsSorted(a.Levels) || !slices.IsSorted(a.Costs) {
			t.Errorf("%s: levels %v, costs %v", a.Name, a.Levels, a.Costs)
		}
		top := len(a.Levels) - 1
		x, maximum := a.Optimum()
		if a.Value(x, top) != maximum || s.Contains(x) != nil {
			t.Errorf("%s: the optimum %v at %v has the value %v", a.Name, maximum, x, a.Value(x, top))
		}
		for _, u := range s.Sample(space.Halton, points, rng.New(1, rng.Test, 0)) {
			x := s.Value(u)
			for level := range a.Levels {
				v := a.Value(x, level)
				if v != again.Value(x, level) || level == top && v > maximum {
					t.Errorf("%s: %v, then %v at %v, maximum %v", a.Name, v, again.Value(x, level), x, maximum)
				}
			}
		}
		u := s.Value(s.Random(rng.New(2, rng.Test, 0)))
		if v := a.Value(u, top); v == otherTask.Value(u, top) || v == otherSeed.Value(u, top) {
			t.Errorf("%s: the same value %v under another task or seed", a.Name, v)
		}
	}
}

func TestAFidelityThatIsNoLevelPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Hartmann(1, 0).At(space.Point{0, 0, 0, 0, 0, 0, 2.5})
}
