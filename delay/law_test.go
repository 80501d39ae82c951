package delay

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// draws returns n delays, one from the stream of each evaluation, as a driver draws them. All of them must arrive.
func draws(t *testing.T, law Law, c Case, n int) []float64 {
	t.Helper()
	sample := make([]float64, n)
	for i := range sample {
		delay, arrives := law.Draw(rng.New(1, rng.Delay, uint64(i)), c)
		if !arrives {
			t.Fatalf("%v: draw %d does not arrive", law, i)
		}
		if !(delay >= 0 && delay <= MaxDelay) {
			t.Fatalf("%v: draw %d is %v", law, i, delay)
		}
		sample[i] = delay
	}
	return sample
}

func whole(delays []float64) bool {
	return !slices.ContainsFunc(delays, func(d float64) bool { return d != math.Floor(d) })
}

// Mean and variance of each law against theory. The bounds are five standard errors, that of the variance computed
// from the fourth moment of the sample, so a wrong parametrization fails and the seed does not matter.
func TestMomentsAgreeWithTheory(t *testing.T) {
	const n = 20000
	for _, c := range []struct {
		law            Law
		mean, variance float64
		whole          bool
		least          float64
	}{
		{law: Fixed{7}, mean: 7, variance: 0, whole: true, least: 7},
		{law: Fixed{0.25}, mean: 0.25, variance: 0, least: 0.25},
		{law: Poisson{0}, mean: 0, variance: 0, whole: true},
		{law: Poisson{0.3}, mean: 0.3, variance: 0.3, whole: true},
		{law: Poisson{3}, mean: 3, variance: 3, whole: true},
		{law: Poisson{10}, mean: 10, variance: 10, whole: true},
		{law: Poisson{400}, mean: 400, variance: 400, whole: true},
		{law: Poisson{1e6}, mean: 1e6, variance: 1e6, whole: true},
		{law: Geometric{1}, mean: 1, variance: 0, whole: true, least: 1},
		{law: Geometric{0.5}, mean: 2, variance: 2, whole: true, least: 1},
		{law: Geometric{0.1}, mean: 10, variance: 90, whole: true, least: 1},
		{law: Geometric{1e-6}, mean: 1e6, variance: 1e12 - 1e6, whole: true, least: 1},
		{law: Exponential{4}, mean: 4, variance: 16},
		{law: LogNormal{1, 0}, mean: math.E, variance: 0},
		{law: LogNormal{1, 0.5}, mean: math.Exp(1.125), variance: (math.Exp(0.25) - 1) * math.Exp(2.25)},
		{law: Pareto{2, 6}, mean: 2.4, variance: 4 * 6.0 / (25 * 4), least: 2},
		{law: InputPoisson{5, 5}, mean: 5, variance: 5, whole: true},
		{law: ValuePoisson{5, 5}, mean: 5, variance: 5, whole: true},
		{law: Never{0, Poisson{6}}, mean: 6, variance: 6, whole: true},
	} {
		t.Run(c.law.String(), func(t *testing.T) {
			sample := draws(t, c.law, Case{X: []float64{0.5}, Level: 0.5}, n)
			mean, variance := stat.MeanVariance(sample, nil)
			if tolerance := 5*math.Sqrt(c.variance/n) + 1e-12*c.mean; math.Abs(mean-c.mean) > tolerance {
				t.Errorf("mean %v, want %v ± %v", mean, c.mean, tolerance)
			}
			spread := math.Sqrt(max(0, stat.Moment(4, sample, nil)-variance*variance) / n)
			if tolerance := 5*spread + 1e-12*c.mean; math.Abs(variance-c.variance) > tolerance {
				t.Errorf("variance %v, want %v ± %v", variance, c.variance, tolerance)
			}
			if c.whole && !whole(sample) {
				t.Error("a law that counts drew a fraction")
			}
			if least := slices.Min(sample); least < c.least {
				t.Errorf("drew %v, below the support from %v", least, c.least)
			}
			if m := c.law.(Meaner).Mean(); math.Abs(m-c.mean) > 1e-9*c.mean {
				t.Errorf("Mean() = %v, want %v", m, c.mean)
			}
		})
	}
}

