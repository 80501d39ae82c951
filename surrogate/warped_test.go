package surrogate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// w(u) = log(1 + (r-1)u)/log r and its derivatives.
func TestWarpsOfInputsHaveTheirNumbers(t *testing.T) {
	for _, c := range []struct{ ratio, u, want float64 }{
		{100, 0.01, 0.1494265382048533}, {100, 0.5, 0.8516456890593307}, {0.01, 0.5, 0.1483543109406693}, {1e6, 1e-4, 0.33405349063131556}, {30, 0, 0}, {30, 1, 1}, {1, 0.3, 0.3},
	} {
		got, _, _ := warp(math.Log(c.ratio), c.u)
		near(t, "warp", got, c.want, 1e-14)
		near(t, "back", unwarp(math.Log(c.ratio), got), c.u, 1e-14)
	}
	_, byU, byT := warp(math.Log(30), 0.2)
	near(t, "by u", byU, 1.2538836779, 1e-8)
	near(t, "by the logarithm of the ratio", byT, 0.0937171888, 1e-8)
}

// Close to a ratio of one the formula loses its digits, and a series takes its place.
func TestWarpsAreSmoothWhereTheyAreNearlyStraight(t *testing.T) {
	for _, u := range []float64{0, 1e-3, 0.2, 0.5, 0.9, 1} {
		for _, side := range []float64{-1, 1} {
			a, slopeA, byA := warp(side*nearlyStraight*0.999, u)
			b, slopeB, byB := warp(side*nearlyStraight*1.001, u)
			near(t, "warp", b-a, side*2e-7*(u-u*u)/2, 1e-11)
			near(t, "by u", slopeB, slopeA, 1e-6)
			near(t, "by the ratio", byB, byA, 1e-6)
			near(t, "back", unwarp(side*nearlyStraight*0.999, a), u, 1e-15)
		}
	}
}

// A warped kernel is the kernel of points that were warped before.
func TestWarpedIsTheKernelOfWarpedPoints(t *testing.T) {
	of := Stationary{Family: Matern52, Lengthscales: []float64{0.3, 0.7}, Outputscale: 2, Constant: 0.5}
	k := Warped{of, Inputs{200, 0.05}}
	y := []float64{0.3, -1, 0.4, 0.9, 0.1, -0.2, 0.7, 1.1}[:len(fixtureX)]
	bent := make([]space.Unit, len(fixtureX))
	for i, x := range fixtureX {
		bent[i] = k.Ratios.To(x)
	}
	post, plain := condition(t, Prior{Kernel: k, Noise: 0.01}, fixtureX, y, nil), condition(t, Prior{Kernel: of, Noise: 0.01}, bent, y, nil)
	near(t, "evidence", post.LogEvidence(), plain.LogEvidence(), 1e-10)
	grad, want, unused := make([]float64, 2), make([]float64, 2), make([]float64, 2)
	for _, x := range []space.Unit{xa, xb, {0.01, 0.99}} {
		mean, variance := post.Predict(x)
		wantMean, wantVariance := plain.Predict(k.Ratios.To(x))
		near(t, "mean", mean, wantMean, 1e-10)
		near(t, "variance", variance, wantVariance, 1e-10)
		post.PredictGrad(x, grad, unused)
		plain.PredictGrad(k.Ratios.To(x), want, unused)
		InputsOf(k).Unbend(grad, x)
		if !floats.EqualApprox(grad, want, 1e-9) {
			t.Errorf("slopes %v by the warped coordinates, want %v", grad, want)
		}
		if !floats.EqualApprox(k.Ratios.From(k.Ratios.To(x)), x, 1e-14) {
			t.Errorf("%v came back as %v", x, k.Ratios.From(k.Ratios.To(x)))
		}
	}
	for i, x := range fixtureX {
		if got := post.X(i); !floats.Equal(got, x) {
			t.Errorf("point %v, want %v", got, x)
		}
	}
}

// Categories are not warped, whatever their ratio is, which the evidence says nothing about.
func TestCategoriesAreNotWarped(t *testing.T) {
	of := Stationary{Family: SE, Lengthscales: []float64{0.3, 0.7}, Outputscale: 2, Categorical: []bool{false, true}}
	one, other := Warped{of, Inputs{9, 1}}, Warped{of, Inputs{9, 500}}
	near(t, "covariance", one.Eval(xa, xb), other.Eval(xa, xb), 0)
	if got := InputsOf(other).To(space.Unit{0.5, 0.25}); got[1] != 0.25 || got[0] == 0.5 {
		t.Errorf("warped to %v", got)
	}
	grad := make([]float64, 5)
	other.GradParams(grad, xa, xb)
	near(t, "derivative by the ratio of a category", grad[4], 0, 0)
	if InputsOf(of) != nil {
		t.Error("a stationary kernel warps")
	}
	if got := InputsOf(NewICM(one, 0, 3)); len(got) != 3 || got[0] != 1 || got[1] != 9 || got[2] != 1 {
		t.Errorf("over a fidelity, the first coordinate, the ratios are %v", got)
	}
}

// A fit finds the scale of a function of the order of magnitude, and that a straight one needs none.
func TestFitsFindTheRatio(t *testing.T) {
	s := stream(77)
	var x []space.Unit
	var logs, straight []float64
	for range 40 {
		u := s.Float64()
		x = append(x, space.Unit{u})
		logs, straight = append(logs, math.Sin(6*math.Log1p(999*u)/math.Log(1000))), append(straight, math.Sin(6*u))
	}
	o := FitOptions{MinNoise: 1e-8, FreeOutputscale: true}
	for _, c := range []struct {
		y         []float64
		low, high float64
	}{{logs, 300, 3000}, {straight, 0.3, 3}} {
		k, _ := NewKernel("warped-se", 1)
		prior, report, err := Fit(Prior{Kernel: k, Noise: 1e-3}, x, c.y, o, s)
		plain, _ := NewKernel("se", 1)
		_, without, _ := Fit(Prior{Kernel: plain, Noise: 1e-3}, x, c.y, o, s)
		ratio := prior.Kernel.Values()[2]
		if err != nil || ratio < c.low || ratio > c.high {
			t.Errorf("ratio %v, want %v … %v (%v)", ratio, c.low, c.high, err)
		}
		if gain := report.LogEvidence - without.LogEvidence; c.low > 1 && gain < 30 {
			t.Errorf("a scale of three decades is worth %v nats", gain)
		}
	}
}
