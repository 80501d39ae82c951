package model

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Noise around a smooth function is worth much evidence: nothing else explains it. Kinks are worth less, since a rougher kernel explains them,
// and a smooth function without noise nothing.
func TestNoiseIsWorthMuchWhereNothingElseExplainsTheValues(t *testing.T) {
	worth := func(n int, sd float64, f func(x space.Unit) float64) float64 {
		stream := rng.New(3, rng.Test, 1)
		var x []space.Unit
		var y []float64
		for range n {
			u := space.Unit{stream.Float64(), stream.Float64()}
			x, y = append(x, u), append(y, f(u)+sd*stream.NormFloat64())
		}
		prior := must.Get(surrogate.DefaultPrior("matern52", 2))(t)
		s := must.Get(space.New(space.Float("a", 0, 1), space.Float("b", 0, 1)))(t)
		o := Outlook{options: fitOptions(s, nil)}
		for _, name := range []string{"matern52", "se", "matern32", "rq"} {
			o.kernels = append(o.kernels, must.Get(surrogate.NewKernel(name, 2))(t))
		}
		prior, _, err := surrogate.Fit(prior, x, y, o.options, nil)
		if err != nil {
			t.Fatal(err)
		}
		o.Belief.Posterior = must.Get(prior.Condition(x, y, nil))(t)
		return o.NoiseWorth()
	}
	smooth := func(u space.Unit) float64 { return math.Sin(4*u[0]) + math.Cos(3*u[1]) }
	kinked := func(u space.Unit) float64 { return 2*math.Abs(u[0]-0.3) - math.Sqrt(math.Abs(u[1]-0.6)) }
	if got := worth(60, 0.05, smooth); got < 20 {
		t.Errorf("noise of 5 %%: %v nats", got)
	}
	if got := worth(300, 0.05, smooth); got < 40 || math.IsInf(got, 0) {
		t.Errorf("noise of 5 %%, with more answers than are looked at: %v nats", got)
	}
	if got := worth(60, 0, kinked); got > 10 {
		t.Errorf("kinks: %v nats", got)
	}
	if got := worth(60, 0, smooth); got > 0 {
		t.Errorf("no noise: %v nats", got)
	}
	if got := worth(0, 0, smooth); got != 0 {
		t.Errorf("no answers: %v nats", got)
	}
}
