package surrogate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

func TestPoolMomentsArePredictions(t *testing.T) {
	points, x, y := study(60)
	for _, k := range everyKernel() {
		p := Prior{Kernel: k, Noise: 0.01, Mean: -0.4}
		post := condition(t, p, x[:50], y[:50], NewPool(k, points, false))
		for i := 50; i < 60; i++ {
			post = post.Append(x[i], y[i])
		}
		if post.Pool().Len() != len(points) {
			t.Fatal("wrong length")
		}
		for i := range points {
			mean, variance := post.Predict(post.Pool().Point(i))
			near(t, k.Name()+" mean", post.PoolMean()[i], mean, 1e-9)
			near(t, k.Name()+" variance", post.PoolVariance()[i], variance, 1e-9)
		}
	}
}

func TestPoolFindsItsPointsExactly(t *testing.T) {
	points := []space.Unit{{0, 0.5}, {0.25, 1}, {0, 0.5}}
	pool := NewPool(fixturePrior(SE).Kernel, points, false)
	points[1][0] = 9 // copied
	for _, c := range []struct {
		x    space.Unit
		want int
	}{
		{[]float64{0, 0.5}, 0}, {[]float64{math.Copysign(0, -1), 0.5}, 0}, {[]float64{0.25, 1}, 1},
		{[]float64{math.Nextafter(0.25, 1), 1}, -1}, {[]float64{0.25}, -1}, {[]float64{math.NaN(), 1}, -1},
	} {
		if got := pool.Index(c.x); got != c.want {
			t.Errorf("Index(%v) = %d, want %d", c.x, got, c.want)
		}
	}
}

func TestFactorOfAPoolReproducesThePriorCovariance(t *testing.T) {
	points := randomPoints(stream(300), 80, 2)
	points = append(points, points[:10]...) // duplicates only lower the rank
	for _, k := range everyKernel() {
		pool := NewPool(k, points, true)
		worst := 0.0
		for i, a := range points {
			for j, b := range points {
				var sum float64
				for _, row := range pool.factor {
					sum += row[i] * row[j]
				}
				worst = max(worst, math.Abs(sum-k.Eval(a, b)))
			}
		}
		if worst > 2*poolResidual*floats.Max(pool.diag) {
			t.Errorf("%s: off by %g with rank %d", k.Name(), worst, len(pool.factor))
		}
		if len(pool.factor) > 80 {
			t.Errorf("%s: rank %d of 80 different points", k.Name(), len(pool.factor))
		}
	}
}

func TestPoolHasNoFactorWhereItsRankWouldBeTooGreat(t *testing.T) {
	rough := Stationary{Family: Matern12, Lengthscales: []float64{0.05, 0.05}, Outputscale: 1}
	smooth := Stationary{Family: SE, Lengthscales: []float64{0.5, 0.5}, Outputscale: 1}
	points := randomPoints(stream(305), anyRank+1, 2)
	for _, c := range []struct {
		points []space.Unit
		kernel Kernel
		want   bool
	}{{points, rough, false}, {points, smooth, true}, {points[:600], rough, true}} {
		pool := NewPool(c.kernel, c.points, true)
		if got := pool.factor != nil; got != c.want {
			t.Errorf("%d points, %s: factor %t, want %t", len(c.points), c.kernel.Name(), got, c.want)
		}
		post, err := Prior{Kernel: c.kernel, Noise: 0.01}.Condition(c.points[:3], []float64{1, 2, 3}, pool)
		if err != nil {
			t.Fatal(err)
		}
		if got := post.DrawPool(stream(306)) != nil; got != c.want {
			t.Errorf("%d points, %s: draw %t, want %t", len(c.points), c.kernel.Name(), got, c.want)
		}
	}
}

func TestPoolUnderAnotherKernelIsANewPool(t *testing.T) {
	points := randomPoints(stream(301), 20, 2)
	first := NewPool(everyKernel()[0], points, true)
	second := first.WithKernel(everyKernel()[6], true)
	fresh := NewPool(everyKernel()[6], points, true)
	if !floats.Equal(second.diag, fresh.diag) || len(second.factor) != len(fresh.factor) || second.Index(points[4]) != 4 {
		t.Error("not the pool of the other kernel")
	}
	if first.diag[0] != 1.5 {
		t.Error("the first pool changed")
	}
}

func TestEmptyPoolIsHarmless(t *testing.T) {
	p := fixturePrior(SE)
	post := condition(t, p, fixtureX, fixtureY, NewPool(p.Kernel, nil, true)).Append(xa, 1)
	if len(post.PoolMean()) != 0 || post.Pool().Len() != 0 || post.Pool().Index(xa) != -1 {
		t.Error("points from nowhere")
	}
}
