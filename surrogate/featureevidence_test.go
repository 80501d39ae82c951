package surrogate

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/network"
)

// Numbers worked out by hand for a prior whose mean is a plane: with that taken off the targets what is left is the kernel's.
func TestTheGradientByWeightsByHand(t *testing.T) {
	shape := network.Shape{Inputs: 2, Layers: []int{2}, Plain: true}
	k, err := NewFeatures(shape, make([]float64, 6), nil)
	if err != nil {
		t.Fatal(err)
	}
	y := slices.Clone(fixtureY)
	for i, x := range fixtureX {
		y[i] -= 0.4*x[0] - 0.6*x[1] + 0.05
	}
	e, err := NewFeatureEvidence(k, fixtureX, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	grad := make([]float64, e.Len())
	value, err := e.At([]float64{0.8, -0.3, 0.2, 1.1, 0.1, -0.2, 0, 0, math.Log(0.05)}, grad)
	if err != nil {
		t.Fatal(err)
	}
	printed(t, "evidence", -value, 4.49037551808)
	floats.Scale(-1, grad)
	printedAll(t, "gradient", grad[:6], []float64{-0.2334248828, -0.6183068387, 0.2400086175, -0.5118559090, -0.0704688654, 1.1133810968})
}

func TestTheEvidenceOfFeaturesIsThatOfTheirKernel(t *testing.T) {
	shape := network.Shape{Inputs: 2, Layers: []int{2}, Plain: true}
	weights := []float64{0.8, -0.3, 0.2, 1.1, 0.1, -0.2}
	k, err := NewFeatures(shape, weights, nil)
	if err != nil {
		t.Fatal(err)
	}
	hyper := []float64{math.Log(1.2), math.Log(1.1), math.Log(0.05)}
	prior := Prior{Kernel: k.WithParams(hyper[:2]), Noise: 0.05}
	for _, variances := range [][]float64{nil, {0, 0.3, 2, 1e-3}} {
		e, err := NewFeatureEvidence(k, fixtureX, fixtureY, variances)
		if err != nil {
			t.Fatal(err)
		}
		grad := make([]float64, e.Len())
		got, err := e.At(append(slices.Clone(weights), hyper...), grad)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]float64, 3)
		plain, err := EvidenceKnown(prior, fixtureX, fixtureY, variances, want)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "evidence", got, plain, 1e-12)
		if !floats.EqualApprox(grad[6:], want, 1e-10) {
			t.Errorf("by the hyperparameters %v, want %v", grad[6:], want)
		}
		slow := dense{prior, fixtureX, fixtureY, []float64{0.05, 0.05, 0.05, 0.05}}
		if variances != nil {
			floats.Add(slow.noise, variances)
		}
		near(t, "evidence by elimination", got, slow.evidence(), 1e-10)
	}
}

// differences are the derivatives of an evidence at theta by differences.
func differences(t *testing.T, at func(theta, grad []float64) (float64, error), theta []float64) []float64 {
	t.Helper()
	return fd.Gradient(nil, func(v []float64) float64 {
		value, err := at(v, nil)
		if err != nil {
			t.Fatal(err)
		}
		return value
	}, theta, &fd.Settings{Formula: fd.Central, Step: 1e-5})
}

func TestTheGradientByWeightsAgreesWithDifferences(t *testing.T) {
	r := stream(640)
	for _, axis := range []*FidelityAxis{nil, {At: 1, Levels: 3}} {
		shape := network.Shape{Inputs: 3, Layers: []int{9, 8, 7}}
		var variances []float64
		if axis != nil {
			shape.Inputs--
			_, _, variances = unlike(70, 645)
		}
		k, err := NewFeatures(shape, make([]float64, shape.Weights()), axis)
		if err != nil {
			t.Fatal(err)
		}
		e, err := NewFeatureEvidence(k, randomPoints(r, 70, 3), randomTargets(r, 70), variances)
		if err != nil {
			t.Fatal(err)
		}
		theta := randomTargets(r, e.Len())
		grad := make([]float64, e.Len())
		for range 2 { // the second time on the memory of the first
			if _, err := e.At(theta, grad); err != nil {
				t.Fatal(err)
			}
		}
		want := differences(t, e.At, theta)
		for i := range want {
			near(t, "derivative", grad[i], want[i], 1e-5*(1+math.Abs(want[i])))
		}
	}
}

func TestEvidenceOfFeaturesReportsWhatItCannotCompute(t *testing.T) {
	k := wideFeatures(t)
	r := stream(641)
	if _, err := NewFeatureEvidence(k, randomPoints(r, 2, 3), []float64{1, math.NaN()}, nil); err == nil {
		t.Error("a target that is no number was taken")
	}
	if _, err := NewFeatureEvidence(k, randomPoints(r, 2, 3), []float64{1, 2}, []float64{0, -1}); err == nil {
		t.Error("a variance below 0 was taken")
	}
	e, err := NewFeatureEvidence(k, randomPoints(r, 2, 3), []float64{1, 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	theta := make([]float64, e.Len())
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		for _, i := range []int{0, e.Len() - 2} {
			theta[i] = bad
			if _, err := e.At(theta, nil); err == nil {
				t.Errorf("%v as number %d was taken", bad, i)
			}
			theta[i] = 0
		}
	}
	if _, err := e.At(theta, nil); err != nil {
		t.Error(err)
	}
	mustPanic(t, "theta", func() { e.At(theta[1:], nil) })
}

func BenchmarkFeatureEvidence(b *testing.B) {
	r := stream(643)
	e, err := NewFeatureEvidence(wideFeatures(b), randomPoints(r, 50, 3), randomTargets(r, 50), nil)
	if err != nil {
		b.Fatal(err)
	}
	theta, grad := randomTargets(r, e.Len()), make([]float64, e.Len())
	b.ReportAllocs()
	for b.Loop() {
		e.At(theta, grad)
	}
}
