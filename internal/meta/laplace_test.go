package meta

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

var handKernel = surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{0.3, 0.5}, Outputscale: 1.5}

func gram(k surrogate.Kernel, x []space.Unit) *mat.SymDense {
	m := mat.NewSymDense(len(x), nil)
	for i := range x {
		for j := range i + 1 {
			m.SetSym(i, j, k.Eval(x[i], x[j]))
		}
	}
	return m
}

func TestAClassifierWorkedByHand(t *testing.T) {
	l, ok := NewLaplace(gram(handKernel, handTask.X), make([]float64, 4), []float64{1, 0, 1, 0})
	if !ok {
		t.Fatal("no mode")
	}
	for i, want := range []float64{0.5066452801, -0.3796072825, 0.1982765835, -0.3196205511} {
		must.Near(t, "mode", l.Mode()[i], want, 1e-10)
	}
	must.Near(t, "evidence", l.LogEvidence(), -3.02226958578, 1e-11)
	at, row := space.Unit{0.5, 0.5}, make([]float64, 4)
	handKernel.Row(row, at, handTask.X)
	mu, v := l.Latent(row, handKernel.Diag(at), 0)
	must.Near(t, "mean", mu, 0.0738582690, 1e-9)
	must.Near(t, "variance", v, 1.0753615981, 1e-9)
	must.Near(t, "probability", Probability(mu, v), 0.515086280434, 1e-11)
	must.Near(t, "cheap", CheapProbability(mu, v), 0.515477675706, 1e-11)
}

func TestTheProbabilityIsTheIntegral(t *testing.T) {
	for _, c := range [][2]float64{{0.3, 0.01}, {-2, 4}, {5, 1}} {
		want := quad.Fixed(func(f float64) float64 {
			d := f - c[0]
			return sigmoid(f) * math.Exp(-d*d/2/c[1]) / math.Sqrt(2*math.Pi*c[1])
		}, c[0]-12*math.Sqrt(c[1]), c[0]+12*math.Sqrt(c[1]), 2000, nil, 0)
		must.Near(t, "probability", Probability(c[0], c[1]), want, 1e-6)
	}
}

// However far the latent value spreads, the probability is what many small steps give.
func TestTheProbabilityIsRightHoweverFarTheLatentValueSpreads(t *testing.T) {
	integral := func(mu, variance float64) float64 {
		const steps, reach = 20000, 10.
		var sum, all float64
		for i := range steps + 1 {
			u := reach * (2*float64(i)/steps - 1)
			weight := math.Exp(-u * u / 2)
			sum, all = sum+weight*sigmoid(mu+math.Sqrt(variance)*u), all+weight
		}
		return sum / all
	}
	for _, variance := range []float64{1e-3, 0.1, 1, 10, wideLatent, math.Nextafter(wideLatent, 21), 50, 100, 1e3, 1e4, 1e6} {
		for _, scaled := range []float64{-3, -1.2, -0.3, 0, 0.1, 0.7, 2} {
			mu := scaled * math.Sqrt(1+variance)
			must.Near(t, "probability", Probability(mu, variance), integral(mu, variance), 5e-4)
		}
	}
	must.Near(t, "worked by hand", Probability(10, 100), 0.837428897531, 1e-11) // Φ(10/√(100 + π²/3))
}

// At the mode the gradient of log p(y|f) equals K⁻¹(f - m), and slopes agree with differences.
func TestTheModeIsStationaryAndSlopesAgreeWithDifferences(t *testing.T) {
	stream := rng.New(4, rng.Test, 1)
	n := 7
	var x []space.Unit
	mean, labels := make([]float64, n), make([]float64, n)
	for i := range n {
		x = append(x, space.Unit{stream.Float64(), stream.Float64()})
		mean[i], labels[i] = 0.5*stream.NormFloat64(), float64(i%2)
	}
	k := gram(handKernel, x)
	for i := range n {
		k.SetSym(i, i, k.At(i, i)+0.01)
	}
	l, ok := NewLaplace(k, mean, labels)
	if !ok {
		t.Fatal("no mode")
	}
	ka := mat.NewVecDense(n, nil)
	ka.MulVec(k, mat.NewVecDense(n, l.a))
	for i, f := range l.Mode() {
		must.Near(t, "stationary", f-mean[i], ka.AtVec(i), 1e-9)
	}
	g, dmean := l.Slopes()
	evidence := func(k *mat.SymDense, mean []float64) float64 {
		l, _ := NewLaplace(k, mean, labels)
		return l.LogEvidence()
	}
	want := fd.Gradient(nil, func(m []float64) float64 { return evidence(k, m) }, mean, &fd.Settings{Formula: fd.Central})
	for i := range want {
		must.Near(t, "by the mean", dmean[i], want[i], 1e-6)
	}
	for i := range n {
		for j := range i + 1 {
			slope := fd.Derivative(func(v float64) float64 {
				other := mat.NewSymDense(n, nil)
				other.CopySym(k)
				other.SetSym(i, j, v)
				return evidence(other, mean)
			}, k.At(i, j), &fd.Settings{Formula: fd.Central})
			got := g.At(i, j)
			if i != j {
				got *= 2
			}
			must.Near(t, "by the covariance", got, slope, 1e-6)
		}
	}
}

func TestAClassifierOfHopelessNumbersHasNoMode(t *testing.T) {
	bad := mat.NewSymDense(2, []float64{math.NaN(), 0, 0, 1})
	if _, ok := NewLaplace(bad, make([]float64, 2), []float64{0, 1}); ok {
		t.Error("a mode of no numbers")
	}
	far := mat.NewSymDense(2, []float64{1e6, 1e6 - 1e-6, 1e6 - 1e-6, 1e6})
	if l, ok := NewLaplace(far, make([]float64, 2), []float64{0, 1}); ok && math.IsNaN(l.LogEvidence()) {
		t.Error("an evidence that is no number")
	}
}
