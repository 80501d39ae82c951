package surrogate

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/space"
)

// A pool that comes later has the numbers of one that was there when the factor was made, to the bit, and those of one that
// grew with the rows, but for round-off. So has a pool that replaces another, and the one it replaces is not touched.
func TestAPoolThatComesLaterIsOneThatWasThere(t *testing.T) {
	points, x, y := study(150)
	p := Prior{Kernel: fixturePrior(Matern52).Kernel, Noise: 0.01, Mean: 0.3}
	pool, other := NewPool(p.Kernel, points, false), NewPool(p.Kernel, points[:7], false)
	for _, n := range []int{0, 1, 63, 64, 65, 150} {
		there := condition(t, p, x[:n], y[:n], pool)
		bare := condition(t, p, x[:n], y[:n], nil)
		before := slices.Clone(there.PoolMean())
		for what, late := range map[string]*Posterior{
			"late": bare.WithPool(pool), "in place of another": condition(t, p, x[:n], y[:n], other).WithPool(pool), "again": there.WithPool(pool),
		} {
			if !slices.Equal(late.PoolMean(), there.PoolMean()) || !slices.Equal(late.PoolVariance(), there.PoolVariance()) || late.Pool() != pool {
				t.Errorf("%d rows, %s: other moments", n, what)
			}
			late, want := late.Append(xa, 0.7), there.Append(xa, 0.7)
			if !slices.Equal(late.PoolMean(), want.PoolMean()) || !slices.Equal(late.PoolVariance(), want.PoolVariance()) {
				t.Errorf("%d rows, %s: other moments after one more", n, what)
			}
		}
		if without := there.WithPool(nil); without.Pool() != nil || without.PoolMean() != nil || !slices.Equal(without.Append(xa, 1).Alpha(), bare.Append(xa, 1).Alpha()) {
			t.Errorf("%d rows: the pool is still there", n)
		}
		if !slices.Equal(before, there.PoolMean()) {
			t.Errorf("%d rows: the posterior that it was made from changed", n)
		}
	}
}

// In a history of additions and removals the pool may come at any time.
func TestAPoolMayComeBetweenTwoChanges(t *testing.T) {
	points, x, y := study(140)
	points = append(points, x[3])
	p := Prior{Kernel: fixturePrior(SE).Kernel, Noise: 0.05}
	pool := NewPool(p.Kernel, points, false)
	grown := condition(t, p, x[:60], y[:60], pool)
	late := []*Posterior{condition(t, p, x[:60], y[:60], nil)}
	for i := 60; i < 140; i++ {
		next := func(q *Posterior) *Posterior {
			if q = q.Append(x[i], y[i]); i%4 == 0 {
				q = q.Remove(i / 3)
			}
			return q
		}
		grown = next(grown)
		for k := range late {
			late[k] = next(late[k])
		}
		if i%10 == 0 {
			late = append(late, late[0].WithPool(pool))
		}
	}
	for _, q := range late[1:] {
		samePosterior(t, "filled late", q, grown, 1e-9)
		if !slices.Equal(q.Alpha(), grown.Alpha()) {
			t.Error("the pool changed the weights")
		}
		for i := range points {
			mean, variance := q.Predict(points[i])
			near(t, "mean", q.PoolMean()[i], mean, 1e-9)
			near(t, "variance", q.PoolVariance()[i], variance, 1e-9)
		}
		if at := pool.Index(q.X(3)); at < 0 || math.Abs(q.VarianceAt(3)-q.PoolVariance()[at]) > 0 {
			t.Error("the rows are not found in the pool")
		}
	}
}

func TestAPoolOfAnotherKernelIsABug(t *testing.T) {
	post := condition(t, fixturePrior(SE), fixtureX, fixtureY, nil)
	mustPanic(t, "WithPool", func() { post.WithPool(NewPool(fixturePrior(Matern12).Kernel, fixtureX, false)) })
}

// Joint draws from the posterior covariance have its moments; neither the rows nor draws need be in the pool.
func TestJointDrawsFromTheCovarianceHaveThePosteriorMoments(t *testing.T) {
	r := stream(400)
	points := randomPoints(r, 30, 2)
	points = append(points, points[3]) // a duplicate has the same value
	for i, k := range everyKernel() {
		if raced && i%2 == 0 {
			continue
		}
		p := Prior{Kernel: k, Noise: 0.05, Mean: 0.3}
		post := condition(t, p, fixtureX, fixtureY, NewPool(k, points, false))
		post = post.Append(points[7], 0.4).Append(points[2], -0.4).Remove(1)
		s := stream(uint64(410 + i))
		var draws [2][]float64
		for range manyDraws {
			f := post.DrawJoint(s)
			draws[0], draws[1] = append(draws[0], f[10]), append(draws[1], f[3])
			if math.Abs(f[30]-f[3]) > 1e-3 {
				t.Fatalf("%s: %v and %v at one point", k.Name(), f[3], f[30])
			}
		}
		checkMoments(t, k.Name(), post, points[10], points[3], draws, 0)
	}
}

// The factor that draws are made with reproduces the posterior covariance of every two points, with more rows than one panel
// holds.
func TestTheRootOfAPoolReproducesThePosteriorCovariance(t *testing.T) {
	points, x, y := study(130)
	for i, k := range everyKernel() {
		if raced && i%2 == 1 {
			continue
		}
		post := condition(t, Prior{Kernel: k, Noise: 0.01}, x[:100], y[:100], NewPool(k, points, false))
		for i := 100; i < 130; i++ {
			post = post.Append(x[i], y[i])
		}
		root, greatest := post.poolRoot(), 1.
		for _, x := range points {
			greatest = max(greatest, k.Diag(x))
		}
		for i := 0; i < len(points); i += 3 {
			for j := 0; j <= i; j += 2 {
				var sum float64
				for c := range j + 1 {
					sum += root.row(i)[c] * root.row(j)[c]
				}
				near(t, k.Name(), sum, post.Covariance(points[i], points[j]), 1e-8*greatest)
			}
		}
	}
}

func TestJointDrawsDependOnTheStreamAlone(t *testing.T) {
	p := fixturePrior(Matern52)
	post := condition(t, p, fixtureX, fixtureY, NewPool(p.Kernel, []space.Unit{xa, xb}, false))
	if a, b, c := post.DrawJoint(stream(1)), post.DrawJoint(stream(1)), post.DrawJoint(stream(2)); !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Errorf("draws %v, %v, %v", a, b, c)
	}
	if empty := post.WithPool(NewPool(p.Kernel, nil, false)).DrawJoint(stream(1)); len(empty) != 0 || post.WithPool(nil).DrawJoint(stream(1)) != nil {
		t.Error("a draw from nowhere")
	}
}
