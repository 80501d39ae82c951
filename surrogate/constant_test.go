package surrogate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/tarry-bo/tarry/space"
)

// With a constant of variance b the posterior is that of an unknown mean: Rasmussen & Williams 2006, eqs. (2.41) and (2.42)
// with h = 1 and b at the prior mean, written out.
func TestAConstantIsAnUnknownMean(t *testing.T) {
	x := []space.Unit{{0.1, 0.2}, {0.3, 0.9}, {0.75, 0.4}, {0.8, 0.45}, {0.82, 0.41}}
	y := []float64{-1, -0.4, 1.1, 1.3, 1.25}
	at := space.Unit{0.4, 0.6}
	for _, share := range []float64{0.3, 1, 100} {
		plain := Prior{Kernel: Stationary{Family: Matern52, Lengthscales: []float64{0.3, 0.5}, Outputscale: 1.5}, Noise: 0.02, Mean: 0.2}
		raised := plain
		raised.Kernel = WithConstant(plain.Kernel, share)
		p, err := raised.Condition(x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		n := len(x)
		k := mat.NewSymDense(n, nil)
		here, ones, from := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		for i := range x {
			here.SetVec(i, plain.Kernel.Eval(x[i], at))
			ones.SetVec(i, 1)
			from.SetVec(i, y[i])
			for j := range x {
				k.SetSym(i, j, plain.Kernel.Eval(x[i], x[j]))
			}
			k.SetSym(i, i, k.At(i, i)+plain.Noise)
		}
		var chol mat.Cholesky
		chol.Factorize(k)
		var weights, sums, flat mat.VecDense
		chol.SolveVecTo(&weights, from)
		chol.SolveVecTo(&sums, ones)
		b := share * 1.5
		mean := (mat.Dot(ones, &weights) + plain.Mean/b) / (mat.Dot(ones, &sums) + 1/b)
		flat.AddScaledVec(from, -mean, ones)
		var rest mat.VecDense
		chol.SolveVecTo(&rest, &flat)
		var solved mat.VecDense
		chol.SolveVecTo(&solved, here)
		lack := 1 - mat.Dot(ones, &solved)
		gotMean, gotVariance := p.Predict(at)
		near(t, "mean", gotMean, mean+mat.Dot(here, &rest), 1e-10)
		near(t, "variance", gotVariance, 1.5-mat.Dot(here, &solved)+lack*lack/(mat.Dot(ones, &sums)+1/b), 1e-10)
	}
}

// Where most values are near the best their mean is far above that of the function, which far from them is what is expected.
func TestTheMeanIsLearnedFromFewValuesAndNotFromHowManyAreClose(t *testing.T) {
	x, y := []space.Unit{{0.05}, {0.3}, {0.55}}, []float64{-1, -1.1, -0.9}
	for i := range 20 {
		x, y = append(x, space.Unit{0.9 + 0.001*float64(i)}), append(y, 0.5)
	}
	kernel := Stationary{Family: SE, Lengthscales: []float64{0.05}, Outputscale: 1}
	prior := Prior{Kernel: kernel, Noise: 1e-3, Mean: 0.3}
	far := func(share float64) float64 {
		prior.Kernel = WithConstant(kernel, share)
		p, err := prior.Condition(x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p.Mean(space.Unit{0.175})
	}
	if without, with := far(0), far(1e3); without < 0.1 || with > -0.4 {
		t.Errorf("between the bad values %g without a constant and %g with one", without, with)
	}
}

func TestWithConstantKnowsKernelsOfDifferences(t *testing.T) {
	for _, k := range everyKernel() {
		with := WithConstant(WithConstant(k, 0), 0.7)
		if constantOf(with) == 0 {
			if with.Eval([]float64{0.1, 0.2}, []float64{0.3, 0.5}) != k.Eval([]float64{0.1, 0.2}, []float64{0.3, 0.5}) {
				t.Errorf("%s has no constant and is another kernel", k.Name())
			}
			continue
		}
		a := []float64{0.1, 0.5}
		near(t, k.Name(), with.Diag(a), 1.7*WithConstant(k, 0).Diag(a), 1e-12)
		if with.Name() != k.Name() || len(with.Params()) != len(k.Params()) {
			t.Errorf("%s with a constant is %s", k.Name(), with.Name())
		}
	}
	bad := Stationary{Family: SE, Lengthscales: []float64{1}, Outputscale: 1, Constant: math.NaN()}
	if bad.Validate() == nil || (Stationary{Family: SE, Lengthscales: []float64{1}, Outputscale: 1, Constant: -1}).Validate() == nil {
		t.Error("a variance that is none is valid")
	}
}
