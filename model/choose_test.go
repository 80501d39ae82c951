package model

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// adaptive is a fit of the values of f, with noise, at points that fill the square, which chooses.
func adaptive(t *testing.T, n int, noise float64, f func(x space.Unit) float64) Fit {
	t.Helper()
	stream := rng.New(uint64(n), rng.Test, 7)
	s := square(t)
	fit := Fit{ID: 1, Seed: 3, Options: fitOptions(s, nil)}
	for range n {
		x := s.Random(stream)
		fit.X, fit.Y = append(fit.X, x), append(fit.Y, f(x)+noise*stream.NormFloat64())
		fit.Numbers = append(fit.Numbers, len(fit.X))
	}
	fit.Kernels = kernels(t, "matern52", "se", "matern32")
	fit.Start = surrogate.Prior{Kernel: fit.Kernels[0], Noise: 1e-3}
	return fit
}

func learn(t *testing.T, f Fit) Hyper {
	t.Helper()
	h, err := f.Learn()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func bowl(x space.Unit) float64 { return -(x[0]-0.3)*(x[0]-0.3) - 2*(x[1]-0.6)*(x[1]-0.6) }

// smooth is a wave whose values are neither crowded at the top nor at the bottom.
func smooth(x space.Unit) float64 { return math.Sin(5*x[0]) * math.Cos(4*x[1]) }

// valley spans orders of magnitude below its top.
func valley(x space.Unit) float64 { return -math.Expm1(-14 * bowl(x)) }

func TestAFitWarpsValuesThatSpanOrdersOfMagnitude(t *testing.T) {
	f := adaptive(t, 40, 0, valley)
	if h := learn(t, f); h.Warp.Straight() {
		t.Errorf("%+v", h)
	}
	if h := learn(t, adaptive(t, 40, 0, smooth)); !h.Warp.Straight() {
		t.Errorf("a wave was warped: %+v", h)
	}
}

// Three of sixty values are far off, up and down: they decide neither what the values are measured by, nor what is taken for noise.
func TestAFitDrawsInOutliersToBothSides(t *testing.T) {
	f := adaptive(t, 60, 0.02, smooth)
	for k, i := range []int{7, 23, 41} {
		f.Y[i] += 30 * float64(1-k%2*2)
	}
	h := learn(t, f)
	if h.Warp.Shape != feedback.Both || h.Warp.Straight() {
		t.Fatalf("%+v", h)
	}
	plain := f
	plain.Kernels = nil
	units := buffer.Standardize(f.Y)
	plain.Y = make([]float64, len(f.Y))
	for i, y := range f.Y {
		plain.Y[i] = units.To(y)
	}
	clever, dumb := miss(t, f, h), miss(t, f, learn(t, plain))
	if !(clever < dumb/2) {
		t.Errorf("the mean is off by %v with the warp, by %v without", clever, dumb)
	}
}

func TestAFitTakesAnExponentialForOne(t *testing.T) {
	for _, n := range []int{20, 60} {
		if h := learn(t, adaptive(t, n, 0, func(x space.Unit) float64 { return math.Exp(4 * smooth(x)) })); h.Warp.Shape != feedback.Above || h.Warp.Straight() {
			t.Errorf("%d values: %+v", n, h)
		}
	}
}

// A few noisy values of a function that needs no warp seem to want one now and then.
func TestAFewNoisyValuesAreNotWarped(t *testing.T) {
	warped := 0
	for n := 10; n < 40; n++ {
		if h := learn(t, adaptive(t, n, 0.02, smooth)); !h.Warp.Straight() {
			warped++
		}
	}
	if warped > 1 {
		t.Errorf("%d of 30 are warped", warped)
	}
}

func TestWarpsGetNarrowerAsLongAsThatIsWorthIt(t *testing.T) {
	for name, c := range map[string]struct {
		worth []float64
		least float64
		want  []float64
	}{
		"none": {[]float64{-1, 9, 9}, 0, []float64{2}}, "two": {[]float64{1, 0.5, 9}, 0, []float64{2, 0.2}}, "all": {[]float64{1, 2, 3}, 0, []float64{2, 0.2, 0.02}},
		"down to the least": {[]float64{1, 2, 3}, 0.5, []float64{2, 0.5}}, "no number": {[]float64{math.NaN(), 1}, 0, []float64{2}},
	} {
		var tried []float64
		family{feedback.Above, 2, c.least, []float64{1, 0.1, 0.01}}.narrow(math.Inf(1), 0, func(b feedback.Bend) float64 {
			tried = append(tried, math.Round(b.Scale*1e6)/1e6)
			return c.worth[len(tried)-1]
		})
		if !slices.Equal(tried, c.want) {
			t.Errorf("%s: tried %v, want %v", name, tried, c.want)
		}
	}
}

// Ten values of which the greatest is 0 and the median −45: a warp below that is worth ten nats and more says anew how narrow one may be.
func TestNoiseIsMeasuredAnewOnlyWhereAWarpIsFarBetter(t *testing.T) {
	var y []float64
	for i := range 10 {
		y = append(y, -10*float64(i))
	}
	for name, c := range map[string]struct {
		worth func(scale float64) float64 // of a warp below
		want  []float64
	}{
		"not far better":     {func(s float64) float64 { return 9 }, []float64{45, 30}},
		"far better, and on": {func(s float64) float64 { return 50 - s }, []float64{45, 30, 4.5, 3, 0.45}},
		"no better any more": {func(s float64) float64 { return 50 - math.Abs(s-30) }, []float64{45, 30, 4.5, 3}},
	} {
		var tried []float64
		straight := choice{prior: surrogate.Prior{Noise: 1}, units: 3}
		tryWarps(y, straight, func(b feedback.Bend) choice {
			out := choice{prior: surrogate.Prior{Noise: 1e-4}, bend: b, units: 1, value: math.Inf(-1)}
			if b.Shape == feedback.Below {
				tried = append(tried, math.Round(b.Scale*1e6)/1e6)
				out.value = c.worth(b.Scale)
			}
			return out
		})
		if !slices.Equal(tried, c.want) {
			t.Errorf("%s: tried %v, want %v", name, tried, c.want)
		}
	}
}

func TestAFitChoosesTheSmootherKernelForTheSmootherFunction(t *testing.T) {
	if h := learn(t, adaptive(t, 40, 0, smooth)); h.Name != "se" {
		t.Errorf("%+v", h)
	}
	kinks := func(x space.Unit) float64 {
		return math.Abs(x[0]-0.4) - math.Abs(x[1]-0.7)
	}
	if h := learn(t, adaptive(t, 40, 0, kinks)); h.Name == "se" {
		t.Errorf("%+v", h)
	}
}

func TestNoWarpMakesMuchOfNoise(t *testing.T) {
	const noise = 0.3
	f := adaptive(t, 60, noise, func(x space.Unit) float64 { return 5 * valley(x) })
	if h := learn(t, f); !h.Warp.Straight() && h.Warp.Shape == feedback.Below && h.Warp.Scale < 3*noise {
		t.Errorf("a warp of scale %v where the noise is %v", h.Warp.Scale, noise)
	}
}

// A model without a warp takes for noise what is shape where values span twelve orders of magnitude: by that noise nothing could be
// told apart below 1e8, and the best of the values are near 1.
func TestAWarpResolvesTheBestOfValuesOverManyOrdersOfMagnitude(t *testing.T) {
	for _, noise := range []float64{0, 1} {
		f := adaptive(t, 40, noise, func(x space.Unit) float64 { return -math.Exp(-24 * bowl(x)) })
		h := learn(t, f)
		if h.Warp.Shape != feedback.Below || h.Warp.Straight() || h.Warp.Scale > 100 {
			t.Errorf("with noise %v, the greatest value %v: %+v", noise, slices.Max(f.Y), h.Warp)
		}
		if h.Warp.Scale < noise {
			t.Errorf("a warp of scale %v where the noise is %v", h.Warp.Scale, noise)
		}
		if h.Outliers != nil {
			t.Errorf("with noise %v: outliers %v", noise, h.Outliers)
		}
	}
}

func TestWhereNoiseIsKnownNothingIsWarped(t *testing.T) {
	f := adaptive(t, 30, 0, valley)
	f.Known = slices.Repeat([]float64{1e-4}, len(f.Y))
	if h := learn(t, f); !h.Warp.Straight() || h.Name == "" {
		t.Errorf("%+v", h)
	}
}

func TestWhatIsChosenDoesNotDependOnTheUnitsOfTheValues(t *testing.T) {
	f := adaptive(t, 40, 0, valley)
	a := learn(t, f)
	g := f
	g.Y = make([]float64, len(f.Y))
	for i, y := range f.Y {
		g.Y[i] = 1024*y - 4096
	}
	b := learn(t, g)
	if a.Name != b.Name || math.Abs(b.Warp.Scale/a.Warp.Scale/1024-1) > 1e-6 || math.Abs(b.Noise/a.Noise-1) > 1e-2 {
		t.Errorf("%+v, and in other units %+v", a, b)
	}
}

func TestAFitOfOddValuesChoosesSomethingUsable(t *testing.T) {
	for name, values := range map[string][]float64{
		"constant": {2, 2, 2, 2, 2}, "one far away": {0, 0, 0, 0, 1e12}, "huge": {math.MaxFloat64, -math.MaxFloat64, 0, 1, 2},
		"tiny": {1e-300, 2e-300, 5e-300, 0, 1e-300}, "three": {1, 2, 4},
	} {
		f := adaptive(t, len(values), 0, smooth)
		f.Y = values
		h := learn(t, f)
		next, err := Spec{Kernels: f.Kernels}.with(learned{prior: f.Start}, h)
		if err != nil {
			t.Errorf("%s: %+v: %v", name, h, err)
			continue
		}
		units := buffer.Warped(values, buffer.WarpAt(values, next.warp))
		for _, y := range values {
			if u := units.To(y); math.IsNaN(u) || math.Abs(u) > 10 {
				t.Errorf("%s: %v becomes %v", name, y, u)
			}
		}
	}
}

// What a fit chose holds for every belief about the output from the next Sync on, and a value greater than all before moves the top.
func TestAWarpHoldsForAllBeliefsAboutAnOutput(t *testing.T) {
	f := adaptive(t, 3, 0, smooth)
	c := configOf(square(t), Want{Pending: feedback.Hallucinate}, Want{Pending: feedback.Ignore}, Want{Pending: feedback.Censor})
	c.Outputs[0].Kernels = f.Kernels
	m := New(c)
	for n, y := range []float64{-4, -2, -1} {
		m.Open(n+1, n+1, 0, []float64{float64(n) / 4, 0.5})
		m.Reveal(Objective, n+1, Measurement{Value: y}, n+2, 0)
	}
	m.Sync()
	open, ok := m.BeginFit()
	if !ok || len(open.Kernels) != 3 || !slices.Equal(open.Y, []float64{-4, -2, -1}) {
		t.Fatalf("%+v", open)
	}
	if err := m.Adopt(Hyper{Kernel: []float64{0.1, 0.2, 0.3}, Noise: 0.04, Name: "matern32", Warp: feedback.Bend{Scale: 0.5}}); err != nil {
		t.Fatal(err)
	}
	if m.beliefs[0].units.Warp.Scale != 0 {
		t.Error("the warp holds before the next Sync")
	}
	for _, top := range []float64{-1, 7} {
		m.Sync()
		for k, want := range []feedback.Warp{{Bend: feedback.Bend{Scale: 0.5}, Anchor: top}, {Bend: feedback.Bend{Scale: 0.5}, Anchor: top}, {}} {
			if got := m.beliefs[k].units.Warp; got != want {
				t.Errorf("belief %d: %+v, want %+v", k, got, want)
			}
		}
		if top < 0 {
			m.Open(4, 4, 0, []float64{0.9, 0.1})
			m.Reveal(Objective, 4, Measurement{Value: 7}, 5, 0)
		}
	}
	if name := m.outputs[0].prior.Kernel.Name(); name != "matern32" {
		t.Errorf("kernel %s", name)
	}
	for _, h := range []Hyper{
		{Kernel: []float64{0.1, 0.2, 0.3}, Noise: 0.04, Name: "periodic"}, {Kernel: []float64{0.1, 0.2, 0.3}, Noise: 0.04, Warp: feedback.Bend{Scale: -1}},
		{Kernel: []float64{0.1, 0.2, 0.3}, Noise: 0.04, Warp: feedback.Bend{Scale: math.NaN()}}, {Kernel: []float64{0.1, 0.2}, Noise: 0.04, Name: "se"},
	} {
		if _, err := c.Outputs[0].with(m.outputs[0].learned, h); err == nil {
			t.Errorf("%+v was adopted", h)
		}
	}
	c.Outputs[0].Kernels = nil
	if _, err := c.Outputs[0].with(m.outputs[0].learned, Hyper{Kernel: []float64{0.1, 0.2, 0.3}, Noise: 0.04, Warp: feedback.Bend{Scale: 1}}); err == nil {
		t.Error("a warp was adopted where none is chosen")
	}
}

// sum is a sum of functions of one coordinate each.
func sum(x space.Unit) float64 { return math.Sin(9*x[0]) + math.Cos(7*x[1]) }

func TestAFitTakesASumForOne(t *testing.T) {
	f := adaptive(t, 40, 0, sum)
	f.Sums = sums(t)
	h := learn(t, f)
	if named(f.Sums, h.Name) == nil {
		t.Errorf("%+v", h)
	}
	f.Start = WithHyper(surrogate.Prior{Kernel: named(f.Sums, h.Name)}, h.Kernel, h.Noise)
	if again := learn(t, f); again.Name != h.Name {
		t.Errorf("%s, and when it was fitted again %s", h.Name, again.Name)
	}
}

// A function of both coordinates at once looks like a sum as long as there are few values.
func TestFewValuesAreNoSum(t *testing.T) {
	wrong := 0
	for n := 4; n < 40; n++ {
		f := adaptive(t, n, 0.02, smooth)
		f.Sums = sums(t)
		if h := learn(t, f); named(f.Sums, h.Name) != nil {
			wrong++
		}
	}
	if wrong > 1 {
		t.Errorf("%d of 36 are taken for sums", wrong)
	}
}

// Noise leaves few bends to be seen: a bowl is a surface of the second degree, and a bowl to the square one of the fourth.
func TestAFitTakesAPolynomialForASurfaceOfItsDegree(t *testing.T) {
	slanted := func(x space.Unit) float64 { return bowl(x) - 2*x[0]*x[1] }
	for name, of := range map[string]func(x space.Unit) float64{
		"quadric": slanted,
		"quartic": func(x space.Unit) float64 { return 9 * bowl(x) * (slanted(x) + x[0]) },
	} {
		f := adaptive(t, 60, 0.02, of)
		f.Sums = kernels(t, "additive-se", "additive-matern52", "quadric", "quartic")
		if h := learn(t, f); h.Name != name {
			t.Errorf("a %s surface is taken for %s", name, h.Name)
		}
	}
	f := adaptive(t, 60, 0.02, smooth)
	f.Sums = kernels(t, "quadric", "quartic")
	if h := learn(t, f); h.Name == "quadric" {
		t.Errorf("a wave is taken for a bowl: %+v", h)
	}
}

func sums(t *testing.T) []surrogate.Kernel {
	t.Helper()
	return kernels(t, "additive-se", "additive-matern52")
}

// kernels are those of the names over a square.
func kernels(t *testing.T, names ...string) (all []surrogate.Kernel) {
	t.Helper()
	for _, name := range names {
		k, err := surrogate.NewKernel(name, 2)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, k)
	}
	return all
}

// Values that are all the same have no shape that a warp could mend, and say nothing of the noise.
func TestConstantValuesAreNotWarped(t *testing.T) {
	f := adaptive(t, 20, 0, func(space.Unit) float64 { return 5 })
	if h := learn(t, f); !h.Warp.Straight() {
		t.Errorf("%+v", h)
	}
}

// Runs that were cut off have the same value: a warp that stretches its neighborhood would seem to explain them, the narrower the better.
func TestEqualValuesAreNoReasonForAWarp(t *testing.T) {
	for _, n := range []int{18, 28, 40} {
		cut := learn(t, adaptive(t, n, 0, func(x space.Unit) float64 { return max(smooth(x), -0.1) }))
		low := learn(t, adaptive(t, n, 0, func(x space.Unit) float64 { return min(smooth(x), 0.1) }))
		whole := learn(t, adaptive(t, n, 0, smooth))
		if !cut.Warp.Straight() || !low.Warp.Straight() || !whole.Warp.Straight() {
			t.Errorf("of %d values cut off below %+v, above %+v, whole %+v", n, cut.Warp, low.Warp, whole.Warp)
		}
	}
}
