package policies

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// overList is a view of a study over a list in two dimensions, whose posterior has the list as its pool.
func overList(t *testing.T, lengthscale, noise float64, count int, seed uint64) View {
	t.Helper()
	stream := rng.New(seed, rng.Test, 41)
	prior := must.Get(surrogate.DefaultPrior("matern52", 2))(t)
	prior.Kernel = prior.Kernel.WithParams([]float64{math.Log(lengthscale), math.Log(lengthscale), 0})
	prior.Noise = noise
	x, y := scattered(2, 9, stream)
	for range count {
		x = append(x, anywhere(2, stream))
	}
	v := moment(t, listOf(t, x), prior, x[:9], y, feedback.Hallucinate)
	v.Posterior = v.Posterior.WithPool(surrogate.NewPool(prior.Kernel, x, false))
	return v
}

// Where the values of a function have nothing to do with each other both ways to sample its maximum agree, and otherwise the law of
// independent values is above.
func TestDrawsOfTheMaximumHaveTheLawOfIndependentValuesWhereTheyAre(t *testing.T) {
	const count = 4000
	quartiles := func(v View, m Maxima) []float64 {
		all := m.Sample(v, count, rng.New(1, rng.Test, 42))
		slices.Sort(all)
		return []float64{all[count/4], all[count/2], all[3*count/4]}
	}
	apart := overList(t, 1e-3, 1e-2, contenders-9, 1)
	joint, law := quartiles(apart, Joint), quartiles(apart, Gumbel)
	for i, got := range joint {
		must.Near(t, "quartile", got, law[i], .06)
	}
	near := overList(t, .3, 1e-2, 400, 1)
	joint, law = quartiles(near, Joint), quartiles(near, Gumbel)
	for i, got := range joint {
		if !(law[i] > got+.02) {
			t.Errorf("quartile %d of draws %v, of the law %v", i, got, law[i])
		}
	}
}

func TestNoSampleOfTheMaximumIsBelowWhatIsReached(t *testing.T) {
	for seed := range uint64(10) {
		for _, v := range []View{overList(t, .5, 1e-8, 30, seed), overList(t, .1, .5, 30, seed)} {
			bare := v
			bare.Posterior = v.Posterior.WithPool(nil)
			for _, m := range []Maxima{Joint, Gumbel} {
				for _, v := range []View{v, bare} {
					all := m.Sample(v, 10, rng.New(seed, rng.Test, 43))
					if len(all) != 10 || !(slices.Min(all) >= v.Target()) || math.IsInf(slices.Max(all), 1) {
						t.Errorf("seed %d: %v, %v is reached", seed, all, v.Target())
					}
					if again := m.Sample(v, 10, rng.New(seed, rng.Test, 43)); !slices.Equal(all, again) {
						t.Errorf("seed %d: %v, then %v", seed, all, again)
					}
				}
			}
		}
	}
}

// What mes chooses from a list tells most, as found by trying every point.
func TestAListIsSearchedForWhatTellsMost(t *testing.T) {
	for seed := range uint64(20) {
		v := overList(t, .4, .2, 60, seed)
		for spec, p := range map[string]MES{"mes": {}, "mes:gain=matched": {Gain: MatchedGain}, "mes:maxima=gumbel:samples=3": {Maxima: Gumbel, Samples: 3}} {
			p.Pending = feedback.Hallucinate
			samples := p.Maxima.Sample(v, cmp.Or(p.Samples, 10), rng.New(3, rng.Policy, uint64(v.Round)))
			worth := func(x space.Unit) (sum float64) {
				mean, variance := v.Posterior.Predict(x)
				for _, greatest := range samples {
					gam, rho := (greatest-mean)/math.Sqrt(variance), math.Sqrt(variance/(variance+.2))
					gain, _, _ := acquisition.EntropyGainNoisy(gam, rho)
					if p.Gain == MatchedGain {
						gain, _, _ = acquisition.MatchedGain(gam, rho)
					}
					sum += gain
				}
				return sum
			}
			var best space.Unit
			for i := range v.Posterior.Pool().Len() {
				if x := v.Posterior.Pool().Point(i); best == nil || worth(x) > worth(best) {
					best = x
				}
			}
			if got := chosen(t, spec, v, 1)[0]; !slices.Equal(got, best) {
				t.Errorf("seed %d: %s chose %v, worth %v, not %v, worth %v", seed, spec, got, worth(got), best, worth(best))
			}
		}
	}
}

func TestOfAnyNumberOfQueriesAShareIsGreedy(t *testing.T) {
	for _, share := range []float64{0, .1, .25, .5, 1} {
		greedy := 0
		for round := 1; round <= 200; round++ {
			if turns(share, round) {
				greedy++
			}
			if lack := share*float64(round) - float64(greedy); lack < -1e-9 || lack >= 1 {
				t.Fatalf("share %v: %d of %d", share, greedy, round)
			}
		}
	}
	v := overList(t, .4, .2, 60, 1)
	v.Round = 12 // a multiple of four
	best := v.Posterior.Pool().Point(greatest(v.Posterior.PoolMean()))
	if got := chosen(t, "mes", v, 1)[0]; !slices.Equal(got, best) {
		t.Errorf("chose %v, where the mean is greatest is %v", got, best)
	}
}
