// Package alike is for tests: it says where two values that shall be the same to the bit are not.
package alike

import (
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Posteriors returns in which of their moments two posteriors of a space differ by a bit, empty where in none: at their own rows,
// at their pools and at points of the space.
func Posteriors(s space.Space, a, b *surrogate.Posterior) string {
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
