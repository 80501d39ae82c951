package surrogate

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/integrate/quad"

	"github.com/tarry-bo/tarry/space"
)

// The law of the logarithm of a lengthscale that may be irrelevant: its numbers, its slope and its mass.
func TestALengthscaleMayBeIrrelevant(t *testing.T) {
	law := Hyperprior{Mu: 1, Sigma: 1} // whose mode is 1
	density := func(u float64) float64 { value, _ := law.orIrrelevant(0.8, u); return value }
	printed(t, "at the mode", density(0), math.Log(0.2/math.Sqrt(2*math.Pi)+0.8*math.Exp(-0.5*math.Pow(math.Log(50), 2))/math.Sqrt(2*math.Pi)))
	printed(t, "at 50", density(math.Log(50)), math.Log(0.8/math.Sqrt(2*math.Pi)+0.2*math.Exp(-0.5*math.Pow(math.Log(50), 2))/math.Sqrt(2*math.Pi)))
	near(t, "mass", quad.Fixed(func(u float64) float64 { return math.Exp(density(u)) }, -8, 12, 400, nil, 0), 1, 1e-9)
	for _, u := range []float64{-3.7, 0, 1.9, 2.4, 4, 6.9} {
		_, slope := law.orIrrelevant(0.8, u)
		near(t, "slope", slope, fd.Derivative(density, u, &fd.Settings{Formula: fd.Central}), 1e-7)
	}
	if value, slope := law.orIrrelevant(0.5, -60); math.IsInf(value, 0) || math.Abs(slope-60) > 1e-6 {
		t.Errorf("far off: %v, %v", value, slope)
	}
}

// Of sixteen parameters of which two matter, the lengthscales of the others are long, and what is found is a maximum.
func TestAFitFindsWhichParametersMatter(t *testing.T) {
	r := stream(431)
	x := randomPoints(r, 40, 16)
	y := make([]float64, len(x))
	for i, p := range x {
		y[i] = math.Sin(6*p[3]) + math.Cos(5*p[11])
	}
	start, _ := DefaultPrior("se", 16)
	o := FitOptions{Lengthscale: Hyperprior{Mu: 0.9, Sigma: 1}, Irrelevant: 0.8, MinNoise: 1e-8}
	got, report, err := Fit(start, x, y, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	for j, l := range got.Kernel.(Stationary).Lengthscales {
		if matters := j == 3 || j == 11; matters != (l < 5) {
			t.Errorf("lengthscale %d is %v", j, l)
		}
	}
	value := func(v []float64) float64 {
		p := Prior{Kernel: got.Kernel.WithParams(v[:17]), Noise: math.Exp(v[17])}
		sum, _ := Evidence(p, x, y, nil)
		for _, u := range v[:16] {
			density, _ := o.Lengthscale.orIrrelevant(o.Irrelevant, u)
			sum += density
		}
		return sum + NoisePrior().LogDensity(p.Noise)
	}
	theta := append(got.Kernel.Params(), math.Log(got.Noise))
	near(t, "posterior", report.LogPosterior, value(theta), 1e-8)
	for i := range 16 {
		for _, step := range []float64{-0.1, 0.1} {
			v := slices.Clone(theta)
			if v[i] += step; value(v) > report.LogPosterior+1e-6 {
				t.Errorf("moving lengthscale %d by %v gains %v", i, step, value(v)-report.LogPosterior)
			}
		}
	}
	// What the others are is next to nothing to the mean.
	p, err := got.Condition(x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := space.Unit(slices.Repeat([]float64{0.5}, 16))
	b := slices.Clone(a)
	b[0], b[7] = 0, 1
	if d := math.Abs(p.Mean(a) - p.Mean(b)); d > 0.1 {
		t.Errorf("what does not matter makes %v", d)
	}
}
