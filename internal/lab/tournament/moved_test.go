package tournament

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/sim/functions"
	"github.com/tarry-bo/tarry/space"
)

func TestAMovedAndTurnedFunctionOfHandWorkedValues(t *testing.T) {
	f, err := functions.Get("rosenbrock", 2) // maximum at (1, 1), in a box 15 wide
	if err != nil {
		t.Fatal(err)
	}
	m := motion{f: f, to: []float64{3, 2}}
	// (3, 3) is as far from (3, 2) as (1, 2) from (1, 1): 100 (2 − 1)².
	if v := m.value([]float64{3, 3}); math.Abs(v+100) > 1e-9 {
		t.Errorf("moved: %v, want -100", v)
	}
	m.turn = [][]float64{{0, 1}, {-1, 0}} // a step up becomes one to the right: (2, 1), 100 (1 − 4)² + 1
	if v := m.value([]float64{3, 3}); math.Abs(v+901) > 1e-9 {
		t.Errorf("turned: %v, want -901", v)
	}
}

func TestTurningKeepsLengthsAndAngles(t *testing.T) {
	for _, dim := range []int{1, 2, 5, 20} {
		rows := orthogonal(dim, rng.New(1, rng.Test, uint64(dim)))
		for i := range rows {
			for j := range rows {
				want := 0.0
				if i == j {
					want = 1
				}
				if got := dot(rows[i], rows[j]); math.Abs(got-want) > 1e-12 {
					t.Errorf("%d dimensions: rows %d and %d have the product %v", dim, i, j, got)
				}
			}
		}
	}
}

// The search for the maximum against looking at every point.
func TestAClimbFindsWhatLookingEverywhereFinds(t *testing.T) {
	s, err := space.New(space.Int("a", 0, 40), space.Int("b", 0, 40), space.Categorical("c", "x", "y", "z"))
	if err != nil || s.Grid() != nil && len(s.Grid()) > 0 {
		t.Fatalf("%v; the space shall be too large for looking everywhere", err)
	}
	seeds := uint64(5)
	if raced {
		seeds = 1
	}
	for seed := range seeds {
		path, err := draw(0, 2, 0.3, rng.New(seed, rng.Test, 0))
		if err != nil {
			t.Fatal(err)
		}
		value := func(x space.Point) float64 { return path(space.Point{x[0] / 40, x[1] / 40}) * (1 + 0.1*x[2]) }
		best := math.Inf(-1)
		for a := range 41 {
			for b := range 41 {
				for c := range 3 {
					best = max(best, value([]float64{float64(a), float64(b), float64(c)}))
				}
			}
		}
		if _, got := ends(s, value); got.value != best {
			t.Errorf("seed %d: %v, want %v", seed, got.value, best)
		}
	}
}

func TestAClimbOnFloatsEndsAtTheTop(t *testing.T) {
	s, err := unitBox(3)
	if err != nil {
		t.Fatal(err)
	}
	top := []float64{0.123456, 0.5, 1}
	_, got := ends(s, func(x space.Point) float64 {
		sum := 0.0
		for j, v := range x {
			sum -= (v - top[j]) * (v - top[j])
		}
		return sum
	})
	if got.value < -1e-12 || slices.Max(got.x) != 1 {
		t.Errorf("%v with value %v", got.x, got.value)
	}
}
