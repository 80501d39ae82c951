package surrogate

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/space"
)

// A pair is what predictions and covariances say one by one, and its slopes are those of differences.
func TestPairsAreTheirPredictions(t *testing.T) {
	r := stream(620)
	for _, k := range []Kernel{
		NewICM(Stationary{Matern52, []float64{0.4, 0.7}, 1.3, nil, 0, 0}, 1, 4), Stationary{SE, []float64{0.4, 0.6, 0.5}, 1, nil, 0, 0},
		NewICM(Warped{Stationary{Matern52, []float64{0.4, 0.7}, 1.3, nil, 0, 0}, Inputs{30, 0.2}}, 1, 4),
		NewICM(Additive{Matern52, []float64{0.4, 0.7}, 1.3, nil, 0, 0}, 1, 4), Sum{Stationary{SE, []float64{0.4, 0.6, 0.5}, 1, nil, 0, 0}, Stationary{Matern32, []float64{0.4, 0.6, 0.5}, 1, nil, 0, 0}},
	} {
		xs := randomPoints(r, 25, 3)
		ys := make([]float64, len(xs))
		for i := range ys {
			ys[i] = r.NormFloat64()
		}
		p := condition(t, Prior{Kernel: k, Noise: 0.02, Mean: 0.3}, xs, ys, nil)
		q, slopes := NewPredictor(p, 4), NewPairSlopes(3)
		points := randomPoints(r, 3, 3)
		target := slices.Clone(points[0])
		target[1] = 0.9
		var out [3]Pair
		q.Pairs(out[:], points, target)
		for i, x := range points {
			_, own := p.Predict(x)
			mean, variance := p.Predict(target)
			near(t, "mean", out[i].Mean, mean, 1e-12)
			near(t, "variance", out[i].Variance, variance, 1e-12)
			near(t, "variance of the value", out[i].Own, own, 1e-12)
			near(t, "covariance", out[i].Covariance, p.Covariance(x, target), 1e-12)
		}
		at := func(move []float64) Pair {
			x, y := slices.Clone(points[0]), slices.Clone(target)
			for j, m := range move {
				x[j], y[j] = x[j]+m, y[j]+m
			}
			var one [1]Pair
			q.Pairs(one[:], []space.Unit{x}, y)
			return one[0]
		}
		got := q.PairGrad(points[0], target, slopes)
		if got != at(make([]float64, 3)) {
			t.Errorf("%s: %+v", k.Name(), got)
		}
		const h = 1e-6
		for j := range 3 {
			up, down := make([]float64, 3), make([]float64, 3)
			up[j], down[j] = h, -h
			a, b := at(up), at(down)
			for what, pair := range map[string][2]float64{
				"mean": {slopes.Mean[j], (a.Mean - b.Mean) / (2 * h)}, "variance": {slopes.Variance[j], (a.Variance - b.Variance) / (2 * h)},
				"own": {slopes.Own[j], (a.Own - b.Own) / (2 * h)}, "covariance": {slopes.Covariance[j], (a.Covariance - b.Covariance) / (2 * h)},
			} {
				if math.Abs(pair[0]-pair[1]) > 1e-6*(1+math.Abs(pair[1])) {
					t.Errorf("%s: slope %d of %s is %v, by differences %v", k.Name(), j, what, pair[0], pair[1])
				}
			}
		}
	}
}
