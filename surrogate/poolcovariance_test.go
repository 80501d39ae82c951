package surrogate

import "testing"

func TestCovariancesOfAPoolAreThoseOfItsPoints(t *testing.T) {
	points, x, y := study(140)
	for _, k := range everyKernel() {
		post := condition(t, Prior{Kernel: k, Noise: 0.01}, x[:100], y[:100], NewPool(k, points, false))
		for i := 100; i < 140; i++ {
			post = post.Append(x[i], y[i])
		}
		row := make([]float64, len(points))
		for _, i := range []int{0, 7, len(points) - 1} {
			post.PoolCovariance(row, i)
			for j, c := range row {
				near(t, k.Name(), c, post.Covariance(points[i], points[j]), 1e-9)
			}
			near(t, "the variance", row[i], post.PoolVariance()[i], 1e-9)
		}
	}
	bare := condition(t, linePrior(), lineX[:2], []float64{1, 2}, nil)
	mustPanic(t, "PoolCovariance", func() { bare.PoolCovariance(nil, 0) })
}
