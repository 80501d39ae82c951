package particles

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/stat"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// plain is the kernel of a learner of so many coordinates.
func plain(t testing.TB, dim int) surrogate.Kernel {
	t.Helper()
	return must.Get(surrogate.NewKernel("matern52", dim))(t)
}

// truth is a Gaussian process on the unit cube that the last coordinate is irrelevant to.
var truth = surrogate.Prior{
	Kernel: surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{0.2, 0.6, 1e4}, Outputscale: 1}, Noise: 1e-3,
}

// drawn are n points of the unit cube with values of a draw of the truth, the same ones for equal numbers.
func drawn(t testing.TB, n int, task uint64) (x []space.Unit, y []float64) {
	t.Helper()
	stream := rng.New(12, rng.Test, task)
	post := must.Get(truth.Condition(nil, nil, nil))(t)
	path := post.Draw(stream, 1000)
	for range n {
		point := space.Unit{stream.Float64(), stream.Float64(), stream.Float64()}
		x, y = append(x, point), append(y, path.At(point)+math.Sqrt(truth.Noise)*stream.NormFloat64())
	}
	return x, y
}

// kernelLearner is a learner of the values of a task.
func kernelLearner(t testing.TB, s Settings, n int, task uint64, start [][]float64) *Learner {
	t.Helper()
	x, y := drawn(t, n, task)
	return must.Get(NewLearner(s, x, y, nil, start, rng.New(12, rng.Test, 1000)))(t)
}

func steps(l *Learner, count int) *Learner {
	for range count {
		l.Step()
	}
	return l
}

func TestParticlesOfAKernelLearnItsLengthscales(t *testing.T) {
	s := Settings{Kernel: plain(t, 3)}
	l := steps(kernelLearner(t, s, 80, 1, nil), 300)
	mean := make([]float64, 3)
	for _, theta := range l.Particles() {
		for j := range mean {
			mean[j] += theta[j] / 10
		}
	}
	if math.Abs(mean[0]-math.Log(0.2)) > 0.5 || math.Abs(mean[1]-math.Log(0.6)) > 0.5 || mean[2] < math.Log(10) || l.Failures() != 0 {
		t.Errorf("mean log lengthscales %v, %d failures", mean, l.Failures())
	}
	priors := must.Get(l.Priors())(t)
	sum := Summarize(priors, 3, nil)
	if c := sum.Difference; c[0].Mean < 0.4 || c[1].Mean > c[0].Mean || c[2].Mean > 0.15 || sum.Noise.Mean > 0.05 {
		t.Errorf("summary %+v", sum)
	}
}

// forecast is the mean surprise of values 4 to 43 of a task given the first three.
func forecast(t *testing.T, l *Learner, task uint64) float64 {
	t.Helper()
	x, y := drawn(t, 43, task)
	var sum float64
	for i := 3; i < len(x); i++ {
		var density float64
		for _, p := range must.Get(l.Priors())(t) {
			mean, variance := must.Get(p.Condition(x[:3], y[:3], nil))(t).Predict(x[i])
			variance += p.Noise
			density += math.Exp(-(y[i]-mean)*(y[i]-mean)/(2*variance)) / math.Sqrt(2*math.Pi*variance) / 10
		}
		sum -= math.Log(density) / 40
	}
	return sum
}

func TestATaskOfAKernelPredictsBetterAfterAnother(t *testing.T) {
	s := Settings{Kernel: plain(t, 3)}
	last := steps(kernelLearner(t, s, 60, 1, nil), 200).Particles()
	again := s
	again.Prior = NewMixture(last)
	var better float64
	for task := uint64(2); task < 10; task++ {
		fresh, next := kernelLearner(t, s, 3, task, nil), kernelLearner(t, again, 3, task, last)
		better += (forecast(t, steps(fresh, 50), task) - forecast(t, steps(next, 50), task)) / 8
	}
	if !(better > 0.1) {
		t.Errorf("%v nats for each value after a task like it", better)
	}
}

// families are settings of every kind, over three coordinates of which the last is a fidelity or none is.
func families(t testing.TB) map[string]Settings {
	axis := &surrogate.FidelityAxis{At: 2, Levels: 3}
	return map[string]Settings{
		"network":   {Particles: 3, Layers: []int{5, 4}, Axis: axis},
		"kernel":    {Particles: 3, Kernel: plain(t, 3), Noise: 0.02},
		"icm":       {Particles: 3, Kernel: plain(t, 2), Axis: axis, Options: surrogate.FitOptions{FreeOutputscale: true}},
		"composite": {Particles: 3, Kernel: surrogate.Sum{Left: must.Get(surrogate.NewKernel("periodic", 3))(t), Right: plain(t, 3)}},
	}
}

