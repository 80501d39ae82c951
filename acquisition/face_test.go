package acquisition

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/space"
)

// ripple is a function with slopes along every coordinate.
type ripple struct{}

func (ripple) Value(x space.Unit) float64 { return math.Sin(3*x[0]) + x[1]*x[1]*x[2] }

func (ripple) Gradient(x space.Unit, grad []float64) float64 {
	grad[0], grad[1], grad[2] = 3*math.Cos(3*x[0]), 2*x[1]*x[2], x[1]*x[1]
	return ripple{}.Value(x)
}

func TestAFaceTakesNoNoticeOfTheCoordinateThatItHolds(t *testing.T) {
	f := Face{Function: ripple{}, At: 2, Level: 0.875}
	x := space.Unit{0.3, 0.6, 0.1}
	if got, want := f.Value(x), (ripple{}).Value(space.Unit{0.3, 0.6, 0.875}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	grad := make([]float64, 3)
	f.Gradient(x, grad)
	for j := range x {
		const step = 1e-6
		above, below := space.Unit{x[0], x[1], x[2]}, space.Unit{x[0], x[1], x[2]}
		above[j], below[j] = above[j]+step, below[j]-step
		if slope := (f.Value(above) - f.Value(below)) / (2 * step); math.Abs(slope-grad[j]) > 1e-8 {
			t.Errorf("slope %d: %v, want %v", j, grad[j], slope)
		}
	}
	if x[2] != 0.1 {
		t.Error("the point has changed")
	}
}
