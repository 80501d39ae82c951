package model

import (
	"fmt"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
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

// Where a fit takes a rough function without noise for one with a little, that is doubtful; noise around a smooth one is not.
func TestLittleNoiseIsDoubtfulWhereARougherKernelExplainsTheValues(t *testing.T) {
	hills := func(x space.Unit) float64 {
		return math.Exp(-((x[0]-0.2)*(x[0]-0.2)+(x[1]-0.7)*(x[1]-0.7))/0.02) + 0.9*math.Exp(-((x[0]-0.8)*(x[0]-0.8)+(x[1]-0.2)*(x[1]-0.2))/0.02)
	}
	for name, c := range map[string]struct {
		fit      Fit
		asked    bool
		doubtful bool
	}{
		"hills": {adaptive(t, 39, 0, hills), true, true}, "nobody asks": {adaptive(t, 39, 0, hills), false, false},
		"noise of 3 %": {adaptive(t, 48, 0.03, smooth), true, false}, "noise of 5 %": {adaptive(t, 60, 0.05, smooth), true, false},
	} {
		c.fit.Doubts = c.asked
		h := learn(t, c.fit)
		if h.Noise < KinkNoise || h.Noise >= plainNoise {
			t.Fatalf("%s: noise of variance %v", name, h.Noise)
		}
		if h.Doubtful != c.doubtful {
			t.Errorf("%s: noise of variance %v is doubtful: %v", name, h.Noise, h.Doubtful)
		}
	}
}

func TestNoiseIsDoubtedInFiniteSpacesAlone(t *testing.T) {
	grid := must.Get(space.New(space.Int("x", 0, 9), space.Bool("y")))(t)
	list := must.Get(space.List([]space.Point{{0, 1}, {1, 1}, {1, 0.5}}, space.Float("x", 0, 1), space.Float("y", 0, 1)))(t)
	for name, c := range map[string]struct {
		where  space.Space
		doubts bool
	}{"a grid": {grid, true}, "a list": {list, true}, "no end": {square(t), false}} {
		config := configOf(c.where, Want{Pending: feedback.Hallucinate})
		config.Outputs[0].Kernels = adaptive(t, 3, 0, smooth).Kernels
		m, stream := New(config), rng.New(1, rng.Test, 7)
		for number := 1; number <= 5; number++ {
			answer(m, number, c.where.Random(stream), func(x []float64) float64 { return smooth(x) })
		}
		if f, due := m.BeginFit(); !due || f.Doubts != c.doubts {
			t.Errorf("%s: due %v, doubts %v", name, due, f.Doubts)
		}
	}
}
