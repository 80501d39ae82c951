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

// Kernels of the other coordinates become kernels over the fidelity, a fit chooses among them, and its choice is learned and kept.
func TestFitsChooseAmongKernelsOverTheFidelity(t *testing.T) {
	base := func(names ...string) (all []surrogate.Kernel) {
		for _, name := range names {
			all = append(all, must.Get(surrogate.NewKernel(name, 2))(t))
		}
		return all
	}
	spec := Spec{
		Kernels: base("matern52", "se", "matern32"), Sums: base("additive-se"), Fidelity: &surrogate.FidelityAxis{At: 1, Levels: 2},
	}
	spec.Prior = surrogate.Prior{Kernel: spec.Kernels[0], Noise: 1e-3}
	s := must.Get(space.New(space.Float("x", 0, 1), space.Ordered("fidelity", 0, 1), space.Float("y", 0, 1)))(t)
	config := Config{Space: s, Seed: 3, Active: 100, Most: 100, Outputs: []Spec{spec}, Beliefs: []Want{{Pending: feedback.Ignore}}}
	m := New(config)
	stream := rng.New(3, rng.Test, 61)
	for i := range 40 {
		x := space.Unit{stream.Float64(), float64(i % 2), stream.Float64()}
		m.Open(i+1, i+1, 0, x)
		m.Reveal(Objective, i+1, Measurement{Value: smooth(space.Unit{x[0], x[2]}) + 0.1*x[1]*math.Cos(3*x[0])}, i+1, 0)
	}
	f, due := m.BeginFit()
	if !due {
		t.Fatal("no fit")
	}
	h := learn(t, f)
	if err := m.Adopt(h); err != nil {
		t.Fatal(err)
	}
	if h.Name != "icm-se" || len(h.Kernel) != 4 {
		t.Errorf("%+v", h)
	}
	if neighbors := math.Exp(-h.Kernel[3]); neighbors < 0.95 {
		t.Errorf("neighbors correlate as %v", neighbors)
	}
	m.Sync()
	restored := New(config)
	if err := state.Read(state.Bytes(nil, m.Visit), restored.Visit); err != nil {
		t.Fatal(err)
	}
	if what := state.Difference(m.Visit, restored.Visit); what != "" {
		t.Errorf("what was learned does not come back: %s", what)
	}
	if k, ok := restored.outputs[0].learned.prior.Kernel.(surrogate.ICM); !ok || k.Axis() != *spec.Fidelity || k.Base().Name() != "se" {
		t.Errorf("kernel %v", restored.outputs[0].learned.prior.Kernel)
	}
}

// Points that fill a space are at the greatest fidelity, where the maximum is wanted, and known as well as one by one. A further member has
// none of them, and with contexts nobody has.
func TestCandidatesAreAtTheGreatestFidelity(t *testing.T) {
	where := must.Get(space.New(space.Float("x", 0, 1), space.Ordered("part", 1, 2, 4).AsFidelity(1, 2, 4)))(t)
	prior := must.Get(surrogate.DefaultPrior("matern52", 1))(t)
	prior.Kernel = surrogate.NewICM(prior.Kernel, 1, 3)
	config := Config{Space: where, Seed: 3, Active: 100, Most: 100, Outputs: []Spec{{Prior: prior}}, Beliefs: []Want{{Pending: feedback.Ignore}}}
	m := New(config)
	for i := range 9 {
		x := space.Unit{float64(i) / 8, float64(i%3) / 2}
		m.Open(i+1, i+1, 0, x)
		m.Reveal(Objective, i+1, Measurement{Value: math.Sin(5 * x[0])}, i+1, 0)
		m.Sync()
		beliefs, _ := m.Plan().Think()
		post := beliefs[0].Posterior
		if post.Pool().Len() != poolPoints {
			t.Fatalf("a pool of %d points", post.Pool().Len())
		}
		for j := range poolPoints {
			at := post.Pool().Point(j)
			if !where.OnTarget(at) {
				t.Fatalf("a candidate at %v", at)
			}
			mean, variance := post.Predict(at)
			must.Near(t, "mean", post.PoolMean()[j], mean, 1e-9)
			must.Near(t, "variance", post.PoolVariance()[j], variance, 1e-9)
		}
	}
	if (plan{config: &config, want: Want{Member: 1}}).fillsTarget() {
		t.Error("a further member has candidates")
	}
	config.Space = must.Get(space.New(append(where.Parameters(), space.Float("c", 0, 1).AsContext())...))(t)
	if (plan{config: &config}).fillsTarget() {
		t.Error("candidates at no context")
	}
}
