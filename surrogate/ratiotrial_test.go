package surrogate_test

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	. "github.com/tarry-bo/tarry/surrogate"
)

// ratioTrial returns a trial of n outcomes in four dimensions, one of them a category, and what it is made of.
func ratioTrial(t testing.TB, of Stationary, n int) (*RatioTrial, Warped, []space.Unit, []float64) {
	stream := rng.New(3, rng.Test, 1)
	k := Warped{Of: of.WithCategories([]bool{false, false, true, false}).(Stationary), Ratios: Inputs{1, 30, 1, 1e-3}}
	var x []space.Unit
	var y []float64
	for i := range n {
		x = append(x, space.Unit{stream.Float64(), stream.Float64(), float64(i % 2), stream.Float64()})
		y = append(y, math.Copysign(1, x[i][0]-0.01-0.3*x[i][3]))
	}
	return must.Get(NewRatioTrial(k, 0.01, 0.3, x, y))(t), k, x, y
}

// conditionedEvidence is the evidence the slow way.
func conditionedEvidence(t testing.TB, k Warped, longer float64, x []space.Unit, y []float64) float64 {
	k.Of.Lengthscales = slices.Clone(k.Of.Lengthscales)
	for j := range k.Of.Lengthscales {
		k.Of.Lengthscales[j] *= longer
	}
	return must.Get(Prior{Kernel: k, Noise: 0.01, Mean: 0.3}.Condition(x, y, nil))(t).LogEvidence()
}

// What a trial says of each ratio is what conditioning on the targets says, whatever was tried before.
func TestTrialsOfRatiosAreWhatConditioningSays(t *testing.T) {
	for family := SE; family <= RationalQuadratic; family++ {
		of := Stationary{Family: family, Lengthscales: []float64{0.4, 0.8, 0.5, 1.1}, Outputscale: 2, Constant: float64(family) / 2}
		trial, k, x, y := ratioTrial(t, of, 40)
		check := func(ratios Inputs) {
			t.Helper()
			for _, longer := range []float64{0.2, 1, 3} {
				want := conditionedEvidence(t, Warped{k.Of, ratios}, longer, x, y)
				if got := trial.LogEvidence(longer); !(math.Abs(got-want) <= 1e-8*math.Abs(want)) {
					t.Errorf("%v, ratios %v, %v times as long: %.12g, want %.12g", family, ratios, longer, got, want)
				}
			}
		}
		check(k.Ratios)
		for j, ratio := range []float64{1e6, 1e-6, 50, 1} {
			trial.Try(j, ratio)
			ratios := slices.Clone(k.Ratios)
			ratios[j] = ratio
			check(ratios)
		}
		trial.Keep(0, 1e3)
		trial.Try(1, 1)
		trial.Try(3, 7)
		check(Inputs{1e3, 30, 1, 7})
		if k.Ratios[0] != 1 {
			t.Error("a trial changed the ratios of the kernel that it was made of")
		}
	}
}

// Where conditioning would need jitter a trial says that there is no evidence, and bad input is an error as it is there.
func TestATrialOfRatiosThatCannotBe(t *testing.T) {
	k := Warped{Of: Stationary{Family: SE, Lengthscales: []float64{1}, Outputscale: 1}, Ratios: Inputs{1}}
	twice := []space.Unit{{0.5}, {0.5}}
	if got := must.Get(NewRatioTrial(k, 0, 0, twice, []float64{1, 1}))(t).LogEvidence(1); !math.IsInf(got, -1) {
		t.Errorf("evidence of a point that is there twice, without noise: %v", got)
	}
	if got := must.Get(NewRatioTrial(k, 0.01, 0, nil, nil))(t).LogEvidence(1); got != 0 {
		t.Errorf("evidence of nothing: %v", got)
	}
	if _, err := NewRatioTrial(k, 0.01, 0, twice, []float64{1, math.NaN()}); err == nil {
		t.Error("a target that is no number was taken")
	}
	k.Ratios = Inputs{0}
	if _, err := NewRatioTrial(k, 0.01, 0, twice, []float64{1, 1}); err == nil {
		t.Error("a ratio of zero was taken")
	}
}

func TestATrialOfRatiosAllocatesNothing(t *testing.T) {
	trial, _, _, _ := ratioTrial(t, Stationary{Family: Matern52, Lengthscales: []float64{0.4, 0.8, 0.5, 1.1}, Outputscale: 2}, 40)
	if n := testing.AllocsPerRun(10, func() {
		trial.Try(0, 1e3)
		trial.LogEvidence(0.5)
		trial.Keep(1, 1e-3)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkRatioTrial is what one ratio costs with 64 outcomes, and what conditioning on them costs.
func BenchmarkRatioTrial(b *testing.B) {
	trial, k, x, y := ratioTrial(b, Stationary{Family: Matern52, Lengthscales: []float64{0.4, 0.8, 0.5, 1.1}, Outputscale: 2}, 64)
	b.Run("trial", func(b *testing.B) {
		for b.Loop() {
			trial.Try(0, 1e3)
			trial.LogEvidence(0.5)
		}
	})
	b.Run("condition", func(b *testing.B) {
		for b.Loop() {
			conditionedEvidence(b, k, 0.5, x, y)
		}
	})
}
