package surrogate

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// study is a long run of points with duplicates, some of them in the pool.
func study(n int) (points, x []space.Unit, y []float64) {
	r := stream(10)
	points = randomPoints(r, 200, 2)
	for i := range n {
		switch {
		case i%7 == 3 && i > 10:
			x = append(x, x[r.IntN(len(x))])
		case i%2 == 0:
			x = append(x, points[r.IntN(len(points))])
		default:
			x = append(x, randomPoints(r, 1, 2)[0])
		}
	}
	return points, x, randomTargets(r, n)
}

func samePosterior(t *testing.T, what string, a, b *Posterior, tolerance float64) {
	t.Helper()
	for name, pair := range map[string][2][]float64{
		"alpha":         {a.Alpha(), b.Alpha()},
		"pool mean":     {a.PoolMean(), b.PoolMean()},
		"pool variance": {a.PoolVariance(), b.PoolVariance()},
	} {
		if !floats.EqualApprox(pair[0], pair[1], tolerance) {
			t.Errorf("%s: %s differs by up to %g", what, name, floats.Distance(pair[0], pair[1], math.Inf(1)))
		}
	}
	for _, x := range []space.Unit{xa, xb, {0, 1}} {
		ma, va := a.Predict(x)
		mb, vb := b.Predict(x)
		near(t, what+": mean", ma, mb, tolerance)
		near(t, what+": variance", va, vb, tolerance)
	}
}

func TestIncrementalEqualsScratchOverThreeHundredPoints(t *testing.T) {
	points, x, y := study(300)
	for _, noise := range []float64{1e-2, 1e-4} {
		p := Prior{Kernel: Stationary{Family: Matern52, Lengthscales: []float64{0.3, 0.5}, Outputscale: 1}, Noise: noise, Mean: 0.2}
		pool := NewPool(p.Kernel, points, false)
		grown := condition(t, p, nil, nil, pool)
		for i := range x {
			grown = grown.Append(x[i], float64(i%3)) // stand-ins at first
			if n := i + 1; n == 20 || n == 150 || n == 300 {
				scratch := condition(t, p, x[:n], y[:n], pool)
				samePosterior(t, "grown", grown.Retarget(y[:n]), scratch, 1e-8)
				near(t, "evidence", grown.Retarget(y[:n]).LogEvidence(), scratch.LogEvidence(), 1e-8*float64(n))
			}
		}
		if grown.Clamped() != 0 {
			t.Errorf("%d pivots were lifted", grown.Clamped())
		}
	}
}

func TestWeightsDoNotDependOnTheOrderOfArrival(t *testing.T) {
	points, x, y := study(40)
	p := fixturePrior(Matern32)
	pool := NewPool(p.Kernel, points, false)
	start := condition(t, p, x, make([]float64, 40), pool)
	oneByOne := start
	now := start.Targets()
	for _, i := range stream(11).Perm(40) {
		now[i] = y[i]
		oneByOne = oneByOne.Retarget(now)
	}
	atOnce := start.Retarget(y)
	if !slices.Equal(oneByOne.Alpha(), atOnce.Alpha()) || !slices.Equal(oneByOne.PoolMean(), atOnce.PoolMean()) {
		t.Error("the order shows")
	}
	if &oneByOne.PoolVariance()[0] != &start.PoolVariance()[0] {
		t.Error("retargeting computed variances again")
	}
}

func TestBranchesFromOneParentDoNotDisturbEachOther(t *testing.T) {
	points, x, y := study(60)
	p := fixturePrior(SE)
	pool := NewPool(p.Kernel, points, false)
	parent := condition(t, p, x[:20], y[:20], pool)
	before := []float64{parent.LogEvidence(), floats.Sum(parent.PoolMean()), floats.Sum(parent.PoolVariance()), floats.Sum(parent.alpha)}
	branch := func(order []int) *Posterior {
		post := parent
		for _, i := range order {
			post = post.Append(x[i], y[i])
		}
		return post
	}
	left, right := []int{20, 21, 22, 23, 24}, []int{40, 41, 42, 43, 44}
	a := branch(left)
	b := branch(right)
	c := a.Append(x[50], y[50])
	d := a.Append(x[51], y[51])
	pick := func(order ...int) (px []space.Unit, py []float64) {
		for _, i := range order {
			px, py = append(px, x[i]), append(py, y[i])
		}
		return slices.Concat(x[:20], px), slices.Concat(y[:20], py)
	}
	for name, pair := range map[string]struct {
		post  *Posterior
		order []int
	}{
		"left": {a, left}, "right": {b, right}, "left child": {c, append(slices.Clone(left), 50)}, "other child": {d, append(slices.Clone(left), 51)},
	} {
		px, py := pick(pair.order...)
		samePosterior(t, name, pair.post, condition(t, p, px, py, pool), 1e-9)
		for i := range px {
			if !slices.Equal(pair.post.X(i), px[i]) {
				t.Fatalf("%s: point %d is %v, want %v", name, i, pair.post.X(i), px[i])
			}
		}
	}
	after := []float64{parent.LogEvidence(), floats.Sum(parent.PoolMean()), floats.Sum(parent.PoolVariance()), floats.Sum(parent.alpha)}
	if !slices.Equal(before, after) {
		t.Errorf("the parent changed from %v to %v", before, after)
	}
}

