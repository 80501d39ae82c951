package acquisition

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

func utilities() map[string]Utility {
	return map[string]Utility{
		"ucb":             UpperConfidenceBound{Beta: 2},
		"ucb, predictive": UpperConfidenceBound{Beta: .7, Noise: .3},
		"quantile":        Quantile{P: .9},
		"far quantile":    Quantile{P: 1e-9, Noise: .1},
		"log EI":          LogExpectedImprovement{Best: .25},
		"log PI":          LogProbabilityOfImprovement{Best: .2, Xi: .05},
		"moments":         MomentMatched{Utility: LogExpectedImprovement{Best: .25}, Variance: 1.7},
		"log entropy":     LogEntropyGain{Maxima: []float64{.3, .5, .9}, Noise: .02},
		"noise-free":      LogEntropyGain{Maxima: []float64{.26, .5, .9}},
		"matched entropy": LogEntropyGain{Maxima: []float64{.3, .5, .9}, Noise: .02, Matched: true},
		"noisy moments":   MomentMatched{Utility: UpperConfidenceBound{Beta: 2}, Mean: .3, Variance: .6, Noise: .3},
	}
}

// Both slopes agree with central differences, for improvements from 30 standard deviations to −10⁸ of them and for
// spreads over twelve powers of ten.
func TestSlopesAgreeWithDifferences(t *testing.T) {
	const best, share = .25, 1e-5
	for name, u := range utilities() {
		for _, d := range []float64{30, 8, 3, 1, .4, 1e-2, -1e-2, -.4, -.99, -1.01, -3, -11.9, -12.1, -36.9, -37.1, -299, -301, -1e4, -1e6, -1e8} {
			for _, sd := range []float64{1e-6, 1e-3, .1, 1, 30, 1e6} {
				mean, variance := best+d*sd, sd*sd
				value, dmean, dvariance := u.Slopes(mean, variance)
				if value != u.Of(mean, variance) {
					t.Fatalf("%s: %v from Slopes, %v from Of", name, value, u.Of(mean, variance))
				}
				// Differences lose what round-off in best + d·sd and in the value takes.
				step := share * sd * max(1, math.Abs(d))
				size := max(math.Abs(value), math.Abs(mean), 1)
				want := (u.Of(mean+step, variance) - u.Of(mean-step, variance)) / (2 * step)
				agree(t, name+" by mean", d, sd, dmean, want, 1e-14*size/step)
				step = share * variance
				want = (u.Of(mean, variance+step) - u.Of(mean, variance-step)) / (2 * step)
				agree(t, name+" by variance", d, sd, dvariance, want, 1e-14*size/step)
			}
		}
	}
}

func agree(t *testing.T, what string, d, sd, got, want, slack float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-6*math.Abs(want)+slack) {
		t.Errorf("%s at d = %v, σ = %v: %.12g, differences give %.12g", what, d, sd, got, want)
	}
}

// Nothing that the units of a model can hold makes a utility or a slope NaN or infinite, and where nothing is left to
// learn the slope by variance is zero.
func TestUtilitiesAreFiniteEverywhere(t *testing.T) {
	for name, u := range utilities() {
		for _, mean := range []float64{-1e100, -1e8, -1, 0, .25, 1, 1e8, 1e100} {
			for _, variance := range []float64{0, 5e-324, 1e-30, 1e-24, 1e-12, 1, 1e12, 1e100} {
				value, dmean, dvariance := u.Slopes(mean, variance)
				for _, v := range []float64{value, dmean, dvariance, u.Of(mean, variance)} {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Errorf("%s at mean %v, variance %v: %v, slopes %v and %v", name, mean, variance, value, dmean, dvariance)
					}
				}
				if variance == 0 && dvariance != 0 {
					t.Errorf("%s at mean %v, variance 0: slope by variance %v", name, mean, dvariance)
				}
			}
		}
	}
}

// The logarithms keep rising, and their slopes stay positive, where the improvement itself is zero in floating point.
func TestLogarithmsDoNotVanish(t *testing.T) {
	for name, u := range map[string]Utility{"log EI": LogExpectedImprovement{}, "log PI": LogProbabilityOfImprovement{}} {
		for mean := -1e8; mean < -1; mean *= .7 {
			_, dmean, dvariance := u.Slopes(mean, 1)
			if u.Of(.7*mean, 1) <= u.Of(mean, 1) || dmean <= 0 || dvariance <= 0 {
				t.Errorf("%s at mean %v: slopes %v and %v", name, mean, dmean, dvariance)
			}
		}
	}
}

// The gradient over a posterior agrees with differences of the value, for several kernels and dimensions, near data and
// far from it.
func TestGradientsOverPosteriorsAgreeWithDifferences(t *testing.T) {
	for d := 1; d <= 6; d++ {
		for _, kernel := range []string{"se", "matern32", "matern52", "linear"} {
			stream := rng.New(uint64(d), rng.Test, 7)
			p := scattered(t, kernel, d, stream)
			for name, u := range utilities() {
				f := At{p, u}
				x := random(d, stream)
				got := make([]float64, d)
				if v := f.Gradient(x, got); math.Abs(v-f.Value(x)) > 1e-9*max(1, math.Abs(v)) {
					t.Errorf("%s: value %v from Gradient, %v from Value", name, v, f.Value(x))
				}
				want := fd.Gradient(nil, func(u []float64) float64 { return f.Value(u) }, x, &fd.Settings{Formula: fd.Central, Step: 1e-5})
				for j := range got {
					must.Near(t, name+" over "+kernel, got[j], want[j], 2e-5)
				}
			}
		}
	}
}

func random(d int, stream *rand.Rand) space.Unit {
	x := make([]float64, d)
	for j := range x {
		x[j] = stream.Float64()
	}
	return x
}

func scattered(t *testing.T, kernel string, d int, stream *rand.Rand) *surrogate.Posterior {
	t.Helper()
	prior := must.Get(surrogate.DefaultPrior(kernel, d))(t)
	var x []space.Unit
	var y []float64
	for range 5 + 2*d {
		u := random(d, stream)
		x, y = append(x, u), append(y, math.Sin(4*u[0])-u[d-1])
	}
	return must.Get(prior.Condition(x, y, nil))(t)
}
