package acquisition

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// valley is best at known values of a branch that looks bad in its middle, and counts how often it is asked where a parameter
// that is inactive has a coordinate of its own.
type valley struct {
	space space.Space
	wrong int
}

func (v *valley) Value(u space.Unit) float64 {
	if !slices.Equal(v.space.Canonical(slices.Clone(u)), u) {
		v.wrong++
	}
	x := v.space.Value(u)
	if x[1] == 0 {
		return -math.Abs(x[0] - 0.7)
	}
	sum := 1.0
	for _, i := range []int{2, 3} { // peaks near a side, a dent in the middle
		sum -= 4 * (x[i] - 0.9) * (x[i] - 0.9)
	}
	return sum - 0.1*float64(3-x[4])
}

func (v *valley) Gradient(u space.Unit, grad []float64) float64 {
	const h = 1e-6
	for i := range u {
		a, b := slices.Clone(u), slices.Clone(u)
		a[i], b[i] = a[i]-h, b[i]+h
		grad[i] = 1 // where it is inactive, too: the search must not follow it
		if v.space.Active(u).Has(i) && v.space.Parameter(i).Levels() == 0 {
			grad[i] = (v.Value(b) - v.Value(a)) / (2 * h)
		}
	}
	return v.Value(u)
}

func TestABranchIsSearchedWhereItIsActive(t *testing.T) {
	s, err := space.New(
		space.Float("a", 0, 1).When("kind", "one"), space.Categorical("kind", "one", "two"), space.Float("b", 0, 1).When("kind", "two"),
		space.Float("c", 0, 1).When("kind", "two"), space.Int("n", 1, 3).When("kind", "two"),
	)
	if err != nil {
		t.Fatal(err)
	}
	start := s.Snap([]float64{0.7, 0.25, 0.5, 0.5, 0.5}) // the best of the other branch
	for seed := range uint64(20) {
		f := &valley{space: s}
		x := Maximize(f, Search{Space: s, Near: []space.Unit{start}, Candidates: 8, Stream: rng.New(seed, rng.Test, 0)})
		if got := f.Value(x); got < 0.999 {
			t.Errorf("seed %d: %s has %v, want nearly 1", seed, s.Format(s.Value(x)), got)
		}
		if f.wrong > 0 || !slices.Equal(s.Snap(x), x) {
			t.Errorf("seed %d: %d points were not canonical; found %v", seed, f.wrong, x)
		}
	}
}

// A parent that has steps is moved by its levels: what is active stays so while gradients are followed.
func TestGradientsLeaveParentsAlone(t *testing.T) {
	s, err := space.New(space.Float("p", 0, 1).Stepped(0.1), space.Float("q", 0, 1).WhenAtLeast("p", 0.5), space.Float("r", 0, 1).Stepped(0.1), space.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	search := Search{Space: s}
	for _, c := range []struct{ u, free []float64 }{
		{[]float64{0.9, 0.2, 0.3, 0.4}, []float64{0, 1, 1, 1}}, {[]float64{0.1, 0.5, 0.3, 0.4}, []float64{0, 0, 1, 1}},
	} {
		lower, upper := search.box(c.u)
		for i := range c.u {
			if upper[i]-lower[i] != c.free[i] || c.free[i] == 0 && lower[i] != c.u[i] {
				t.Errorf("at %v coordinate %d may go from %v to %v", c.u, i, lower[i], upper[i])
			}
		}
	}
}

// flat is the same everywhere.
type flat struct{}

func (flat) Value(space.Unit) float64                      { return 0 }
func (flat) Gradient(_ space.Unit, grad []float64) float64 { clear(grad); return 0 }

// In a long chain of parents a point costs much to make: none is made that cannot be looked at.
func TestNoPointIsMadeWhenTheBudgetIsSpent(t *testing.T) {
	chain := []space.Parameter{space.Int("n0", 1, 3)}
	for i := 1; i < 100; i++ {
		chain = append(chain, space.Int(fmt.Sprintf("n%d", i), 1, 3).WhenAtLeast(fmt.Sprintf("n%d", i-1), 2))
	}
	s, err := space.New(chain...)
	if err != nil {
		t.Fatal(err)
	}
	start := s.Snap(slices.Repeat(space.Unit{0.9}, s.Dim())) // where all are active
	allocations := testing.AllocsPerRun(1, func() {
		search := Search{Space: s, Stream: rng.New(1, rng.Test, 0)}
		search.climbLevels(newEvaluator(flat{}), discreteOf(s), candidate{start, 0}, 4)
	})
	if allocations > 100 { // every level of every parameter would be 300 points
		t.Errorf("%v allocations for 4 points", allocations)
	}
}

func TestCandidatesAreSpreadAtTheContext(t *testing.T) {
	s, err := space.New(space.Float("x", 0, 1).When("day", true), space.Bool("day").AsContext())
	if err != nil {
		t.Fatal(err)
	}
	search := Search{Space: s, Context: space.Unit{0.75}}
	if x := search.snapped(space.Unit{0.1, 0.25}); !slices.Equal(x, space.Unit{0.1, 0.75}) {
		t.Errorf("the candidate is at %v", x)
	}
}
