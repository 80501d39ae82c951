package model

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/internal/state"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// twoLevels is a model of a function with a lower fidelity, after so many values of the two in turn; with only, of those at the greatest alone.
func twoLevels(t *testing.T, lower func(x, y float64) float64, count int, only bool) (*Model, Config) {
	t.Helper()
	base := func(name string) surrogate.Kernel { return must.Get(surrogate.NewKernel(name, 2))(t) }
	spec := Spec{Kernels: []surrogate.Kernel{base("matern52"), base("se")}, Fidelity: &surrogate.FidelityAxis{At: 1, Levels: 3}}
	spec.Prior = surrogate.Prior{Kernel: spec.Kernels[0], Noise: 1e-3}
	s := must.Get(space.New(space.Float("x", 0, 1), space.Ordered("fidelity", 1, 2).AsFidelity(1, 10), space.Float("y", 0, 1)))(t)
	config := Config{Space: s, Seed: 3, Active: 100, Most: 100, Outputs: []Spec{spec}, Beliefs: []Want{{Pending: feedback.Ignore}}}
	m, stream, number := New(config), rng.New(3, rng.Test, 62), 0
	for i := range count {
		x, y := stream.Float64(), stream.Float64()
		u, value := space.Unit{x, s.Target(), y}, smooth(space.Unit{x, y})
		if i%2 == 0 {
			u, value = s.Canonical(space.Unit{x, 0, y}), lower(x, y)
		}
		if only && i%2 == 0 {
			continue
		}
		number++
		m.Open(number, number, 0, u)
		m.Reveal(Objective, number, Measurement{Value: value}, number, 0)
	}
	return m, config
}

// adopted is the model after a fit.
func adopted(t *testing.T, m *Model) Hyper {
	t.Helper()
	f, due := m.BeginFit()
	if !due {
		t.Fatal("no fit")
	}
	h := learn(t, f)
	if err := m.Adopt(h); err != nil {
		t.Fatal(err)
	}
	m.Sync()
	return h
}

// Where values at a lower fidelity are in another unit, of another function or all the same, the model is that of the values at the greatest alone, to
// the last digits; where they are like these it makes use of them.
func TestFidelitiesThatMisleadAreApart(t *testing.T) {
	const count = 30
	near := func(x, y float64) float64 { return smooth(space.Unit{x, y}) }
	for name, c := range map[string]struct {
		lower func(x, y float64) float64
		apart bool
	}{
		"alike":         {func(x, y float64) float64 { return near(x, y) + 0.1*math.Cos(3*x) }, false},
		"another unit":  {func(x, y float64) float64 { return 1000 + 1e4*near(x, y) }, true},
		"another level": {func(x, y float64) float64 { return 1e6 + near(x, y) }, true},
		"rough":         {func(x, y float64) float64 { return 1e6 * math.Sin(51*x+37*y) }, true},
		"huge":          {func(x, y float64) float64 { return 1e300 * math.Sin(51*x+37*y) }, true},
		"constant":      {func(x, y float64) float64 { return -7 }, true},
	} {
		m, config := twoLevels(t, c.lower, count, false)
		h := adopted(t, m)
		if got := h.Kernel[3] >= surrogate.ApartDecay/2; got != c.apart {
			t.Errorf("%s: apart %v: %+v", name, got, h)
		}
		restored := New(config)
		if err := state.Read(state.Bytes(nil, m.Visit), restored.Visit); err != nil || state.Difference(m.Visit, restored.Visit) != "" {
			t.Errorf("%s: what was learned does not come back: %v, %s", name, err, state.Difference(m.Visit, restored.Visit))
		}
		if !c.apart {
			continue
		}
		alone, _ := twoLevels(t, c.lower, count, true)
		if err := alone.Adopt(h); err != nil {
			t.Fatal(err)
		}
		alone.Sync()
		all, _ := m.Plan().Think()
		few, _ := alone.Plan().Think()
		for _, u := range []space.Unit{{0.2, config.Space.Target(), 0.7}, {0.9, config.Space.Target(), 0.1}} {
			mean, variance := all[0].Posterior.Predict(u)
			want, sure := few[0].Posterior.Predict(u)
			must.Near(t, name, all[0].Units.From(mean), few[0].Units.From(want), 1e-6)
			must.Near(t, name, variance, sure, 1e-6)
		}
	}
}

// A fit that finds that they have something in common after all says so.
func TestFidelitiesComeTogetherAgain(t *testing.T) {
	m, _ := twoLevels(t, func(x, y float64) float64 { return smooth(space.Unit{x, y}) }, 30, false)
	k := m.outputs[Objective].learned.prior.Kernel
	values := k.Values()
	values[len(values)-1] = surrogate.ApartDecay
	m.outputs[Objective].learned.prior.Kernel = k.WithValues(values)
	if h := adopted(t, m); h.Kernel[3] > 1 {
		t.Errorf("%+v", h)
	}
}