func TestVarianceAtObservedPointsInAndOutsideThePool(t *testing.T) {
	points, x, y := study(50)
	p := fixturePrior(Matern52)
	post := condition(t, p, x[:45], y[:45], NewPool(p.Kernel, points, false))
	for i := 45; i < 50; i++ {
		post = post.Append(x[i], y[i])
	}
	inside := 0
	for i := range x {
		_, want := post.Predict(x[i])
		near(t, "variance", post.VarianceAt(i), want, 1e-10)
		if post.index[i] >= 0 {
			inside++
		}
	}
	if inside < 10 || inside > 45 {
		t.Errorf("%d of 50 points in the pool: the test misses a case", inside)
	}
}

func TestDuplicatesWithoutNoiseClimbTheLadder(t *testing.T) {
	p := fixturePrior(SE)
	p.Noise = 0
	for _, n := range []int{4, 60} {
		x := make([]space.Unit, n)
		for i := range x {
			x[i] = fixtureX[i%2]
		}
		post := condition(t, p, x, make([]float64, n), nil)
		if want := 1e-10 * 1.5; math.Abs(post.Jitter()-want) > 1e-22 {
			t.Errorf("n = %d: jitter %v, want %v", n, post.Jitter(), want)
		}
	}
}

func TestAppendLiftsAPivotThatRoundOffTookAway(t *testing.T) {
	p := fixturePrior(SE)
	p.Noise = 0
	post := condition(t, p, fixtureX, fixtureY, nil).Append(fixtureX[0], 0.5)
	if post.Clamped() != 1 {
		t.Fatalf("%d pivots lifted", post.Clamped())
	}
	near(t, "pivot", post.factor.diag(4)*post.factor.diag(4), 1e-12*1.5, 1e-20)
	if mean, variance := post.Predict(fixtureX[0]); math.Abs(mean-0.5) > 1e-6 || variance > 1e-6 {
		t.Errorf("mean %v, variance %v at a point seen twice", mean, variance)
	}
	flat := Prior{Kernel: Linear{[]float64{0.5}, 1}}
	got := condition(t, flat, nil, nil, nil).Append([]float64{0.5}, 1) // a function without any variance there
	if mean, variance := got.Predict([]float64{0.7}); math.IsNaN(mean) || math.IsNaN(variance) {
		t.Errorf("mean %v, variance %v", mean, variance)
	}
}

// indefinite is a "kernel" that no jitter can save.
type indefinite struct{ Stationary }

func (indefinite) Row(dst []float64, _ space.Unit, _ []space.Unit) {
	for i := range dst {
		dst[i] = 5
	}
}

func TestMatrixBeyondRepairNamesTheCause(t *testing.T) {
	k := indefinite{fixturePrior(SE).Kernel.(Stationary)}
	p := Prior{Kernel: k, Noise: 0.01}
	for _, n := range []int{4, 50} {
		x := randomPoints(stream(12), n, 2)
		x[3] = slices.Clone(x[1])
		_, err := p.Condition(x, make([]float64, n), nil)
		if !errors.Is(err, ErrNotPositiveDefinite) {
			t.Fatalf("n = %d: %v", n, err)
		}
		for _, part := range []string{"lengthscale[0]", "0.3", "closest rows 1 and 3 at distance 0"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not say %q", err, part)
			}
		}
		if value, err := Evidence(p, x, make([]float64, n), nil); !errors.Is(err, ErrNotPositiveDefinite) || !math.IsInf(value, -1) {
			t.Errorf("evidence %v, error %v", value, err)
		}
	}
}

