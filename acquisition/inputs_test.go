package acquisition

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// decades is best where the first coordinate is 3e-4, by its order of magnitude, and the second 0.4.
type decades struct{}

func (f decades) Value(x space.Unit) float64 { return f.Gradient(x, make([]float64, 2)) }

func (decades) Gradient(x space.Unit, grad []float64) float64 {
	const least = 1e-5
	by := math.Log((x[0] + least) / (3e-4 + least))
	grad[0], grad[1] = -2*by/(x[0]+least), -2*(x[1]-0.4)
	return -by*by - (x[1]-0.4)*(x[1]-0.4)
}

// A search along the warped coordinates finds what is best within a thousandth of a range.
func TestASearchIsEvenInWarpedCoordinates(t *testing.T) {
	inputs := surrogate.Inputs{1e5, 1}
	for seed := range uint64(5) {
		x := Maximize(decades{}, Search{Space: floatSpace(t, 2), Stream: rng.New(seed, rng.Test, 31), Inputs: inputs})
		if math.Abs(x[0]/3e-4-1) > 1e-3 || math.Abs(x[1]-0.4) > 1e-3 {
			t.Errorf("found %v", x)
		}
	}
}

// Ratios of one warp nothing: the search is the same to the bit.
func TestRatiosOfOneChangeNothing(t *testing.T) {
	for seed := range uint64(4) {
		post := landscape(t, 3, 20, seed%2 == 0, seed)
		var found []space.Unit
		for _, inputs := range []surrogate.Inputs{nil, {1, 1, 1}} {
			found = append(found, Maximize(At{post, UpperConfidenceBound{Beta: 2}}, Search{
				Space: floatSpace(t, 3), Stream: rng.New(seed, rng.Test, 32), Near: []space.Unit{post.X(3)}, Avoid: []space.Unit{post.X(4)}, Inputs: inputs,
			}))
		}
		if !slices.Equal(found[0], found[1]) {
			t.Errorf("seed %d: %v and %v", seed, found[0], found[1])
		}
	}
}

// What is to be avoided is so along the warped coordinates: near the steep end little is far.
func TestPointsKeepApartAlongWarpedCoordinates(t *testing.T) {
	best := space.Unit{3e-4, 0.4}
	inputs := surrogate.Inputs{1e5, 1}
	x := Maximize(decades{}, Search{Space: floatSpace(t, 2), Stream: rng.New(1, rng.Test, 33), Inputs: inputs, Avoid: []space.Unit{best}, Apart: 0.02})
	if within(inputs.To(x), inputs.To(best), 0.02) {
		t.Errorf("%v is as near as it must not be", x)
	}
	if math.Abs(x[0]-best[0]) > 0.01 {
		t.Errorf("%v is farther away than it must be", x)
	}
}

// Discrete parameters, and those that are not active, stay what they can be.
func TestWarpedSearchesStayInTheSpace(t *testing.T) {
	s := must.Get(space.New(
		space.Categorical("kind", "a", "b"), space.Int("n", 1, 1000), space.Float("x", 0, 1000).When("kind", "a"), space.Float("step", 0, 10).Stepped(0.5),
	))(t)
	f := must.Get(surrogate.Prior{Kernel: surrogate.Warped{
		Of: surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{1, 1, 1, 1}, Outputscale: 1, Categorical: s.Categorical()}, Ratios: surrogate.Inputs{1, 300, 1e4, 0.01},
	}, Noise: 1e-4}.Condition([]space.Unit{s.Random(rng.New(1, rng.Test, 1)), s.Random(rng.New(2, rng.Test, 1))}, []float64{0, 1}, nil))(t)
	for seed := range uint64(6) {
		x := Maximize(At{f, UpperConfidenceBound{Beta: 2}}, Search{Space: s, Stream: rng.New(seed, rng.Test, 34), Inputs: surrogate.InputsOf(f.Prior().Kernel)})
		if !slices.Equal(x, s.Snap(x)) {
			t.Errorf("%v is no point of the space: %v is", x, s.Snap(x))
		}
	}
}
