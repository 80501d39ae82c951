package surrogate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/space"
)

// A study of three hundred queries over a thousand candidates on a line: one Append and one Retarget for each.
func BenchmarkStudy(b *testing.B) {
	post, y := emptyStudy(b, 0.2, false)
	b.ReportAllocs()
	for b.Loop() {
		grow(post, y)
	}
}

func BenchmarkDrawPool(b *testing.B) {
	for _, n := range []int{0, 100, 300} {
		post, y := emptyStudy(b, 0.02, true)
		post = grow(post, y[:n])
		b.Run(fmt.Sprintf("n=%d,rank=%d", n, len(post.pool.factor)), func(b *testing.B) {
			s := stream(500)
			for b.Loop() {
				post.DrawPool(s)
			}
		})
	}
}

func BenchmarkNewPoolWithDraws(b *testing.B) {
	points := grid(1000)
	k := Stationary{Family: SE, Lengthscales: []float64{0.02}, Outputscale: 1}
	for b.Loop() {
		NewPool(k, points, true)
	}
}

// BenchmarkOperation is every operation on a posterior in six dimensions with a pool of 1024 points.
func BenchmarkOperation(b *testing.B) {
	r := stream(501)
	prior, _ := DefaultPrior("matern52", 6)
	for _, n := range large(200, 1000, 2000) {
		x, y := randomPoints(r, n, 6), randomTargets(r, n)
		pool := NewPool(prior.Kernel, randomPoints(r, 1024, 6), false)
		post := condition(b, prior, x, y, pool)
		next := randomPoints(r, 1, 6)[0]
		pending := []int{n - 15, n - 13, n - 11, n - 9, n - 7, n - 5, n - 3, n - 1}
		for _, o := range []struct {
			name string
			do   func()
		}{
			{"condition", func() { condition(b, prior, x, y, pool) }},
			{"append", func() { post.Append(next, 0) }},
			{"remove", func() { post.Remove(n / 2) }},
			{"retarget", func() { y[0]++; post.Retarget(y) }},
			{"hallucinate", func() { y[0]++; post.Hallucinate(y, pending) }},
			{"draw", func() { post.Draw(r, 512) }},
		} {
			b.Run(fmt.Sprintf("%s/n=%d", o.name, n), func(b *testing.B) {
				for b.Loop() {
					o.do()
				}
			})
		}
	}
}

// BenchmarkPredictor is a prediction with gradient, alone and in company; the time is that of one point.
func BenchmarkPredictor(b *testing.B) {
	r := stream(506)
	prior, _ := DefaultPrior("matern52", 6)
	for _, n := range large(200, 1000, 2000) {
		post := condition(b, prior, randomPoints(r, n, 6), randomTargets(r, n), nil)
		for _, size := range []int{1, 16} {
			b.Run(fmt.Sprintf("n=%d/points=%d", n, size), func(b *testing.B) {
				q := NewPredictor(post, size)
				xs, dmean, dvar := randomPoints(r, size, 6), vectors(size, 6), vectors(size, 6)
				mean, variance := make([]float64, size), make([]float64, size)
				b.ReportAllocs()
				for range (b.N + size - 1) / size {
					q.PredictGrad(xs, mean, variance, dmean, dvar)
				}
			})
		}
	}
}

// BenchmarkEvidence is one evaluation of the evidence with its gradient.
func BenchmarkEvidence(b *testing.B) {
	r := stream(502)
	prior, _ := DefaultPrior("matern52", 6)
	grad := make([]float64, 8)
	for _, n := range large(200, 500, 1000, 2000) {
		e := newEvidence(prior, randomPoints(r, n, 6), randomTargets(r, n), nil)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				e.at(prior, grad)
			}
		})
	}
}

// BenchmarkFit is a fit from the mode.
func BenchmarkFit(b *testing.B) {
	prior, _ := DefaultPrior("matern52", 2)
	for _, n := range large(50, 200, 1000) {
		x, y := wiggle(n, 0.1)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := Fit(prior, x, y, FitOptions{}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPath(b *testing.B) {
	post, y := emptyStudy(b, 0.02, false)
	post = grow(post, y)
	path := post.Draw(stream(503), 0)
	b.Run("draw", func(b *testing.B) {
		s := stream(504)
		for b.Loop() {
			post.Draw(s, 0)
		}
	})
	b.Run("at", func(b *testing.B) {
		for b.Loop() {
			path.At([]float64{0.3})
		}
	})
}

// large returns the sizes of a benchmark, with -short none of a thousand and more.
func large(sizes ...int) []int {
	if testing.Short() {
		sizes = slices.DeleteFunc(sizes, func(n int) bool { return n >= 1000 })
	}
	return sizes
}

func grid(n int) []space.Unit {
	points := make([]space.Unit, n)
	for i := range points {
		points[i] = []float64{float64(i) / float64(n-1)}
	}
	return points
}

func emptyStudy(b *testing.B, lengthscale float64, draws bool) (*Posterior, []float64) {
	k := Stationary{Family: SE, Lengthscales: []float64{lengthscale}, Outputscale: 1}
	post := condition(b, Prior{Kernel: k, Noise: 1e-4}, nil, nil, NewPool(k, grid(1000), draws))
	return post, randomTargets(stream(505), 300)
}

func grow(post *Posterior, y []float64) *Posterior {
	for i := range y {
		post = post.Append(post.pool.Point(i*617%1000), 0)
		post = post.Retarget(y[:i+1])
	}
	return post
}
