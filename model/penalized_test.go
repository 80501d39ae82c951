package model

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/surrogate"
)

// corner has 40 queries at random points of a square, of which those in a half have a penalty of a million, and what a fit is to say of them.
func corner(t *testing.T) (m sight, h Hyper, penalties []int) {
	t.Helper()
	c := configOf(square(t), Want{Pending: feedback.Hallucinate})
	c.Active, c.Most, c.Blank = 2000, 2000, true
	c.Outputs[0].Prior = surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{0.3, 0.3}, Outputscale: 1}, Noise: 1e-4}
	c.Outputs[0].Kernels = kernels(t, "matern52")
	m = New(c).of(0)
	stream := rng.New(1, rng.Test, 0)
	for number := 1; number <= 40; number++ {
		x := []float64{stream.Float64(), stream.Float64()}
		value := math.Sin(6 * x[1])
		if x[0] > 0.5 {
			value, penalties = -1e6, append(penalties, number)
		}
		m.Open(number, number, 0, x)
		m.Reveal(Objective, number, Measurement{Value: value}, number+1, 0)
	}
	return m, Hyper{Kernel: []float64{0.3, 0.3, 1}, Noise: 1e-4, Penal: true, Penalty: -1000}, penalties
}

// The model of the values has no penalty: each is a failure of its point, and so is what comes later, until a fit says otherwise. Then all is as if none had
// ever been taken for one.
func TestPenaltiesAreFailuresAsLongAsAFitSaysSo(t *testing.T) {
	m, h, penalties := corner(t)
	plain, _, _ := corner(t)
	before := thought(m)
	if len(before.Penalties) > 0 || len(before.Blamed) > 0 || m.units.Scale < 1e5 {
		t.Fatalf("before any fit: %+v", before)
	}
	if err := m.Adopt(h); err != nil {
		t.Fatal(err)
	}
	m.Open(41, 41, 0, []float64{.9, .1})
	m.Reveal(Objective, 41, Measurement{Value: -2e6}, 42, 0)
	plain.Open(41, 41, 0, []float64{.9, .1})
	plain.Reveal(Objective, 41, Measurement{Value: -2e6}, 42, 0)
	shown := thought(m)
	if want := append(penalties, 41); !slices.Equal(shown.Penalties, want) || len(shown.Blamed) < len(want)*9/10 {
		t.Errorf("penalties %v, blamed %v, want %v", shown.Penalties, shown.Blamed, want)
	}
	if m.units.Scale > 1 || !m.Penalized(Objective, -1000) || m.Penalized(Objective, -999) {
		t.Errorf("units %+v", m.units)
	}
	for i, x := range m.points {
		mean, _ := shown.Posterior.Predict(x)
		if got, want := m.units.From(mean), math.Sin(6*x[1]); x[0] <= .5 && math.Abs(got-want) > 1e-2 {
			t.Errorf("query %d: mean %v, want %v", i+1, got, want)
		}
	}
	if o, err := m.Outlook(0, false, false, nil); err != nil || o.Belief.Posterior.Len() != 41-len(shown.Penalties) || !slices.Equal(o.Search.Blamed, shown.Blamed) {
		t.Errorf("%v: a prediction is made from %d rows", err, o.Belief.Posterior.Len())
	}
	if f := m.fit(); len(f.Y) != 41 {
		t.Errorf("a fit looks at %d values, want all", len(f.Y))
	}
	h.Penal, h.Penalty = false, 0
	for _, of := range []sight{m, plain} {
		if err := of.Adopt(h); err != nil {
			t.Fatal(err)
		}
	}
	after, never := thought(m), thought(plain)
	if !slices.Equal(after.Rows, never.Rows) || after.Penalties != nil || after.Blamed != nil || after.Units != never.Units ||
		!slices.Equal(after.Posterior.RowMeans(), never.Posterior.RowMeans()) {
		t.Errorf("%+v, want %+v", after, never)
	}
}

// Penalties that are scattered say nothing of their points, and those that no model can have are refused.
func TestScatteredPenaltiesAreForgiven(t *testing.T) {
	m, h, _ := corner(t)
	h.Penalty = -1e3
	stream := rng.New(2, rng.Test, 0)
	for number := 41; number <= 400; number++ {
		value := 0.
		if number%40 == 0 {
			value = -1e6
		}
		m.Open(number, number, 0, []float64{stream.Float64() / 2, stream.Float64()})
		m.Reveal(Objective, number, Measurement{Value: value}, number+1, 0)
	}
	if err := m.Adopt(h); err != nil {
		t.Fatal(err)
	}
	shown, scattered := thought(m), 0
	for _, number := range shown.Blamed {
		scattered += bit(number > 40)
	}
	if scattered > 2 {
		t.Errorf("%d of 9 scattered penalties are blamed on their points", scattered)
	}
	for _, bad := range []Hyper{{Penal: true, Penalty: math.NaN()}, {Penal: true, Penalty: math.Inf(1)}, {Penalty: 3}} {
		bad.Kernel, bad.Noise = h.Kernel, h.Noise
		if m.Adopt(bad) == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	fixed := configOf(square(t), Want{Pending: feedback.Hallucinate})
	if New(fixed).Adopt(h) == nil {
		t.Error("there are penalties for a model that nothing chooses")
	}
}

// A penalty may be the greatest number that there is: beyond what the units of a model tell apart it is one all the same.
func TestPenaltiesMayBeTheGreatestNumbers(t *testing.T) {
	for _, penalty := range []float64{-1e200, -1e300, -math.MaxFloat64} {
		m, h, penalties := corner(t)
		m.Open(41, 41, 0, []float64{.9, .1})
		m.Reveal(Objective, 41, Measurement{Value: penalty}, 42, 0)
		h.Penalty = penalty / 2
		if err := m.Adopt(h); err != nil {
			t.Fatal(err)
		}
		if got := thought(m).Penalties; !slices.Equal(got, []int{41}) {
			t.Errorf("%v: penalties %v of %v and 41, want that", penalty, got, penalties)
		}
	}
}

// What no fit finds, since values differ by their fidelity as well, no record may say.
func TestPenaltiesOverAFidelityAreRefused(t *testing.T) {
	opposite := func(x, y float64) float64 { return 100 + 50*math.Sin(40*x*y) }
	m, _ := twoLevels(t, opposite, 30, false)
	f, _ := m.BeginFit()
	h := learn(t, f)
	h.Kernel[len(h.Kernel)-1] = surrogate.ApartDecay
	h.Penal, h.Penalty = true, 20
	if m.Adopt(h) == nil {
		t.Error("there are penalties over a fidelity")
		m.Sync()
	}
}
