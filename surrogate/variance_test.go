package surrogate

import "testing"

// The variance at an observed point by the inverse is that of the direct way, over noises from large to none.
func TestVarianceAtByTheInverse(t *testing.T) {
	_, x, y := study(80)
	for _, noise := range []float64{1, 1e-2, 1e-4, 2e-6, 1e-9} {
		post := condition(t, Prior{Kernel: fixturePrior(Matern52).Kernel, Noise: noise}, x, y, nil)
		for i := range x {
			_, want := post.Predict(x[i])
			near(t, "variance", post.VarianceAt(i), want, 1e-9)
		}
	}
}
