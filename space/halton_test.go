package space

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/samplemv"

	"github.com/tarry-bo/tarry/internal/rng"
)

func TestHaltonPointsAreThoseOfGonumToTheBit(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8, 9, 100, 1000} {
		for _, d := range []int{1, 2, 7, 40} {
			ours, theirs := rng.New(uint64(n), rng.Test, uint64(d)), rng.New(uint64(n), rng.Test, uint64(d))
			got := HaltonPoints(n, d, ours)
			for i, want := range sampled(samplemv.Halton{Kind: samplemv.Owen, Q: unitCube(d), Src: theirs}, n, d) {
				if !slices.Equal(got[i], want) {
					t.Fatalf("%d points of dimension %d: point %d is %v, want %v", n, d, i, got[i], want)
				}
			}
			if ours.Uint64() != theirs.Uint64() {
				t.Errorf("%d points of dimension %d: the streams go on differently", n, d)
			}
		}
	}
}

func BenchmarkHaltonPoints(b *testing.B) {
	for b.Loop() {
		HaltonPoints(1000, 6, rng.New(1, rng.Test, 0))
	}
}