// Moments say little about a tail, so the share of draws beyond a point is compared too.
func TestTailsAgreeWithTheory(t *testing.T) {
	const n = 20000
	for _, c := range []struct {
		law    Law
		beyond float64
		share  float64
	}{
		{Poisson{10}, 20, 1 - 0.998411739338},
		{Poisson{10}, 10, 1 - 0.583039750193},
		{Poisson{3}, 6, 1 - 0.966491464691},
		{Geometric{0.2}, 5, math.Pow(0.8, 5)},
		{Geometric{0.2}, 1, 0.8},
		{Exponential{2}, 6, math.Exp(-3)},
		{LogNormal{-1, 2}, math.Exp(1), distuv.UnitNormal.Survival(1)},
		{Pareto{3, 0.5}, 300, 0.1},
		{Pareto{3, 0.01}, MaxDelay * 0.999, math.Pow(3/(MaxDelay*0.999), 0.01)}, // most of them are cut
	} {
		var beyond float64
		for _, d := range draws(t, c.law, Case{}, n) {
			if d > c.beyond {
				beyond++
			}
		}
		if share := beyond / n; math.Abs(share-c.share) > 5*math.Sqrt(c.share*(1-c.share)/n) {
			t.Errorf("%v exceeds %v in a share %v of draws, want %v", c.law, c.beyond, share, c.share)
		}
	}
}

// The frequency of every count of a geometric law, worked out by hand for P = 1/2.
func TestGeometricCountsTrialsUpToTheFirstSuccess(t *testing.T) {
	const n = 20000
	counts := map[float64]float64{}
	for _, d := range draws(t, Geometric{0.5}, Case{}, n) {
		counts[d]++
	}
	for k, want := range map[float64]float64{0: 0, 1: 0.5, 2: 0.25, 3: 0.125, 4: 0.0625} {
		if share := counts[k] / n; math.Abs(share-want) > 5*math.Sqrt(want*(1-want)/n) {
			t.Errorf("%v trials in a share %v of draws, want %v", k, share, want)
		}
	}
}

func TestExtremeParametersStayWithinTheLimits(t *testing.T) {
	for _, law := range []Law{
		Fixed{MaxDelay}, Poisson{MaxDelay}, Poisson{5e-324}, Geometric{minPositive}, Exponential{MaxDelay},
		Exponential{minPositive}, LogNormal{20, 10}, LogNormal{-20, 10}, Pareto{MaxDelay, 1000}, Pareto{minPositive, 0.01},
		InputPoisson{0, MaxDelay}, ValuePoisson{MaxDelay, 0},
	} {
		if err := law.(validator).Validate(); err != nil {
			t.Errorf("%v: %v", law, err)
		}
		draws(t, law, Case{X: []float64{0.7}, Level: 0.7}, 500)
	}
}

func TestMeansThatDoNotExist(t *testing.T) {
	for _, c := range []struct {
		law  Meaner
		want float64
	}{
		{Pareto{1, 1}, math.Inf(1)},
		{Pareto{1, 0.5}, math.Inf(1)},
		{Never{0.1, Fixed{1}}, math.Inf(1)},
		{Never{0, odd{}}, math.NaN()},
		{InputPoisson{1, 2}, math.NaN()},
		{ValuePoisson{1, 2}, math.NaN()},
	} {
		if got := c.law.Mean(); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%v has mean %v, want %v", c.law, got, c.want)
		}
	}
}

func TestSameStreamSameDelay(t *testing.T) {
	for _, spec := range everyLaw {
		law := must.Get(ParseLaw(spec))(t)
		c := Case{X: []float64{0.3, 0.9}, Level: 0.4}
		for i := range uint64(50) {
			a, aArrives := law.Draw(rng.New(3, rng.Delay, i), c)
			b, bArrives := law.Draw(rng.New(3, rng.Delay, i), c)
			if a != b || aArrives != bArrives {
				t.Fatalf("%s draws %v and %v from one stream", spec, a, b)
			}
		}
	}
}
