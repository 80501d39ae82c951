package safety

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// line is the posterior of exp(-8r²) on the grid 0, 0.1, ..., 1.
func line(t *testing.T, noise float64, y ...float64) *surrogate.Posterior {
	t.Helper()
	kernel := surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{.25}, Outputscale: 1}
	var grid []space.Unit
	for i := range 11 {
		grid = append(grid, space.Unit{float64(i) / 10})
	}
	prior := surrogate.Prior{Kernel: kernel, Noise: noise}
	return must.Get(prior.Condition([]space.Unit{{.5}, {.4}, {.7}}, y, surrogate.NewPool(kernel, grid, false)))(t)
}

// hand is the region of the hand-worked numbers.
func hand(t *testing.T) Region {
	return Region{
		Objective:   line(t, .01, .2, .35, -.1),
		Constraints: []Constraint{{Belief: line(t, 1e-4, .8, .9, .25)}},
		Seeds:       []int{5}, Beta: Beta{Value: 2},
	}
}

func TestTheSetsOfSafeOpt(t *testing.T) {
	r := hand(t)
	want := []float64{-1.5420262521, -.9945183631, -.2271605713, .5125433414, .8799698277, .7799422598, .4460280076, .2300572841, -.4092008465, -1.1160898810, -1.6448020957}
	v := r.look()
	for i, w := range want {
		near(t, "the lower bound", v.on[0].mean[i]-2*v.on[0].sd[i], w)
	}
	sets := r.Sets()
	if middle := []int{3, 4, 5, 6, 7}; !slices.Equal(sets.Safe, middle) || !slices.Equal(sets.Maximizers, middle) || !slices.Equal(sets.Expanders, []int{3, 6}) {
		t.Errorf("sets are %+v", sets)
	}
	next, width := r.Next()
	answer, lower := r.Answer()
	if next != 3 || answer != 4 {
		t.Errorf("next %d, answer %d", next, answer)
	}
	near(t, "width", width, .264144706371)
	near(t, "lower bound of the objective", lower, .0573492317965)
	if err := r.Validate(); err != nil {
		t.Error(err)
	}
}

func TestTheBetaOfSafeOpt(t *testing.T) {
	near(t, "beta", must.Get(NormBeta(3, .1, 5, .1))(t).Value, 4.15256826908)
	_, err := NormBeta(-1, math.NaN(), math.Inf(1), 1)
	if !errors.Is(err, check.ErrInvalidOption) || strings.Count(err.Error(), "\n") != 3 {
		t.Errorf("error is %v", err)
	}
}

func TestInfiniteCautionLeavesTheSeedsAndNoCautionTheMean(t *testing.T) {
	r := hand(t)
	r.Seeds = []int{0, 5}
	r.Beta = Beta{Infinite: true}
	if sets := r.Sets(); !slices.Equal(sets.Safe, r.Seeds) || len(sets.Expanders) != 0 {
		t.Errorf("sets are %+v", sets)
	}
	if next, _ := r.Next(); next != 0 {
		t.Errorf("next %d", next)
	}
	r.Beta = Beta{}
	var want []int
	for i, m := range r.Constraints[0].Belief.PoolMean() {
		if m >= 0 || i == 0 {
			want = append(want, i)
		}
	}
	if sets := r.Sets(); !slices.Equal(sets.Safe, want) {
		t.Errorf("sets are %+v, want %v", sets, want)
	}
}

// What pends is chosen again only where nothing else is safe, and does not count as answered where it is decided what is safe.
func TestWhatPendsIsNotTheNextWhileAnotherIsSafe(t *testing.T) {
	r := hand(t)
	r.Pending = []int{3, 6}
	if next, _ := r.Next(); next != 7 { // the most uncertain of M but for 3
		t.Errorf("next %d", next)
	}
	r.Pending = []int{3, 4, 5, 6, 7}
	if next, _ := r.Next(); next != 3 {
		t.Errorf("next %d where all pend", next)
	}
	r.Pending = nil
	known := line(t, 1e-6, .8, .9, .25)
	point := known.Pool().Point(3)
	objective, constraint := line(t, .01, .2, .35, -.1), line(t, 1e-4, .8, .9, .25)
	r.Awaited = []Belief{objective.Append(point, objective.Mean(point)), constraint.Append(point, constraint.Mean(point))}
	before := hand(t).Sets()
	if next, width := r.Next(); next == 3 || !(width > 0) {
		t.Errorf("next %d, which counts as answered", next)
	}
	if after := r.Sets(); !slices.Equal(after.Safe, before.Safe) {
		t.Errorf("safe are %v, and were %v", after.Safe, before.Safe)
	}
}

