package safety

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// The constraint of Zhang 2024, section 6.8.1: Σ a_i exp(-h (x - x_i)²) ≥ 0 on [-10, 10], with x = 0 known to be safe.
var (
	weights = []float64{-.05, -.1, .3, -.3, .5, .5, -.3, .3, -.1, -.05}
	centers = []float64{-9.6, -7.4, -5.5, -3.3, -1.1, 1.1, 3.3, 5.5, 7.4, 9.6}
)

const right, wrong = 1 / 1.62, 1 / 14.58 // h of the kernel

func constraint(x float64) (q float64) {
	for i, a := range weights {
		q += a * math.Exp(-right*(x-centers[i])*(x-centers[i]))
	}
	return q
}

// The source gives 0.946 and 1.69, which no h leads to.
func TestTheConstraintOfTheSourceHasANormBelowOne(t *testing.T) {
	var norm float64
	for i, a := range weights {
		norm += a * constraint(centers[i])
	}
	if norm = math.Sqrt(norm); math.Abs(norm-.9219) > 5e-5 || math.Abs(constraint(0)-.4731) > 5e-5 {
		t.Errorf("the norm is %v, the value at 0 is %v", norm, constraint(0))
	}
}

// Zhang 2024, section 6.8: SafeOpt violates nothing where kernel and norm are right, and where the kernel is wrong more often
// than is allowed. D-SAFE-BOCP keeps its promise under either kernel, and is not stuck at the seed.
func TestOnlyThePromiseHoldsUnderAnyKernel(t *testing.T) {
	p := Promise{Alpha: .1, Queries: 25, Eta: 2}
	studies, excess := 30, 0
	if raced {
		studies = 3
	}
	norm := func(Account) Beta { return must.Get(NormBeta(1, 0, 0, .1))(t) }
	for seed := range uint64(studies) {
		if violations, _ := safeStudy(t, seed, right, p, norm); violations > 0 {
			t.Errorf("seed %d: SafeOpt has %d violations with the right kernel", seed, violations)
		}
		if violations, _ := safeStudy(t, seed, wrong, p, norm); violations > p.Terms().Allowed {
			excess++
		}
		for _, h := range []float64{right, wrong} {
			if violations, points := safeStudy(t, seed, h, p, p.Beta); violations > p.Terms().Allowed || points < 3 {
				t.Errorf("seed %d, h = %v: %d violations at %d points", seed, h, violations, points)
			}
		}
	}
	if 2*excess < studies {
		t.Errorf("with the wrong kernel SafeOpt has too many violations in only %d of %d studies", excess, studies)
	}
}

// safeStudy returns the violations among the queries to a function that is a draw from the right kernel, under the given
// one, and how many different points were queried.
func safeStudy(t *testing.T, seed uint64, h float64, p Promise, beta func(Account) Beta) (violations, points int) {
	kernel := func(h float64) surrogate.Kernel {
		return surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{math.Sqrt(1/(2*h)) / 20}, Outputscale: 1}
	}
	const candidates, middle, noise = 201, 100, 2.5e-3
	var grid []space.Unit
	for i := range candidates {
		grid = append(grid, space.Unit{float64(i) / (candidates - 1)})
	}
	stream := rng.New(seed, rng.Test, 10)
	at := func(i int) float64 { return 20*float64(i)/(candidates-1) - 10 }
	f := must.Get(surrogate.Prior{Kernel: kernel(right), Noise: noise}.Condition(nil, nil, surrogate.NewPool(kernel(right), grid, false)))(t).DrawJoint(stream)

	pool := surrogate.NewPool(kernel(h), grid, false)
	believe := func(noise float64) *surrogate.Posterior {
		return must.Get(surrogate.Prior{Kernel: kernel(h), Noise: noise}.Condition(nil, nil, pool))(t)
	}
	objective, on := believe(noise), believe(1e-6)
	observe := func(i int) bool {
		objective = objective.Append(grid[i], f[i]+math.Sqrt(noise)*stream.NormFloat64())
		on = on.Append(grid[i], constraint(at(i)))
		return constraint(at(i)) < 0
	}
	observe(middle)
	var account Account
	var queried []int
	for range p.Queries {
		region := Region{Objective: objective, Constraints: []Constraint{{Belief: on}}, Seeds: []int{middle}, Beta: beta(account)}
		next, _ := region.Next()
		account.Start()
		violated := observe(next)
		account.Answer(violated)
		queried = append(queried, next)
	}
	slices.Sort(queried)
	return account.Violations, len(slices.Compact(queried))
}
