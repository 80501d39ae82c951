package acquisition

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

func levelled(t *testing.T) (FidelityGain, []space.Unit) {
	t.Helper()
	s := must.Get(space.New(space.Float("x", 0, 1), space.Ordered("m", 1, 2, 4).AsFidelity(1, 2, 4), space.Float("y", 0, 1)))(t)
	r := rng.New(5, rng.Test, 71)
	var xs []space.Unit
	var ys []float64
	for range 18 {
		u := s.Random(r)
		xs, ys = append(xs, u), append(ys, math.Sin(4*u[0])-u[2]*u[2]+0.3*u[1])
	}
	k := surrogate.NewICM(surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{0.4, 0.6}, Outputscale: 1}, 1, 4)
	p := must.Get(surrogate.Prior{Kernel: k, Noise: 0.01}.Condition(xs, ys, nil))(t)
	var points []space.Unit
	for range 9 {
		points = append(points, s.Random(r))
	}
	return FidelityGain{Posterior: p, Space: s, Maxima: []float64{1.2, 1.4, 1.9}}, points
}

// At the greatest fidelity it is the gain of a search that knows no others; below, the correlation of the value with the target decides.
func TestTheGainOfAFidelityIsThatOfItsCorrelation(t *testing.T) {
	f, points := levelled(t)
	plain := At{Posterior: f.Posterior, Utility: LogEntropyGain{Maxima: f.Maxima, Noise: f.Posterior.Noise()}}
	all := make([]float64, len(points))
	f.Values(points, all)
	for i, x := range points {
		top := f.Space.AtTarget(x)
		if got, want := f.Value(top), plain.Value(top); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("at the target %v, want %v", got, want)
		}
		mean, variance := f.Posterior.Predict(top)
		_, own := f.Posterior.Predict(x)
		rho := f.Posterior.Covariance(x, top) / math.Sqrt(variance*(own+f.Posterior.Noise()))
		sum := 0.0
		for _, greatest := range f.Maxima {
			gain, _, _ := EntropyGainNoisy((greatest-mean)/math.Sqrt(variance), rho)
			sum += gain / float64(len(f.Maxima))
		}
		if got, want := f.Value(x), math.Log(sum); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) || got != all[i] {
			t.Errorf("at %v: %v, among others %v, want %v", x, got, all[i], want)
		}
	}
}

func TestSlopesOfTheGainOfAFidelityAgreeWithDifferences(t *testing.T) {
	f, points := levelled(t)
	for _, x := range points {
		grad := make([]float64, len(x))
		if got, want := f.Gradient(x, grad), f.Value(x); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v, want %v", got, want)
		}
		const h = 1e-6
		for _, j := range f.Space.Actions() {
			up, down := slices.Clone(x), slices.Clone(x)
			up[j], down[j] = x[j]+h, x[j]-h
			if want := (f.Value(up) - f.Value(down)) / (2 * h); math.Abs(grad[j]-want) > 1e-5*(1+math.Abs(want)) {
				t.Errorf("slope %d at %v is %v, want %v", j, x, grad[j], want)
			}
		}
	}
}

// The gain is the mean of those of the samples one by one, whether or not they are ascending, and where most of them count for nothing.
func TestSamplesThatCountForNothingAreLeftOut(t *testing.T) {
	f, points := levelled(t)
	for _, maxima := range [][]float64{{1.2, 1.4, 1.9, 9, 40}, {40, 9, 1.9, 1.4, 1.2}, {30, 31, 32, 50}} {
		f.Maxima = maxima
		for _, x := range points {
			sum := math.Inf(-1)
			for _, y := range maxima {
				one := f
				one.Maxima = []float64{y}
				sum, _, _ = blend(sum, one.Value(x), 0, 0, 0, 0)
			}
			want := sum - math.Log(float64(len(maxima)))
			must.Near(t, "gain", f.Value(x), want, 1e-12*(1+math.Abs(want)))
		}
	}
}
