package policies

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Where the value beside the best is as good as known, an upper bound that finds nothing better gives way to what is worth
// finding out; under noise, and where the value beside it is open, it does not.
func TestWhatIsAsGoodAsKnownIsNotPolished(t *testing.T) {
	kernel := surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{.2}, Outputscale: 1}
	x, y := []space.Unit{{0}, {.25}, {.75}}, []float64{-1, 0, 0}
	for k := range 5 { // an open region is at 1
		at := .5 + .004*float64(k-2)
		x, y = append(x, []float64{at}), append(y, 2-20*(at-.5003)*(at-.5003))
	}
	for _, c := range []struct {
		noise float64
		quiet bool
		stays bool
	}{{1e-10, false, true}, {1e-10, true, false}, {1e-2, true, true}} {
		v := moment(t, line(t), surrogate.Prior{Kernel: kernel, Noise: c.noise}, x, y, feedback.Hallucinate)
		v.Quiet = c.quiet
		got := chosen(t, "gp-bucb:beta=0.5", v, 1)[0][0]
		if stays := math.Abs(got-.5) < .05; stays != c.stays {
			_, variance := v.Posterior.Predict([]float64{got})
			t.Errorf("noise %v, quiet %v: %v is chosen, with variance %v", c.noise, c.quiet, got, variance)
		}
	}
}
