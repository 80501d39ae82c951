package learn

import (
	"math"
	"testing"
)

// The first step is the rate against the sign of the gradient, however large it is: with g = 2 the corrected moments
// are 2 and 4. The second, with g = -1: the mean is 0.9·0.2 + 0.1·(-1) = 0.08, corrected by 1 - 0.81 to 8/19; the square
// is 0.999·0.004 + 0.001 = 0.004996, corrected by 1 - 0.998001 to 0.004996/0.001999.
func TestAdamsFirstStepsByHand(t *testing.T) {
	p := []float64{1, 5, 7}
	a := newAdam(3, 0.1, 0)
	a.step(p, []float64{2, -1e-4, 0})
	near(t, "first step", p[0], 1-0.1*2/(2+1e-8), 1e-15)
	near(t, "first step of a small gradient", p[1], 5+0.1*1e-4/(1e-4+1e-8), 1e-14)
	if p[2] != 7 {
		t.Errorf("without a gradient it moved to %g", p[2])
	}
	before := p[0]
	a.step(p, []float64{-1, 0, 0})
	near(t, "second step", p[0], before-0.1*(8./19)/(math.Sqrt(0.004996/0.001999)+1e-8), 1e-14)
	near(t, "mean", a.mean[0], 0.08, 1e-16)
	near(t, "square", a.square[0], 0.004996, 1e-17)
}

// (p-3)² has its minimum at 3; with a rate that falls off, Adam gets there from far away.
func TestAdamReachesAMinimum(t *testing.T) {
	p, a := []float64{-4}, newAdam(1, 0.1, 0)
	for step := range 2000 {
		a.rate = 0.1 / (1 + float64(step)/100)
		a.step(p, []float64{2 * (p[0] - 3)})
	}
	near(t, "minimum", p[0], 3, 1e-6)
}
