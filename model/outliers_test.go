package model

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// slipped is a fit of sixty values of a wave, of which three are by far too low: where two noise-free neighbors say what they should be.
func slipped(t *testing.T) (f Fit, low []int) {
	t.Helper()
	f, low = adaptive(t, 60, 0.01, smooth), []int{8, 24, 42}
	for k, number := range low {
		f.Y[number-1] -= 4 * float64(k+2)
	}
	return f, low
}

func TestValuesThatAreFarTooLowAreOutliers(t *testing.T) {
	f, low := slipped(t)
	h := learn(t, f)
	if !slices.Equal(h.Outliers, low) {
		t.Fatalf("outliers %v, want %v: %+v", h.Outliers, low, h)
	}
	// The posterior is nearly that of the other values, and as near to the function.
	clean := f
	clean.X, clean.Y, clean.Numbers = nil, nil, nil
	for i, n := range f.Numbers {
		if !slices.Contains(low, n) {
			clean.X, clean.Y, clean.Numbers = append(clean.X, f.X[i]), append(clean.Y, f.Y[i]), append(clean.Numbers, n)
		}
	}
	with, without := miss(t, f, h), miss(t, clean, learn(t, clean))
	if with > 3*without || with > 0.05 {
		t.Errorf("%v off in the root mean square, without the outliers %v", with, without)
	}
	best, _, _ := f.compare()
	blind, _, err := f.chosen(best, 0)
	if err != nil || miss(t, f, blind) < 3*with {
		t.Errorf("%v off where all count alike, %v with outliers (%v)", miss(t, f, blind), with, err)
	}
}

// miss is how far the posterior mean of a fit is from the wave, in the root mean square.
func miss(t *testing.T, f Fit, h Hyper) float64 {
	t.Helper()
	units := buffer.Warped(f.Y, buffer.WarpAt(f.Y, h.Warp))
	y, known := make([]float64, len(f.Y)), make([]float64, len(f.Y))
	for i, v := range f.Y {
		y[i] = units.To(v)
		if slices.Contains(h.Outliers, f.Numbers[i]) {
			known[i] = outlierNoise
		}
	}
	kernel := named(f.Kernels, h.Name)
	if kernel == nil {
		kernel = f.Kernels[0]
	}
	p := must.Get(WithHyper(surrogate.Prior{Kernel: kernel, Noise: 1}, h.Kernel, h.Noise).ConditionKnown(f.X, y, known, nil))(t)
	square, stream := 0., rng.New(5, rng.Test, 0)
	for range 200 {
		x := space.Unit{stream.Float64(), stream.Float64()}
		off := units.From(p.Mean(x)) - smooth(x)
		square += off * off / 200
	}
	return math.Sqrt(square)
}

func TestWhatIsFarBetterIsNoOutlier(t *testing.T) {
	f := adaptive(t, 60, 0.01, smooth)
	f.Y[30] += 15
	if h := learn(t, f); h.Outliers != nil {
		t.Errorf("a narrow peak is set aside: %+v", h)
	}
}

func TestValuesThatAModelExplainsAreNoOutliers(t *testing.T) {
	for name, of := range map[string]func(space.Unit) float64{
		"a wave": smooth, "a bowl": bowl, "a valley over orders of magnitude": valley,
		"kinks": func(x space.Unit) float64 { return -math.Abs(x[0]-0.4) - math.Abs(x[1]-0.7) },
	} {
		for _, noise := range []float64{0, 0.1} {
			if h := learn(t, adaptive(t, 40, noise, of)); h.Outliers != nil {
				t.Errorf("%s with noise %v: %+v", name, noise, h)
			}
		}
	}
}

func TestAMarginIsNoOutlier(t *testing.T) {
	f, _ := slipped(t)
	f.Output = Constraint(0)
	if h := learn(t, f); h.Outliers != nil {
		t.Errorf("%+v", h)
	}
}

func TestOneValueOfTenAtMostIsAnOutlier(t *testing.T) {
	f := adaptive(t, 40, 0.01, smooth)
	for i := range 12 {
		f.Y[3*i] -= 10 + float64(i)
	}
	if h := learn(t, f); len(h.Outliers) > 4 {
		t.Errorf("%d of 40 values are set aside", len(h.Outliers))
	}
}