// leveled are values with what is known of their noise, at three fidelities.
func leveled(n int) (x []space.Unit, y, known []float64) {
	stream := rng.New(12, rng.Test, 2000)
	for i := range n {
		x = append(x, space.Unit{stream.Float64(), stream.Float64(), float64(i%3) / 2})
		y, known = append(y, math.Sin(5*x[i][0])+0.2*x[i][2]+0.1*stream.NormFloat64()), append(known, 0.1*float64(i%2))
	}
	return x, y, known
}

func TestTheGradientOfTheLogPosteriorAgreesWithDifferences(t *testing.T) {
	x, y, known := leveled(30)
	for name, s := range families(t) {
		for _, known := range [][]float64{nil, known} {
			l := must.Get(NewLearner(s, x, y, known, nil, rng.New(12, rng.Test, 3)))(t)
			theta, grad := l.Particles()[0], make([]float64, s.Len(3))
			l.logPosterior(theta, grad)
			want := fd.Gradient(nil, func(v []float64) float64 { return l.logPosterior(v, make([]float64, len(v))) }, theta, &fd.Settings{Formula: fd.Central, Step: 1e-5})
			for i, h := range l.hypers {
				if h.Fixed {
					want[len(want)-len(l.hypers)+i] = 0
				}
			}
			for i := range want {
				must.Near(t, fmt.Sprintf("%s, derivative %d", name, i), grad[i], want[i], 1e-4)
			}
		}
	}
}

// A particle's log posterior is that of Prior.ConditionKnown and FirstPrior.
func TestTheLogPosteriorIsEvidencePlusPrior(t *testing.T) {
	x, y, known := leveled(20)
	for name, s := range families(t) {
		l := must.Get(NewLearner(s, x, y, known, nil, rng.New(12, rng.Test, 4)))(t)
		for _, theta := range l.Particles() {
			grad := make([]float64, len(theta))
			prior := must.Get(s.PriorOf(3, theta))(t)
			want := must.Get(prior.ConditionKnown(x, y, known, nil))(t).LogEvidence() + s.FirstPrior(3).LogDensity(theta, grad)
			must.Near(t, name, l.logPosterior(theta, grad), want, 1e-9)
		}
	}
}

func TestParticlesBeginAtDrawsWithinBoundsAndStayThere(t *testing.T) {
	x, y, _ := leveled(20)
	for name, s := range families(t) {
		s.Particles, s.Rate = 20, 5
		start := s.Start(3, rng.New(12, rng.Test, 5))
		l := must.Get(NewLearner(s, x, y, nil, nil, rng.New(12, rng.Test, 5)))(t)
		for v, theta := range l.Particles() {
			if len(theta) != s.Len(3) || !slices.Equal(theta, start[v]) {
				t.Errorf("%s: particle %d begins at %v, want %v", name, v, theta, start[v])
			}
		}
		for _, theta := range slices.Concat(start, steps(l, 5).Particles()) {
			for i, h := range s.withDefaults().hypers() {
				if v := theta[len(theta)-len(l.hypers)+i]; h.Fixed && v != h.Mean || !h.Fixed && !(v >= h.Low && v <= h.High) {
					t.Errorf("%s: number %d is %v, want %+v", name, i, v, h)
				}
			}
		}
	}
}

// Targets so great that the evidence overflows.
func TestParticlesWithoutEvidenceFollowThePrior(t *testing.T) {
	for name, s := range families(t) {
		x, y, _ := leveled(10)
		y[3] = 1e200
		l := must.Get(NewLearner(s, x, y, nil, nil, rng.New(12, rng.Test, 6)))(t)
		first := s.FirstPrior(3)
		before := 0.0
		for _, theta := range l.Particles() {
			before += first.LogDensity(theta, make([]float64, len(theta)))
		}
		after := 0.0
		for _, theta := range steps(l, 50).Particles() {
			after += first.LogDensity(theta, make([]float64, len(theta)))
		}
		if !(after > before-3*float64(s.Particles)) || math.IsInf(after, 0) || l.Failures() != 50*s.Particles || !math.IsInf(l.LogPosterior(), -1) {
			t.Errorf("%s: log prior %v after %v, %d failures, log posterior %v", name, after, before, l.Failures(), l.LogPosterior())
		}
	}
}

