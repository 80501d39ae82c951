package space

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/samplemv"

	"github.com/tarry-bo/tarry/internal/rng"
)

// unitCube is the uniform distribution on [0,1]^d as gonum's samplers want it: its quantile is the identity.
type unitCube int

// Quantile copies p to dst.
func (unitCube) Quantile(dst, p []float64) []float64 {
	copy(dst, p)
	return dst
}

func sampled(sampler samplemv.Sampler, n, d int) []Unit {
	batch := mat.NewDense(n, d, nil)
	sampler.Sample(batch)
	rows := make([]Unit, n)
	for i := range rows {
		rows[i] = batch.RawRowView(i)[:d:d]
	}
	return rows
}

func TestDesignsAreThoseOfGonumToTheBit(t *testing.T) {
	for name, c := range map[string]struct {
		ours   func(n, d int, stream *rand.Rand) []Unit
		theirs func(d int, stream *rand.Rand) samplemv.Sampler
	}{
		"Halton": {HaltonPoints, func(d int, stream *rand.Rand) samplemv.Sampler {
			return samplemv.Halton{Kind: samplemv.Owen, Q: unitCube(d), Src: stream}
		}},
		"Latin hypercube": {latinHypercube, func(d int, stream *rand.Rand) samplemv.Sampler {
			return samplemv.LatinHypercube{Q: unitCube(d), Src: stream}
		}},
	} {
		for _, n := range []int{1, 2, 3, 8, 9, 100, 1000} {
			for _, d := range []int{1, 2, 7, 40} {
				ours, theirs := rng.New(uint64(n), rng.Test, uint64(d)), rng.New(uint64(n), rng.Test, uint64(d))
				got := c.ours(n, d, ours)
				for i, want := range sampled(c.theirs(d, theirs), n, d) {
					if !slices.Equal(got[i], want) {
						t.Fatalf("%s, %d points of dimension %d: point %d is %v, want %v", name, n, d, i, got[i], want)
					}
				}
				if ours.Uint64() != theirs.Uint64() {
					t.Errorf("%s, %d points of dimension %d: the streams go on differently", name, n, d)
				}
			}
		}
	}
}

func BenchmarkHaltonPoints(b *testing.B) {
	for b.Loop() {
		HaltonPoints(1000, 6, rng.New(1, rng.Test, 0))
	}
}