func TestALimitIsTakenOffTheMeans(t *testing.T) {
	r := hand(t)
	r.Constraints[0].Least = .4
	if sets := r.Sets(); !slices.Equal(sets.Safe, []int{3, 4, 5, 6}) {
		t.Errorf("sets are %+v", sets)
	}
}

// random draws beliefs about an objective and some constraints in the square.
func random(t *testing.T, r *rand.Rand) (Region, []surrogate.Posterior) {
	points := func(n int) (all []space.Unit) {
		for range n {
			all = append(all, space.Unit{r.Float64(), r.Float64()})
		}
		return all
	}
	pool, x := points(40), points(2+r.IntN(8))
	var beliefs []surrogate.Posterior
	for range 2 + r.IntN(2) {
		y := make([]float64, len(x))
		for i := range y {
			y[i] = r.NormFloat64()
		}
		kernel := surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{.2 + r.Float64(), .2 + r.Float64()}, Outputscale: 1}
		prior := surrogate.Prior{Kernel: kernel, Noise: []float64{1e-6, 1e-3, .1}[r.IntN(3)]}
		beliefs = append(beliefs, *must.Get(prior.Condition(x, y, surrogate.NewPool(kernel, pool, false)))(t))
	}
	region := Region{Objective: &beliefs[0], Seeds: []int{r.IntN(40)}, Beta: Beta{Value: 2 * r.Float64()}}
	for i := range beliefs[1:] {
		region.Constraints = append(region.Constraints, Constraint{&beliefs[i+1], -.5 * r.Float64()})
	}
	return region, beliefs
}

// A candidate is an expander if and only if the posterior with one more observation says so.
func TestExpandersAreThoseOfThePosteriorWithOneMoreObservation(t *testing.T) {
	expanders, others := 0, 0
	for seed := range uint64(60) {
		region, beliefs := random(t, rng.New(seed, rng.Test, 5))
		sets := region.Sets()
		for _, i := range sets.Safe {
			var after []*surrogate.Posterior
			for k := range region.Constraints {
				p := &beliefs[k+1]
				upper := p.PoolMean()[i] + region.Beta.Value*math.Sqrt(p.PoolVariance()[i])
				after = append(after, p.Append(p.Pool().Point(i), upper))
			}
			expands, close := false, false
			for j := range beliefs[0].PoolMean() {
				if slices.Contains(sets.Safe, j) {
					continue
				}
				least := math.Inf(1)
				for k, p := range after {
					least = min(least, p.PoolMean()[j]-region.Beta.Value*math.Sqrt(p.PoolVariance()[j])-region.Constraints[k].Least)
				}
				expands = expands || least >= 0
				close = close || math.Abs(least) < 1e-5
			}
			if got := slices.Contains(sets.Expanders, i); got != expands && !close {
				t.Errorf("seed %d: candidate %d is an expander: %v, want %v", seed, i, got, expands)
			}
			if expands {
				expanders++
			} else {
				others++
			}
		}
	}
	if expanders < 50 || others < 50 {
		t.Errorf("%d expanders and %d others: nothing was tested", expanders, others)
	}
}

// The early stop changes nothing.
func TestNextIsTheMostUncertainOfMaximizersAndExpanders(t *testing.T) {
	for seed := range uint64(200) {
		region, _ := random(t, rng.New(seed, rng.Test, 6))
		v, sets := region.look(), region.Sets()
		want := -1
		for i := range v.safe {
			if (slices.Contains(sets.Maximizers, i) || slices.Contains(sets.Expanders, i)) && (want < 0 || v.width(i) > v.width(want)) {
				want = i
			}
		}
		if next, width := region.Next(); next != want || width != v.width(want) {
			t.Errorf("seed %d: next %d with width %v, want %d with %v", seed, next, width, want, v.width(want))
		}
	}
}

func TestARegionWithoutSeedsIsRefused(t *testing.T) {
	r := hand(t)
	r.Seeds = nil
	if err := r.Validate(); err == nil || err.Error() != "Region.Seeds = 0: want at least one candidate that is known to be safe" {
		t.Errorf("error is %v", err)
	}
	r.Seeds, r.Beta, r.ObjectiveBeta, r.Constraints[0].Least = []int{-1, 11}, Beta{Value: -1}, -1, math.NaN()
	err := r.Validate()
	for _, want := range []string{"Region.Seeds[0] = -1: want 0 ≤ seed < 11", "Region.Seeds[1] = 11", "Region.Beta = -1", "Region.ObjectiveBeta = -1", "Region.Constraints[0].Least = NaN"} {
		if !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
	if err := (Region{}).Validate(); err == nil || !strings.Contains(err.Error(), "Region.Objective") || !strings.Contains(err.Error(), "Region.Constraints = 0: want at least one constraint") {
		t.Errorf("error is %v", err)
	}
}
