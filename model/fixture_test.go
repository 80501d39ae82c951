package model

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// square is the unit square.
func square(t testing.TB) space.Space {
	t.Helper()
	s, err := space.New(space.Float("x", 0, 1), space.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func conditioned(t *testing.T, prior surrogate.Prior, x []space.Unit, y []float64, pool *surrogate.Pool) *surrogate.Posterior {
	t.Helper()
	p, err := prior.Condition(x, y, pool)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sameBits says where two posteriors differ, empty where nowhere.
func sameBits(s space.Space, a, b *surrogate.Posterior) string {
	switch {
	case a.Len() != b.Len():
		return fmt.Sprintf("%d and %d rows", a.Len(), b.Len())
	case !slices.Equal(a.Targets(), b.Targets()):
		return "targets"
	case !slices.Equal(a.Alpha(), b.Alpha()):
		return "weights"
	case !slices.Equal(a.RowMeans(), b.RowMeans()):
		return "means at the rows"
	case !slices.Equal(a.PoolMean(), b.PoolMean()):
		return "means of the pool"
	case !slices.Equal(a.PoolVariance(), b.PoolVariance()):
		return "variances of the pool"
	}
	stream := rng.New(1, rng.Test, 1)
	for range 5 {
		x := s.Random(stream)
		meanA, varianceA := a.Predict(x)
		meanB, varianceB := b.Predict(x)
		if meanA != meanB || varianceA != varianceB {
			return fmt.Sprintf("prediction at %v", x)
		}
	}
	return ""
}
