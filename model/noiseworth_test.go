package model

import (
	"fmt"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// measured is what a fit makes of n values of a function with noise in so many dimensions, where it chooses from four kernels.
func measured(tb testing.TB, dim, n int, sd float64, trend surrogate.Trend, f func(x space.Unit) float64) Outlook {
	stream := rng.New(3, rng.Test, 1)
	var x []space.Unit
	var y []float64
	for range n {
		u := make(space.Unit, dim)
		for j := range u {
			u[j] = stream.Float64()
		}
		x, y = append(x, u), append(y, f(u)+sd*stream.NormFloat64())
	}
	var parameters []space.Parameter
	for j := range dim {
		parameters = append(parameters, space.Float(fmt.Sprint("x", j), 0, 1))
	}
	o := Outlook{options: fitOptions(must.Get(space.New(parameters...))(tb), nil)}
	for _, name := range []string{"matern52", "se", "matern32", "rq"} {
		o.kernels = append(o.kernels, must.Get(surrogate.NewKernel(name, dim))(tb))
	}
	prior := must.Get(surrogate.DefaultPrior("matern52", dim))(tb)
	prior.Trend = trend
	prior, _, err := surrogate.Fit(prior, x, y, o.options, nil)
	if err != nil {
		tb.Fatal(err)
	}
	o.Belief.Posterior = must.Get(prior.Condition(x, y, nil))(tb)
	return o
}

// stairs is a mean that no kernel of the others explains.
type stairs struct{}

func (stairs) At(x space.Unit) float64                     { return math.Mod(math.Floor(97*x[0]), 2) }
func (s stairs) AddGrad(_ []float64, x space.Unit) float64 { return s.At(x) }

// Noise around a smooth function is worth much evidence: nothing else explains it. Kinks are worth less, since a rougher kernel explains them,
// and a smooth function without noise nothing, nor one around a mean that earlier tasks taught.
func TestNoiseIsWorthMuchWhereNothingElseExplainsTheValues(t *testing.T) {
	smooth := func(u space.Unit) float64 { return math.Sin(4*u[0]) + math.Cos(3*u[1]) }
	kinked := func(u space.Unit) float64 { return 2*math.Abs(u[0]-0.3) - math.Sqrt(math.Abs(u[1]-0.6)) }
	if got := measured(t, 2, 60, 0.05, nil, smooth).NoiseWorth(); got < 20 {
		t.Errorf("noise of 5 %%: %v nats", got)
	}
	if got := measured(t, 2, 300, 0.05, nil, smooth).NoiseWorth(); got < 40 || math.IsInf(got, 0) {
		t.Errorf("noise of 5 %%, with more answers than are looked at: %v nats", got)
	}
	for name, o := range map[string]Outlook{
		"kinks":         measured(t, 2, 60, 0, nil, kinked),
		"no noise":      measured(t, 2, 60, 0, nil, smooth),
		"a taught mean": measured(t, 2, 60, 0, stairs{}, func(u space.Unit) float64 { return smooth(u) + stairs{}.At(u) }),
	} {
		if got := o.NoiseWorth(); got > 10 {
			t.Errorf("%s: %v nats", name, got)
		}
	}
	if got := measured(t, 2, 0, 0, nil, smooth).NoiseWorth(); got != 0 {
		t.Errorf("no answers: %v nats", got)
	}
}

func BenchmarkNoiseWorth(b *testing.B) {
	for _, dim := range []int{2, 6, 100} {
		o := measured(b, dim, 120, 0.03, nil, func(u space.Unit) (sum float64) {
			for _, v := range u {
				sum += math.Sin(3*v) / math.Sqrt(float64(dim))
			}
			return sum
		})
		b.Run(fmt.Sprint(dim), func(b *testing.B) {
			for b.Loop() {
				o.NoiseWorth()
			}
		})
	}
}
