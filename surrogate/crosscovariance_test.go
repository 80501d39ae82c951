package surrogate

import (
	"testing"

	"github.com/tarry-bo/tarry/space"
)

func TestCrossCovariancesAreCovariancesWithSlopes(t *testing.T) {
	points, x, y := study(140)
	for _, k := range everyKernel() {
		post := condition(t, Prior{Kernel: k, Noise: 0.01}, x[:100], y[:100], NewPool(k, points, false))
		for i := 100; i < 140; i++ {
			post = post.Append(x[i], y[i])
		}
		row := make([]float64, len(points))
		for _, from := range []space.Unit{points[3], x[5], {0.31, 0.77}} {
			c := post.CrossCovariance(from)
			c.Pool(row)
			for j, v := range row {
				near(t, k.Name(), v, post.Covariance(from, points[j]), 1e-9)
				near(t, k.Name()+" at one point", c.At(points[j]), v, 1e-9)
			}
			const step = 1e-6
			slopes, at := make([]float64, 2), space.Unit{0.43, 0.58}
			near(t, k.Name()+" beside the slope", c.Grad(at, slopes), c.At(at), 1e-12)
			for j, slope := range slopes {
				above, below := space.Unit{at[0], at[1]}, space.Unit{at[0], at[1]}
				above[j] += step
				below[j] -= step
				near(t, k.Name()+" slope", slope, (c.At(above)-c.At(below))/(2*step), 1e-5)
			}
		}
	}
	bare := condition(t, linePrior(), lineX[:2], []float64{1, 2}, nil)
	mustPanic(t, "CrossCovariance.Pool", func() { bare.CrossCovariance(lineX[0]).Pool(nil) })
}
