package acquisition

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// slope rises along every coordinate and remembers where it was looked at.
type slope struct{ seen []space.Unit }

func (s *slope) Value(x space.Unit) float64 { return s.Gradient(x, make([]float64, len(x))) }

func (s *slope) Gradient(x space.Unit, grad []float64) float64 {
	s.seen = append(s.seen, slices.Clone(x))
	var sum float64
	for j, v := range x {
		sum += math.Sin(v)
		grad[j] = math.Cos(v)
	}
	return sum
}

// A fixed parameter stays where it is, whatever its kind, and no value is spent on it.
func TestFixedParametersAreLeftAlone(t *testing.T) {
	s, err := space.New(space.Float("fixed", 3, 3), space.Float("x", 0, 1), space.LogFloat("fixed log", 3, 3), space.Int("fixed int", 2, 2),
		space.Ordered("fixed batch", 32), space.Categorical("fixed kind", "a"), space.Int("n", 1, 99), space.Float("fixed context", 1, 1).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	f := &slope{}
	got := Maximize(f, Search{Space: s, Stream: rng.New(1, rng.Test, 5), Near: []space.Unit{s.Random(rng.New(1, rng.Test, 6))}, Context: []float64{0.5}})
	for _, x := range append(f.seen, got) {
		for i, p := range s.Parameters() {
			if p.Fixed() && x[i] != 0.5 {
				t.Fatalf("%s was moved to %v", p.Name, x[i])
			}
		}
	}
	if x := s.Value(got); x[1] != 1 || x[6] != 99 {
		t.Errorf("found %s", s.Format(x))
	}
	for k := range discreteOf(s) {
		if i := discreteOf(s)[k]; s.Parameter(i).Fixed() {
			t.Errorf("levels of %s are tried", s.Parameter(i).Name)
		}
	}
}

func TestTheOnePointOfAFixedSpaceIsFound(t *testing.T) {
	s := must.Get(space.New(space.Float("x", 3, 3), space.Int("n", 2, 2), space.Categorical("kind", "a"), space.Float("hour", 0, 24).AsContext()))(t)
	f := &slope{}
	got := Maximize(f, Search{Space: s, Stream: rng.New(1, rng.Test, 7), Context: []float64{0.25}, Avoid: []space.Unit{{0.5, 0.5, 0.5, 0.25}}})
	if !slices.Equal(got, []float64{0.5, 0.5, 0.5, 0.25}) || len(f.seen) != 1 {
		t.Errorf("found %v after %d values", got, len(f.seen))
	}
}

// Steps and ranks are searched by gradients, as real numbers are: what is found is next to what they lead to, as near as
// the steps allow.
func TestStepsAreSearchedAsWellAsRealNumbers(t *testing.T) {
	for _, d := range []int{2, 10, 20} {
		for _, levels := range []int{11, 501} {
			ordered := make([]float64, levels)
			for k := range ordered {
				ordered[k] = float64(k * k)
			}
			parameters := make([]space.Parameter, d)
			for j := range parameters {
				switch name := fmt.Sprintf("x%d", j); j % 3 {
				case 0:
					parameters[j] = space.Float(name, 0, 1).Stepped(1 / float64(levels-1))
				case 1:
					parameters[j] = space.Int(name, 0, 7*(levels-1)).Stepped(7)
				case 2:
					parameters[j] = space.Ordered(name, ordered...)
				}
			}
			steps := must.Get(space.New(parameters...))(t)
			below := 0.0
			for seed := range uint64(8) {
				post := landscape(t, d, 10*d, false, seed)
				f := At{post, UpperConfidenceBound{Beta: 1}}
				find := func(s space.Space) space.Unit {
					return Maximize(f, Search{Space: s, Stream: rng.New(seed, rng.Test, 9), Near: []space.Unit{s.Snap(post.X(0))}})
				}
				got, smooth := find(steps), find(floatSpace(t, d))
				if !slices.Equal(steps.Snap(got), got) {
					t.Errorf("%v is not representable", got)
				}
				below += (f.Value(smooth) - f.Value(got)) / 8
			}
			if most := map[int]float64{11: 0.15, 501: 0.01}[levels]; below > most {
				t.Errorf("%d parameters of %d levels: %.4f below", d, levels, below)
			}
		}
	}
}

// Ordered numbers and coarse steps are tried one by one.
func TestFewLevelsAreTriedOneByOne(t *testing.T) {
	s, err := space.New(space.Float("x", 0, 1), space.Ordered("batch", 16, 32, 64, 128, 1000), space.Float("dropout", 0, 0.5).Stepped(0.05), space.Bool("bias"),
		space.Int("n", 0, 1<<20).Stepped(1<<10))
	if err != nil {
		t.Fatal(err)
	}
	want := s.Snap([]float64{0.3, 0.7, 0.4, 0.75, 0.6})
	f := bowl{want, 1}
	if got := Maximize(f, Search{Space: s, Stream: rng.New(2, rng.Test, 8)}); !within(got, want, 1e-4) {
		t.Errorf("found %v, want %v", s.Value(got), s.Value(want))
	}
}
