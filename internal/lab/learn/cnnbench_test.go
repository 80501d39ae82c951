package learn

import (
	"fmt"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
)

// The rows of the embedded digits, and without -short of a twentieth of MNIST's training images (which take 20 times as long).
func BenchmarkCNN(b *testing.B) {
	for _, tc := range []struct{ rows, side int }{{1258, 8}, {3000, 28}} {
		if testing.Short() && tc.side > 8 {
			continue
		}
		x, y := strokes(tc.rows, tc.side)
		for _, batch := range []int{32, 128} {
			b.Run(fmt.Sprintf("rows=%d,side=%d,batch=%d", tc.rows, tc.side, batch), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c := CNN{BatchSize: batch, LearningRate: 0.01, Decay: 1e-4}
					if _, err := c.Train(x, y, tc.side, tc.side, 10, rng.New(1, rng.Train, 0)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// strokes returns n noisy images of ten kinds: kind k has a bright row and a bright column where k says.
func strokes(n, side int) (x [][]float64, y []int) {
	r := rng.New(1, rng.Test, 0)
	for i := range n {
		kind, image := i%10, make([]float64, side*side)
		for j := range image {
			image[j] = 0.2 * r.Float64()
			if j/side == 1+kind%5 || j%side == 2+kind/5 {
				image[j] += 0.8
			}
		}
		x, y = append(x, image), append(y, kind)
	}
	return x, y
}
