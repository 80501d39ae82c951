package bandit

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/space"
)

// Knowledge is what earlier tasks taught a bandit for a task that is like them (Learn): how much to explore, how fast to learn, and which
// arms are alike, as a kernel on the features of a small network,
//
//	k(x, x') = exp(-s² |ψ(x) - ψ(x')|² / 2).
//
// It is plain data and its JSON a file format; never change one that a study has.
type Knowledge struct {
	Space   space.Space `json:"space"`           // of every task
	Explore float64     `json:"explore"`         // ω, the share of uniform draws
	Eta     float64     `json:"eta"`             // η
	Scale   float64     `json:"scale"`           // s, of the features
	Layers  []int       `json:"layers"`          // of the network, whose inputs are the unit coordinates
	Weights []float64   `json:"weights"`         // of the network, as internal/network has them
	Tasks   int         `json:"tasks,omitempty"` // that taught it
}

// String returns how much it is, as in "what 50 tasks taught a bandit".
func (k Knowledge) String() string { return fmt.Sprintf("what %d tasks taught a bandit", k.Tasks) }

// Limits of what is learned. The least share of exploration is a choice: the derivative by it does not see that exploring pays later.
const (
	leastExplore = 0.05
	mostExplore  = 0.95
	mostEta      = 1e6
	mostScale    = 1e3
	mostWeight   = 1e6
	mostNeurons  = 1000
)

// Validate returns what is wrong with it, or nil.
func (k Knowledge) Validate() error {
	finite := func(low, v, high float64) bool { return v >= low && v <= high }
	switch {
	case k.Space.Dim() == 0:
		return errors.New("no space")
	case !finite(0, k.Explore, 1) || !finite(0, k.Eta, mostEta) || !finite(0, k.Scale, mostScale):
		return fmt.Errorf("explore %v, eta %v, scale %v, want at most 1, %v, %v and at least 0", k.Explore, k.Eta, k.Scale, mostEta, mostScale)
	case len(k.Layers) == 0 || len(k.Layers) > 10 || slices.Min(k.Layers) < 1 || slices.Max(k.Layers) > mostNeurons:
		return fmt.Errorf("layers %v, want at most 10 of 1 to %d neurons", k.Layers, mostNeurons)
	case len(k.Weights) != k.shape().Weights():
		return fmt.Errorf("%d weights, want %d", len(k.Weights), k.shape().Weights())
	case slices.ContainsFunc(k.Weights, func(w float64) bool { return !finite(-mostWeight, w, mostWeight) }):
		return errors.New("a weight that is not finite, or too great")
	}
	return nil
}

func (k Knowledge) shape() network.Shape {
	return network.Shape{Inputs: k.Space.Dim(), Layers: k.Layers}
}

// Arms is the kernel over a list of arms. It is for one goroutine.
type Arms struct {
	pass     *network.Pass
	in       []float64
	features []float64
	width    int
	scale    float64
	count    int
}

// Over returns the kernel over arms, given as unit coordinates, for content that is valid. Cost O(N · weights).
func (k Knowledge) Over(arms []space.Unit) *Arms {
	a := newArms(k.shape(), arms)
	a.load(k.Weights, k.Scale)
	return a
}

func newArms(shape network.Shape, arms []space.Unit) *Arms {
	a := &Arms{pass: shape.NewPass(len(arms)), width: shape.Outputs(), count: len(arms)}
	for _, x := range arms {
		a.in = append(a.in, x...)
	}
	return a
}

// load computes the features.
func (a *Arms) load(weights []float64, scale float64) {
	a.features, a.scale = a.pass.Forward(weights, a.in), scale
}

func (a *Arms) feature(i int) []float64 { return a.features[i*a.width : (i+1)*a.width] }

// Row writes k(arm, x) for all arms x. Cost O(N · features).
func (a *Arms) Row(row []float64, arm int) {
	own := a.feature(arm)
	for i := range row {
		row[i] = math.Exp(-a.scale * a.scale / 2 * distance2(own, a.feature(i)))
	}
}

// distance2 is a squared distance.
func distance2(a, b []float64) float64 {
	sum := 0.0
	for j, v := range a {
		d := v - b[j]
		sum += d * d
	}
	return sum
}

// addSlopes adds to dfeatures the derivatives of Σ d_x k(arm, x), k by row, and returns that by the logarithm of the scale.
func (a *Arms) addSlopes(dfeatures, d, row []float64, arm int) (dscale float64) {
	own, square := a.feature(arm), a.scale*a.scale
	down := dfeatures[arm*a.width : (arm+1)*a.width]
	for i, k := range row {
		w := d[i] * k * square
		if w == 0 || i == arm {
			continue
		}
		other, up := a.feature(i), dfeatures[i*a.width:(i+1)*a.width]
		for j, v := range own {
			diff := v - other[j]
			down[j] -= w * diff
			up[j] += w * diff
			dscale -= w * diff * diff
		}
	}
	return dscale
}
