package surrogate

import (
	"fmt"
	"testing"
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

func BenchmarkPredictGrad(b *testing.B) {
	r := stream(501)
	prior, _ := DefaultPrior("matern52", 6)
	dmean, dvar := make([]float64, 6), make([]float64, 6)
	for _, n := range []int{100, 300} {
		post := condition(b, prior, randomPoints(r, n, 6), randomTargets(r, n), nil)
		x := randomPoints(r, 1, 6)[0]
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				post.PredictGrad(x, dmean, dvar)
			}
		})
	}
}

func BenchmarkCondition(b *testing.B) {
	r := stream(502)
	prior, _ := DefaultPrior("matern52", 6)
	for _, n := range []int{30, 300, 1000} {
		x, y := randomPoints(r, n, 6), randomTargets(r, n)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				condition(b, prior, x, y, nil)
			}
		})
	}
}

func BenchmarkHallucinate(b *testing.B) {
	post, y := emptyStudy(b, 0.02, false)
	post = grow(post, y)
	pending := []int{290, 291, 292, 293, 294, 295, 296, 297, 298, 299}
	for b.Loop() {
		post.Hallucinate(y, pending)
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

func grid(n int) [][]float64 {
	points := make([][]float64, n)
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
