package surrogate

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/space"
)

// A point among many is predicted as it is alone, to the bit, by every kernel.
func TestAPredictionDoesNotDependOnItsCompany(t *testing.T) {
	r := stream(90)
	categorical := Stationary{Matern52, []float64{.4, .7, .3}, 1.3, []bool{false, true, false}, 0, 0}
	mixed := Sum{Product{Stationary{SE, []float64{.4, .7, .3}, 1, nil, 0, 0}, Periodic{[]float64{1, 1, 1}, .8, 1}}, Linear{[]float64{.5, .5, .5}, .2}}
	for _, k := range []Kernel{Stationary{SE, []float64{.4, .7, .3}, 1.3, nil, 0, 0}, Stationary{Matern12, []float64{.4, .7, .3}, 1.3, nil, 0, 0}, categorical, mixed, NewICM(Stationary{Matern52, []float64{.4, .7}, 1, nil, 0, 0}, 0, 3), NewICM(Additive{SE, []float64{.4, .7}, 1, nil, 0, 0}, 1, 2), NewICM(Additive{Matern52, []float64{.4, .7}, 1, nil, 0, 0}, 0, 4), NewICM(Warped{Stationary{SE, []float64{.4, .7}, 1, nil, 0, 0}, Inputs{30, 0.2}}, 0, 3), wideFeatures(t)} {
		post := condition(t, Prior{Kernel: k, Noise: 1e-3, Mean: -.2}, randomPoints(r, 150, 3), randomTargets(r, 150), nil)
		xs := append(randomPoints(r, 6, 3), post.X(3), slices.Clone(post.X(3)), slices.Clone(post.X(3)))
		xs[7][0], xs[8][1] = .5, .5 // what follows may differ in a fidelity alone
		const s = 9
		mean, variance := make([]float64, s), make([]float64, s)
		dmean, dvar := vectors(s, 3), vectors(s, 3)
		q := NewPredictor(post, s)
		q.PredictGrad(xs, mean, variance, dmean, dvar)
		for i, x := range xs {
			dm, dv := make([]float64, 3), make([]float64, 3)
			m, v := post.PredictGrad(x, dm, dv)
			same := m == mean[i] && v == variance[i]
			for j := range dm {
				same = same && dm[j] == dmean[i][j] && dv[j] == dvar[i][j]
			}
			if !same {
				t.Errorf("%s: point %d differs in company", k.Name(), i)
			}
			plain, spread := post.Predict(x)
			near(t, "mean", m, plain, 1e-12)
			near(t, "variance", v, spread, 1e-12)
			gradientAgrees(t, post, x, dm, dv)
		}
		q.Predict(xs, mean, variance)
		for i, x := range xs {
			if m, v := post.Predict(x); m != mean[i] || v != variance[i] {
				t.Errorf("%s: point %d differs in company", k.Name(), i)
			}
		}
	}
}

func TestAJointPredictionHasTheCovariancesOfPairs(t *testing.T) {
	r := stream(92)
	for _, k := range everyKernel() {
		post := condition(t, Prior{Kernel: k, Noise: 1e-3, Mean: -.2}, randomPoints(r, 70, 2), randomTargets(r, 70), nil)
		xs := randomPoints(r, 4, 2)
		mean, covariance := make([]float64, 4), make([]float64, 16)
		NewPredictor(post, 5).PredictJoint(xs, mean, covariance)
		for i, a := range xs {
			m, v := post.Predict(a)
			near(t, k.Name()+" mean", mean[i], m, 0)
			near(t, k.Name()+" variance", covariance[i*4+i], v, 0)
			for j, b := range xs {
				if i != j {
					near(t, k.Name()+" covariance", covariance[i*4+j], post.Covariance(a, b), 1e-12)
				}
			}
		}
	}
}

// gradientAgrees compares with central differences.
func gradientAgrees(t *testing.T, post *Posterior, x space.Unit, dmean, dvar []float64) {
	t.Helper()
	const h = 1e-5
	for j := range x {
		if k, ok := post.prior.Kernel.(Stationary); ok && (k.categorical(j) || k.Family == Matern12) {
			continue
		}
		up, down := append([]float64(nil), x...), append([]float64(nil), x...)
		up[j] += h
		down[j] -= h
		mu, vu := post.Predict(up)
		md, vd := post.Predict(down)
		near(t, "dmean", dmean[j], (mu-md)/(2*h), 1e-4*max(1, math.Abs(dmean[j])))
		near(t, "dvar", dvar[j], (vu-vd)/(2*h), 1e-4)
	}
}

func TestPredictorsAllocateNothing(t *testing.T) {
	r := stream(91)
	for _, k := range []Kernel{
		Stationary{Matern52, defaultLengthscales(6), 1, nil, 0, 0},
		NewICM(Stationary{Matern52, defaultLengthscales(5), 1, nil, 0, 0}, 2, 3), NewICM(Additive{Matern52, defaultLengthscales(5), 1, nil, 0, 0}, 2, 3),
	} {
		post := condition(t, Prior{Kernel: k, Noise: 0.01}, randomPoints(r, 200, 6), randomTargets(r, 200), nil)
		xs, dmean, dvar := randomPoints(r, 8, 6), vectors(8, 6), vectors(8, 6)
		mean, variance := make([]float64, 8), make([]float64, 8)
		q := NewPredictor(post, 8)
		if n := testing.AllocsPerRun(10, func() {
			q.Predict(xs, mean, variance)
			q.PredictGrad(xs, mean, variance, dmean, dvar)
		}); n > 0 && !raced { // what tells the detector of slices allocates
			t.Errorf("%s: %v allocations", k.Name(), n)
		}
	}
}
