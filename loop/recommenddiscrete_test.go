package loop

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// Steps at multiples of whole numbers are noise to the model of a space with more points than can be listed; the best is queried a second time where the model expects more elsewhere, and is recommended.
func TestInALargeDiscreteSpaceTheBestThatCameIsRecommended(t *testing.T) {
	for seed := range uint64(6) {
		stream := rng.New(seed, rng.Test, 2)
		n := 1000 + 4000*stream.Float64()
		where := smallSpace(t, space.LogInt("width", 1, 1024), space.LogInt("height", 1, 1024), space.Int("unrolled", 1, 16))
		l := toldIn(t, "auto", where, 64, true, func(x space.Point) float64 {
			threads := x[0] * x[1]
			waste := math.Ceil(n/x[0]) * x[0] / n * math.Ceil(threads/32) * 32 / threads
			occupied := min(1, min(16, math.Floor(65536/((20+4*x[2])*threads)))*math.Ceil(threads/32)/64)
			return math.Log(waste*(1/math.Sqrt(occupied+0.001)+0.5/x[2])) + 1e-3*math.Log(x[0]*x[0]*x[1])
		})
		r := l.Result()
		if r.Recommended.Value != r.Best.Value {
			t.Errorf("seed %d: %+v is recommended, and %+v is the best; noise of variance %v, queried again: %v", seed, r.Recommended.Number, r.Best.Number, l.noise(), l.ledger.agreed)
		}
	}
}