func TestHallucinationByHand(t *testing.T) {
	// Answers 1, 4 and 7 have come.
	pending := []int{1, 2, 4, 5}
	y := []float64{0.62, math.NaN(), 7, 0.40, math.Inf(1), 0, 0.58}
	post := condition(t, linePrior(), lineX, make([]float64, 7), nil).Hallucinate(y, pending)
	seen := condition(t, linePrior(), []space.Unit{lineX[0], lineX[3], lineX[6]}, []float64{0.62, 0.40, 0.58}, nil)
	for i, x := range []float64{0, 0.45, 0.9} {
		want := []float64{0.5178015557, 0.3649428615, 0.3185477000}[i]
		printed(t, "mean with all rows", post.Mean([]float64{x}), want)
		printed(t, "mean of the seen rows", seen.Mean([]float64{x}), want)
	}
	targets := post.Targets()
	for _, i := range pending {
		near(t, "weight of a pending row", post.Alpha()[i], 0, 4e-15)
		near(t, "hallucinated target", targets[i], seen.Mean(lineX[i]), 1e-14)
	}
}

func TestHallucinationEqualsConditioningOnTheRest(t *testing.T) {
	points, x, y := study(80)
	p := fixturePrior(Matern52)
	p.Mean = -1
	pool := NewPool(p.Kernel, points, false)
	post := condition(t, p, x, y, pool)
	r := stream(13)
	for _, count := range []int{0, 1, 10, 79, 80} {
		pending := r.Perm(80)[:count]
		var px []space.Unit
		var py []float64
		for i := range x {
			if !slices.Contains(pending, i) {
				px, py = append(px, x[i]), append(py, y[i])
			}
		}
		got := post.Hallucinate(y, append(pending, pending...)) // naming a row twice is harmless
		want := condition(t, p, px, py, pool)
		if !floats.EqualApprox(got.PoolMean(), want.PoolMean(), 1e-9) {
			t.Errorf("%d pending: means differ", count)
		}
		if !slices.Equal(got.PoolVariance(), post.PoolVariance()) {
			t.Errorf("%d pending: variances changed", count)
		}
	}
}

// However many rows pend the mean is that of the others, and it does not matter how it is computed.
func TestVeryManyRowsPend(t *testing.T) {
	_, x, y := study(manyPending + 150)
	p := fixturePrior(Matern52)
	p.Mean = -1
	post, r := condition(t, p, x, y, nil), stream(17)
	for _, count := range []int{manyPending, manyPending + 1, manyPending + 140, len(x)} {
		pending := r.Perm(len(x))[:count]
		slices.Sort(pending)
		if scratch := count > manyPending; scratch && !post.cheaperFromScratch(pending) {
			t.Errorf("%d of %d rows pend: the block is cheaper", count, len(x))
		}
		want := post.hallucinateFromScratch(slices.Clone(y), pending)
		if count == len(x) {
			want = post.Retarget(slices.Repeat([]float64{-1}, len(x)))
		}
		if got := post.Hallucinate(y, pending); !floats.EqualApprox(got.Targets(), want.Targets(), 1e-8) {
			t.Errorf("%d of %d rows pend: targets differ", count, len(x))
		}
	}
	if first := []int{len(x) - 1, len(x) - 2, len(x) - 3}; post.cheaperFromScratch(first) {
		t.Error("three rows at the end cost more than a factor of all others")
	}
}

func TestHallucinationWithoutNoiseFallsBackToConditioning(t *testing.T) {
	p := fixturePrior(SE)
	p.Noise = 0
	x := slices.Concat(fixtureX, []space.Unit{xa, xa, xb})
	y := slices.Concat(fixtureY, []float64{0, 0, 0})
	post := condition(t, p, fixtureX, fixtureY, nil)
	want := post
	for _, more := range x[4:] {
		post = post.Append(more, 0)
	}
	got := post.Hallucinate(y, []int{4, 5, 6})
	fallback := post.hallucinateFromScratch(slices.Clone(y), []int{4, 5, 6})
	for _, probe := range []space.Unit{{0.3, 0.3}, {0.8, 0.1}} {
		near(t, "mean", got.Mean(probe), want.Mean(probe), 1e-4)
		near(t, "mean", fallback.Mean(probe), want.Mean(probe), 1e-4)
	}
}