// Noise that is known of values and that of outliers add up.
func TestOutliersAmongValuesOfKnownNoise(t *testing.T) {
	f, low := slipped(t)
	f.Known = slices.Repeat([]float64{4e-4}, len(f.Y))
	if h := learn(t, f); !slices.Equal(h.Outliers, low) {
		t.Errorf("outliers %v, want %v", h.Outliers, low)
	}
	f.Aside = make([]float64, len(f.Y))
	f.Aside[2] = outlierNoise
	noise := f.noise(feedback.Units{Scale: 2})
	must.Near(t, "an outlier", noise[2], outlierNoise+1e-4, 1e-15)
	must.Near(t, "another", noise[3], 1e-4, 1e-18)
}

// slippedModel is a model of the square that has seen the values of a fit, with hyperparameters to be adopted.
func slippedModel(t *testing.T, f Fit) *Model {
	t.Helper()
	m := New(Config{Space: square(t), Active: MaxActive, Outputs: []Spec{{Prior: f.Start, Kernels: f.Kernels}}, Beliefs: []Want{{Pending: feedback.Hallucinate}}})
	for i, x := range f.X {
		m.Open(i+1, i+1, 0, x)
		m.Reveal(Objective, i+1, Measurement{Value: f.Y[i]}, i+2, 0)
	}
	return m
}

func TestRowsOfOutliersHaveTheirNoise(t *testing.T) {
	f, low := slipped(t)
	m := slippedModel(t, f)
	m.Sync()
	work, wanted := m.BeginFit()
	if !wanted {
		t.Fatal("no fit is wanted")
	}
	if err := m.Adopt(must.Get(work.Learn())(t)); err != nil {
		t.Fatal(err)
	}
	p := m.posterior(t)
	for i, number := range m.of(0).rows.now {
		want := 0.
		if slices.Contains(low, number) {
			want = outlierNoise
		}
		if p.Known(i) != want {
			t.Errorf("row of #%d has the noise %v, want %v", number, p.Known(i), want)
		}
	}
	beliefs, _ := m.Plan().Think()
	if !slices.Equal(beliefs[0].Outliers, low) {
		t.Errorf("a policy hears of the outliers %v, want %v", beliefs[0].Outliers, low)
	}
}

func TestOutliersThatAreNoQueriesAreRefused(t *testing.T) {
	f, _ := slipped(t)
	for _, numbers := range [][]int{{0}, {61}, {3, 2}, {4, 4}, {-1}} {
		m := slippedModel(t, f)
		m.Sync()
		if _, wanted := m.BeginFit(); !wanted {
			t.Fatal("no fit is wanted")
		}
		h := Hyper{Kernel: []float64{1, 1, 1}, Noise: 0.1, Outliers: numbers}
		if err := m.Adopt(h); !errors.Is(err, errOutliers) {
			t.Errorf("%v: %v", numbers, err)
		}
	}
}

// Where values are noisy and some are far too low, others that are far too high by as much are luck. Without noise they are a peak, whatever else
// has happened.
func TestUnderHeavyTailsWhatIsFarTooGoodIsLuck(t *testing.T) {
	low, high := []int{8, 24, 42}, []int{15, 33}
	spoiled := func(noise float64) Fit {
		f := adaptive(t, 60, noise, smooth)
		for k, number := range low {
			f.Y[number-1] -= 4 * float64(k+2)
		}
		for _, number := range high {
			f.Y[number-1] += 12
		}
		return f
	}
	want := []int{8, 15, 24, 33, 42}
	f := spoiled(0.1)
	h := learn(t, f)
	if !slices.Equal(h.Outliers, want) {
		t.Errorf("outliers %v, want %v", h.Outliers, want)
	}
	if off := miss(t, f, h); off > 0.15 {
		t.Errorf("%v off in the root mean square", off)
	}
	for _, number := range learn(t, spoiled(0)).Outliers {
		if slices.Contains(high, number) {
			t.Errorf("a peak at %d is set aside without noise", number)
		}
	}
}
