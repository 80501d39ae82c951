package model

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// magnitude is a bowl in the order of magnitude of one coordinate, which is best at a five-hundredth, and in the other as it is.
func magnitude(x space.Unit) float64 {
	by := math.Log10(x[0]+1e-4) - math.Log10(0.002+1e-4)
	return -by*by - 2*(x[1]-0.6)*(x[1]-0.6)
}

// among gives a fit the kernels of warped coordinates to choose from.
func among(t *testing.T, f Fit) Fit {
	t.Helper()
	f.Warped = append(f.Warped, kernels(t, "warped-se", "warped-matern32", "warped-matern52", "warped-rq")...)
	return f
}

// ratios are those of what a fit has learned; nil where it warps no coordinates.
func ratios(t *testing.T, f Fit, h Hyper) surrogate.Inputs {
	t.Helper()
	for _, k := range f.Warped {
		if k.Name() == h.Name {
			return surrogate.InputsOf(k.WithValues(h.Kernel))
		}
	}
	return nil
}

func TestAFitFindsTheScaleOfAParameter(t *testing.T) {
	f := among(t, adaptive(t, 30, 0, magnitude))
	h := learn(t, f)
	r := ratios(t, f, h)
	if r == nil || r[0] < 30 || r[1] > 20 || r[1] < 1./20 {
		t.Fatalf("%+v", h)
	}
	mirrored := among(t, adaptive(t, 30, 0, func(x space.Unit) float64 { return magnitude(space.Unit{1 - x[0], x[1]}) }))
	if r := ratios(t, mirrored, learn(t, mirrored)); r == nil || r[0] > 1./30 {
		t.Errorf("from the other end the ratios are %v", r)
	}
	again := f
	again.Start = surrogate.Prior{Noise: h.Noise}
	for _, k := range f.Warped {
		if k.Name() == h.Name {
			again.Start.Kernel = k.WithValues(h.Kernel)
		}
	}
	if g := learn(t, again); g.Name != h.Name || g.LogEvidence < h.LogEvidence-1 {
		t.Errorf("%+v, and when it was fitted again %+v", h, g)
	}
}

// Over a fidelity it does the same, whatever the coordinate of the fidelity, and tells how alike its levels are.
func TestAFitFindsTheScaleOverAFidelity(t *testing.T) {
	stream := rng.New(30, rng.Test, 8)
	for at := range 3 {
		axis := surrogate.FidelityAxis{At: at, Levels: 3}
		f := Fit{ID: 1, Seed: 3, Options: fitOptions(square(t), nil)}
		for range 40 {
			x := space.Unit{stream.Float64(), stream.Float64()}
			level := float64(stream.IntN(3)) / 2
			f.X, f.Y = append(f.X, slices.Insert(slices.Clone(x), at, level)), append(f.Y, magnitude(x)+0.3*(1-level)*math.Sin(4*x[1]))
			f.Numbers = append(f.Numbers, len(f.X))
		}
		for _, k := range kernels(t, "matern52", "se") {
			f.Kernels = append(f.Kernels, axis.Over(k))
		}
		for _, k := range kernels(t, "warped-matern52", "warped-se") {
			f.Warped = append(f.Warped, axis.Over(k))
		}
		f.Start = surrogate.Prior{Kernel: f.Kernels[0], Noise: 1e-3}
		h := learn(t, f)
		r := ratios(t, f, h)
		if r == nil || r[at] != 1 {
			t.Fatalf("fidelity at %d: %+v", at, h)
		}
		if r = slices.Delete(r, at, at+1); r[0] < 30 || r[1] > 20 || r[1] < 1./20 {
			t.Errorf("fidelity at %d: ratios %v", at, r)
		}
		if decay := h.Kernel[len(h.Kernel)-1]; decay < 1e-4 || decay > 0.3 {
			t.Errorf("fidelity at %d: decay %v", at, decay)
		}
	}
}

