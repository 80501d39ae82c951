package surrogate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
)

func TestTheEvidenceOfAKernelIsThatByElimination(t *testing.T) {
	x, y, variances := unlike(20, 650)
	for _, k := range []Kernel{
		Stationary{Family: Matern52, Lengthscales: []float64{0.3, 0.5}, Outputscale: 1.5},
		NewICM(Stationary{Family: SE, Lengthscales: []float64{0.4}, Outputscale: 1}, 1, 3),
		Sum{Periodic{[]float64{0.5, 2}, 1, 1}, Stationary{Family: Matern32, Lengthscales: []float64{0.3, 0.5}, Outputscale: 0.5}},
	} {
		for _, known := range [][]float64{nil, variances} {
			e, err := NewKernelEvidence(k, x, y, known)
			if err != nil {
				t.Fatal(err)
			}
			theta, grad := append(k.Params(), math.Log(0.1)), make([]float64, e.Len())
			var got float64
			for range 2 { // the second time on the memory of the first
				if got, err = e.At(theta, grad); err != nil {
					t.Fatal(err)
				}
			}
			slow := dense{Prior{Kernel: k, Noise: 0.1}, x, y, filled(len(x), 0.1)}
			if known != nil {
				floats.Add(slow.noise, known)
			}
			near(t, "evidence of "+k.Name(), got, slow.evidence(), 1e-9)
			want := differences(t, e.At, theta)
			for i := range want {
				near(t, "derivative of "+k.Name(), grad[i], want[i], 1e-6*(1+math.Abs(want[i])))
			}
		}
	}
}

func TestEvidenceOfAKernelReportsWhatItCannotCompute(t *testing.T) {
	k := Stationary{Family: SE, Lengthscales: []float64{0.3, 0.5}, Outputscale: 1.5}
	for _, variances := range [][]float64{{0, -1, 0, 0}, {0, 0, math.NaN(), 0}} {
		if _, err := NewKernelEvidence(k, fixtureX, fixtureY, variances); err == nil {
			t.Errorf("the variances %v were taken", variances)
		}
	}
	e, err := NewKernelEvidence(k, fixtureX, fixtureY, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1000} {
		theta := make([]float64, e.Len())
		theta[0] = bad
		if value, err := e.At(theta, nil); err == nil || !math.IsInf(value, -1) {
			t.Errorf("%v as a logarithm was taken: %v", bad, value)
		}
	}
	mustPanic(t, "theta", func() { e.At(make([]float64, 3), nil) })
}

func TestLogarithmsFollowTheKindsOfAFit(t *testing.T) {
	k := NewICM(Periodic{[]float64{0.5, 2}, 3, 4}, 2, 3)
	o := FitOptions{FreeOutputscale: true, FixNoise: true}
	all := o.Logarithms(k)
	lengthscale, decay := LengthscalePrior(3), DecayPrior()
	for i, want := range []Logarithm{
		{lengthscale.Mu, lengthscale.Sigma, math.Log(0.025), math.Log(1000), false},
		{lengthscale.Mu, lengthscale.Sigma, math.Log(0.025), math.Log(1000), false},
		{math.Log(3), 1.5, math.Log(3) + math.Log(1e-2), math.Log(3) + math.Log(1e2), false},
		{math.Log(4), 1.5, math.Log(4) + math.Log(1e-2), math.Log(4) + math.Log(1e2), false},
		{math.Log(decay.Mode()), decay.Sigma, math.Log(1e-4), math.Log(10), false},
		{-4, 1, math.Log(1e-4), math.Log(10), false},
	} {
		if all[i] != want {
			t.Errorf("%d: %v, want %v", i, all[i], want)
		}
	}
	fixed := FitOptions{Outputscale: Hyperprior{0.5, 2}}.Logarithms(k)
	if !fixed[3].Fixed || fixed[3].Mean != math.Log(4) || fixed[2].Mean != 0.5 || fixed[2].Deviation != 2 {
		t.Errorf("outputscale %v, period %v", fixed[3], fixed[2])
	}
}
