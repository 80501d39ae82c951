package acquisition

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// transfer are members that see the rows of levelled with these lengthscales and noises, and points.
func transfer(t *testing.T, beta float64, lengthscales, noises []float64) (TransferGain, []space.Unit) {
	t.Helper()
	first, points := levelled(t)
	f := TransferGain{Beta: beta}
	var xs []space.Unit
	for i := range first.Posterior.Len() {
		xs = append(xs, first.Posterior.X(i))
	}
	for k, length := range lengthscales {
		kernel := surrogate.NewICM(surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{length, length}, Outputscale: 1}, 1, 4)
		p := must.Get(surrogate.Prior{Kernel: kernel, Noise: noises[k]}.Condition(xs, first.Posterior.Targets(), nil))(t)
		f.Members = append(f.Members, FidelityGain{Posterior: p, Space: first.Space, Maxima: []float64{1.1 + .1*float64(k), 1.4, 2}})
	}
	return f, points
}

// The gain is that of its parts, whatever other points are priced with it, and for one member it is that of this one.
func TestTheTransferGainIsThatOfItsParts(t *testing.T) {
	f, points := transfer(t, 1.3, []float64{.3, .5, .9}, []float64{.01, .02, .3})
	var xs []space.Unit
	for i, x := range points { // some with their target, some without
		for j, level := range f.Members[0].Space.Fidelities(8) {
			if (i+j)%3 > 0 {
				x = slices.Clone(x)
				x[1] = level
				xs = append(xs, x)
			}
		}
	}
	all, alone := make([]float64, len(xs)), make([]float64, len(xs))
	f.Values(xs, all)
	one := TransferGain{Members: f.Members[:1], Beta: 1.3}
	one.Values(xs, alone)
	for i, x := range xs {
		var gain float64
		var means, variances []float64
		for _, m := range f.Members {
			mean, variance := m.Posterior.Predict(x)
			gain += math.Exp(m.Value(x)) / 3
			means, variances = append(means, mean), append(variances, variance+m.Posterior.Noise())
		}
		must.Near(t, "gain", all[i], math.Log(gain+1.3*ParticleInformation(means, variances)), 1e-9)
		must.Near(t, "gain of one", alone[i], f.Members[0].Value(x), 1e-9)
		if got := f.Value(x); math.Abs(got-all[i]) > 1e-12*(1+math.Abs(got)) {
			t.Errorf("alone %v, among others %v", got, all[i])
		}
	}
}

func TestSlopesOfTheTransferGainAgreeWithDifferences(t *testing.T) {
	three, noises := []float64{.3, .5, .9}, []float64{.01, .02, .3}
	for name, c := range map[string]struct {
		beta            float64
		lengths, noises []float64
	}{
		"three members": {1.3, three, noises}, "no weight": {0, three, noises}, "one member": {1.3, three[:1], noises[:1]},
		"equal members": {1.3, []float64{.4, .4}, []float64{.1, .1}}, "hardly any noise": {2, three, []float64{1e-6, 1e-6, 1e-6}},
		"which member is right alone": {1e6, three, noises},
	} {
		f, points := transfer(t, c.beta, c.lengths, c.noises)
		f.checkSlopes(t, name, points, 1e-5)
		for i := range f.Members { // a maximum that is far away leaves gains that are zero in floating point
			f.Members[i].Maxima = []float64{80 + float64(i)}
		}
		f.checkSlopes(t, name+", a far maximum", points, 1e-4)
	}
}

func (f TransferGain) checkSlopes(t *testing.T, name string, points []space.Unit, tolerance float64) {
	t.Helper()
	for _, x := range points {
		grad := make([]float64, len(x))
		must.Near(t, name+": value", f.Gradient(x, grad), f.Value(x), 1e-9*(1+math.Abs(f.Value(x))))
		const h = 1e-6
		for _, j := range f.Members[0].Space.Actions() {
			up, down := slices.Clone(x), slices.Clone(x)
			up[j], down[j] = x[j]+h, x[j]-h
			if want := (f.Value(up) - f.Value(down)) / (2 * h); math.Abs(grad[j]-want) > tolerance*(1+math.Abs(want)) {
				t.Errorf("%s: slope %d at %v is %v, want %v", name, j, x, grad[j], want)
			}
		}
	}
}

// Where a value is known, or no maximum is possible, the gain and its slopes are numbers.
func TestTheTransferGainIsFinite(t *testing.T) {
	for _, beta := range []float64{0, 1} {
		for _, noise := range []float64{0, 1e-12, .1} {
			f, points := transfer(t, beta, []float64{.3, .3, .6}, []float64{noise, noise, noise})
			for i := range f.Members[0].Posterior.Len() {
				points = append(points, f.Members[0].Posterior.X(i))
			}
			for _, top := range []float64{1, 1e3, 1e160, math.Inf(1), math.Inf(-1)} {
				for impossible := range len(f.Members) + 1 {
					g := TransferGain{Members: slices.Clone(f.Members), Beta: beta}
					for i := range impossible {
						g.Members[i].Maxima = []float64{top}
					}
					for _, x := range points {
						grad := make([]float64, len(x))
						for _, v := range append(grad, g.Value(x), g.Gradient(x, grad)) {
							if math.IsNaN(v) || math.IsInf(v, 0) {
								t.Fatalf("beta %v, noise %v, %d maxima at %v: %v, slopes %v", beta, noise, impossible, top, v, grad)
							}
						}
					}
				}
			}
		}
	}
}