func TestTheParticleOfTheGreatestLogPosteriorIsFirst(t *testing.T) {
	l := kernelLearner(t, Settings{Kernel: plain(t, 3), Rate: 1e-9}, 30, 1, nil)
	var last []float64
	for _, theta := range steps(l, 1).Particles() {
		last = append(last, -l.logPosterior(theta, make([]float64, len(theta))))
	}
	if !slices.IsSorted(last) || last[0] == last[9] {
		t.Errorf("minus log posteriors %v", last)
	}
}

func TestParticlesOfAKernelDependOnTheStreamAlone(t *testing.T) {
	s := Settings{Kernel: plain(t, 3)}
	a, b := steps(kernelLearner(t, s, 20, 1, nil), 5).Particles(), steps(kernelLearner(t, s, 20, 1, nil), 5).Particles()
	for v := range a {
		if !slices.Equal(a[v], b[v]) {
			t.Error("equal streams, different particles")
		}
	}
}

func TestSettingsOfAKernelAreValidated(t *testing.T) {
	for want, s := range map[string]Settings{
		"FitOptions.MinNoise": {Kernel: plain(t, 1), Options: surrogate.FitOptions{MinNoise: -1}},
		"Outputscale":         {Kernel: surrogate.Stationary{Lengthscales: []float64{1}}},
	} {
		if _, err := NewLearner(s, []space.Unit{{0}}, []float64{0}, nil, nil, rng.New(1, rng.Test, 1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := NewLearner(Settings{Kernel: plain(t, 1)}, []space.Unit{{0}}, []float64{0}, []float64{-1}, nil, rng.New(1, rng.Test, 1)); err == nil {
		t.Error("a variance below 0 was taken")
	}
}

// Squared-exponential kernels over a fidelity, whose correlations have formulas.
func TestASummaryByHand(t *testing.T) {
	axis := &surrogate.FidelityAxis{At: 1, Levels: 4}
	var priors []surrogate.Prior
	var near, decay, noise []float64
	for _, l := range []float64{0.1, 0.3} {
		k := surrogate.NewICM(surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{l, 1e6}, Outputscale: 2}, 1, 4)
		priors = append(priors, surrogate.Prior{Kernel: k.WithValues([]float64{l, 1e6, 2, l}), Noise: l})
		near, decay, noise = append(near, math.Sqrt(2*(1-math.Exp(-0.005/(l*l))))), append(decay, math.Sqrt(2*(1-math.Exp(-l)))), append(noise, l/(l+2))
	}
	got := Summarize(priors, 3, axis)
	for i, want := range [][]float64{near, decay, {0, 0}, noise} {
		e := got.Noise
		if i < 3 {
			e = got.Difference[i]
		}
		mean, deviation := stat.PopMeanStdDev(want, nil)
		must.Near(t, "mean", e.Mean, mean, 2e-7)
		must.Near(t, "deviation", e.Deviation, deviation, 1e-9)
	}
}

// BenchmarkStepOfKernels is a step of ten particles of a kernel over six coordinates and a fidelity.
func BenchmarkStepOfKernels(b *testing.B) {
	for _, n := range []int{50, 200} {
		benchmarkStep(b, fmt.Sprintf("icm,n=%d", n), Settings{Kernel: plain(b, 6), Axis: &surrogate.FidelityAxis{At: 6, Levels: 3}}, n)
		benchmarkStep(b, fmt.Sprintf("network,n=%d", n), Settings{Layers: []int{16, 16, 16}, Axis: &surrogate.FidelityAxis{At: 6, Levels: 3}}, n)
	}
}

func benchmarkStep(b *testing.B, name string, s Settings, n int) {
	stream := rng.New(12, rng.Test, 7)
	x, y := make([]space.Unit, n), make([]float64, n)
	for i := range x {
		for range 6 {
			x[i] = append(x[i], stream.Float64())
		}
		x[i], y[i] = append(x[i], float64(i%3)/2), stream.NormFloat64()
	}
	l := must.Get(NewLearner(s, x, y, nil, nil, stream))(b)
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l.Step()
		}
	})
}