// A function of the parameters as they are is hardly ever warped, however few values there are, with noise and with kinks.
func TestEvenFunctionsAreNotWarped(t *testing.T) {
	kinked := func(x space.Unit) float64 { return -math.Abs(x[0]-0.3) - 2*math.Abs(x[1]-0.7) }
	wrong, all := 0, 0
	step := 2
	if raced {
		step = 6
	}
	for n := 4; n < 40; n += step {
		for _, g := range []func(space.Unit) float64{smooth, bowl, kinked} {
			for _, noise := range []float64{0, 0.1} {
				f := among(t, adaptive(t, n, noise, g))
				if h := learn(t, f); ratios(t, f, h) != nil {
					wrong++
				}
				all++
			}
		}
	}
	if wrong > all/30 {
		t.Errorf("%d of %d are warped", wrong, all)
	}
}

// A kernel that is named is the only one there is, and fits learn it where they choose a warp of the values alone.
func TestNamedKernelsAreLearnedWhereFitsChoose(t *testing.T) {
	for _, name := range surrogate.KernelNames() {
		f := adaptive(t, 12, 0.01, smooth)
		f.Kernels = kernels(t, name)
		f.Start = surrogate.Prior{Kernel: f.Kernels[0], Noise: 1e-3}
		h := learn(t, f)
		if h.Name != name {
			t.Errorf("%s was learned in place of %s", h.Name, name)
		}
		if _, err := (Spec{Prior: f.Start, Kernels: f.Kernels}).with(learned{prior: f.Start}, h); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Where a belief censors, values are measured from the worst, and nothing is chosen.
func TestWhoMayWarpCoordinates(t *testing.T) {
	for how, want := range map[feedback.Imputation]int{feedback.Censor: 0, feedback.Hallucinate: 4} {
		c := configOf(square(t), Want{Pending: how})
		c.Outputs[0].Kernels = kernels(t, "se")
		c.Outputs[0].Warped = among(t, Fit{}).Warped
		m := New(c)
		for n, y := range []float64{-4, -2, -1} {
			m.Open(n+1, n+1, 0, []float64{float64(n) / 4, 0.5})
			m.Reveal(Objective, n+1, Measurement{Value: y}, n+2, 0)
		}
		m.Sync()
		if f, ok := m.BeginFit(); !ok || len(f.Warped) != want {
			t.Errorf("%v: %d kernels, want %d", how, len(f.Warped), want)
		}
	}
}

// The points of the pool fill the warped coordinates, and are made anew when these change.
func TestThePoolIsEvenInWarpedCoordinates(t *testing.T) {
	c := configOf(square(t), Want{Pending: feedback.Hallucinate})
	c.Outputs[0].Kernels = kernels(t, "se")
	c.Outputs[0].Warped = among(t, Fit{}).Warped
	m := New(c)
	near := func() (count int) {
		beliefs, _ := m.Plan().Think()
		pool := beliefs[0].Posterior.Pool()
		for i := range pool.Len() {
			if x := pool.Point(i); x[0] > 0 && x[0] < 0.01 {
				count++
			}
		}
		return count
	}
	for n, y := range []float64{-4, -2, -1} {
		m.Open(n+1, n+1, 0, []float64{float64(n) / 4, 0.5})
		m.Reveal(Objective, n+1, Measurement{Value: y}, n+2, 0)
	}
	m.Sync()
	even := near()
	if _, ok := m.BeginFit(); !ok {
		t.Fatal("no fit")
	}
	if err := m.Adopt(Hyper{Kernel: []float64{0.5, 0.5, 1, 1e4, 1}, Noise: 0.01, Name: "warped-se"}); err != nil {
		t.Fatal(err)
	}
	m.Sync()
	if warped := near(); even > 20 || warped < 200 {
		t.Errorf("%d points within a hundredth of the range, and %d where half of the warped one is there", even, warped)
	}
}
