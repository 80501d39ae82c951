package particles

import (
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// taught are settings of a task after one of 40 values of the truth, and the particles of that one.
func taught(t testing.TB) (Settings, [][]float64) {
	t.Helper()
	s := Settings{Kernel: plain(t, 3)}
	last := steps(kernelLearner(t, s, 40, 1, nil), 300).Particles()
	s.Prior = NewMixture(last)
	return s, last
}

// waved is a task of values of a wave along the first coordinate, with noise.
func waved(phase, noise float64) (x []space.Unit, y []float64) {
	stream := rng.New(12, rng.Test, 50)
	for range 40 {
		at := space.Unit{stream.Float64(), stream.Float64(), stream.Float64()}
		x, y = append(x, at), append(y, 1.4*math.Sin(6*at[0]+phase)+noise*stream.NormFloat64())
	}
	return x, y
}

// learn goes on in fits while values come, as a study does.
func learn(t testing.TB, s Settings, from [][]float64, x []space.Unit, y []float64) [][]float64 {
	t.Helper()
	for k, n := range []int{5, 8, 12, 18, 24, 30, 40} {
		from = must.Get(Learn(s, x[:n], y[:n], nil, from, 50, rng.New(12, rng.Test, uint64(60+k))))(t).Particles()
	}
	return from
}

// noise is the mean of the standard deviations of the noise, of which particles have the logarithm of the square as their last number.
func noise(all [][]float64) (mean float64) {
	for _, theta := range all {
		mean += math.Exp(theta[len(theta)-1]/2) / float64(len(all))
	}
	return mean
}

func TestWhatWasTaughtIsLeftWhereItMisleads(t *testing.T) {
	tasks := map[float64][][]float64{}
	for _, level := range []float64{0, 0.5} {
		x, y := waved(0, level)
		tasks[level] = learn(t, Settings{Kernel: plain(t, 3)}, nil, x, y)
	}
	if quiet, loud := noise(tasks[0]), noise(tasks[0.5]); quiet > 0.03 || math.Abs(loud-0.5) > 0.1 {
		t.Fatalf("noise of %v after values without, of %v after values with 0.5", quiet, loud)
	}
	for _, level := range []float64{0, 0.5} {
		x, y := waved(1, level)
		s := Settings{Kernel: plain(t, 3), Prior: NewMixture(tasks[0.5-level])}
		after := noise(learn(t, s, tasks[0.5-level], x, y))
		bound := noise(steps(must.Get(NewLearner(s, x, y, nil, tasks[0.5-level], nil))(t), 350).Particles())
		if off := math.Abs(after - level); off > 0.03+0.3*level || off > 0.8*math.Abs(bound-level) {
			t.Errorf("noise of %v after values with %v and a task with %v; %v under the mixture alone", after, level, 0.5-level, bound)
		}
	}
}

// Where it is right, all is as if there were nothing else.
func TestWhatWasTaughtIsKeptWhereItIsRight(t *testing.T) {
	s, last := taught(t)
	for n := 1; n <= 30; n += 4 {
		x, y := drawn(t, n, 3)
		l := must.Get(Learn(s, x, y, nil, last, 50, rng.New(12, rng.Test, 70)))(t)
		want := steps(must.Get(NewLearner(s, x, y, nil, last, nil))(t), 50)
		if !reflect.DeepEqual(l.Particles(), want.Particles()) || l.LogPosterior() != want.LogPosterior() {
			t.Errorf("%d values: other particles", n)
		}
		if looks := l.Evaluations(); looks != 10*(50+50+drawsEach+1+1+2) {
			t.Errorf("%d looks at the evidence", looks)
		}
	}
}

func TestWhatWasTaughtCountsAgainAfterItWasLeft(t *testing.T) {
	s, last := taught(t)
	alone := s
	alone.Prior = nil
	x, y := drawn(t, 25, 3)
	l := must.Get(Learn(s, x, y, nil, alone.Start(3, rng.New(12, rng.Test, 71)), 50, rng.New(12, rng.Test, 72)))(t)
	want := steps(must.Get(NewLearner(s, x, y, nil, last, nil))(t), 50)
	if !reflect.DeepEqual(l.Particles(), want.Particles()) {
		t.Error("particles from elsewhere stay")
	}
}

// Particles of a network, and those of a task without another before, have one prior.
func TestThereIsNoChoiceForANetwork(t *testing.T) {
	x, y, _ := leveled(12)
	for name, s := range families(t) {
		start := s.Start(3, rng.New(12, rng.Test, 73))
		if name == "network" {
			s.Prior = NewMixture(start)
		}
		l := must.Get(Learn(s, x, y, nil, start, 20, nil))(t)
		if want := steps(must.Get(NewLearner(s, x, y, nil, start, nil))(t), 20); !reflect.DeepEqual(l.Particles(), want.Particles()) || l.Evaluations() != 60 {
			t.Errorf("%s: other particles, or %d looks", name, l.Evaluations())
		}
	}
}

// The evidence of particles that have not moved is the mean of that of each; of others it is near what draws from the prior say.
func TestTheEvidenceOfASwarm(t *testing.T) {
	s, last := taught(t)
	x, y := drawn(t, 10, 4)
	l := must.Get(NewLearner(s, x, y, nil, last, nil))(t)
	mean := func(all [][]float64) float64 {
		logs := make([]float64, len(all))
		for v, theta := range all {
			logs[v] = must.Get(l.evidence.At(theta, make([]float64, len(theta))))(t)
		}
		return floats.LogSumExp(logs) - math.Log(float64(len(logs)))
	}
	must.Near(t, "log evidence", l.logWorth(), mean(last), 1e-9)
	s.Prior, s.Particles = nil, 10
	fresh := steps(must.Get(NewLearner(s, x, y, nil, nil, rng.New(12, rng.Test, 74)))(t), 300)
	s.Particles = 1000
	must.Near(t, "log evidence under the first prior", fresh.logWorth(), mean(s.Start(3, rng.New(12, rng.Test, 75))), 2)
}

// A number that is given is no news, under whichever prior.
func TestAFixedNumberHasNoPartInTheEvidence(t *testing.T) {
	s := Settings{Kernel: plain(t, 3), Noise: 0.1}
	x, y := drawn(t, 10, 4)
	l := steps(must.Get(NewLearner(s, x, y, nil, nil, rng.New(12, rng.Test, 76)))(t), 20)
	first, around := s.FirstPrior(3), NewMixture(l.now())
	last := len(l.now()[0]) - 1
	only := func(p Normal) float64 {
		return NewNormal(p.mean[last:], p.variance[last:]).LogDensity([]float64{math.Log(0.1)}, make([]float64, 1))
	}
	must.Near(t, "density of the noise", only(first), -math.Log(around.Bandwidth[last]*math.Sqrt(2*math.Pi)), 1e-9)
}

func TestValuesWithoutEvidenceLeaveWhatWasTaught(t *testing.T) {
	s, last := taught(t)
	l := must.Get(Learn(s, []space.Unit{{0, 0, 0}, {1, 1, 1}}, []float64{1e200, 0}, nil, last, 5, rng.New(12, rng.Test, 77)))(t)
	if !finite(l.now()[0][0]) || l.prior.LogDensity(last[0], make([]float64, len(last[0]))) != s.Prior.LogDensity(last[0], make([]float64, len(last[0]))) {
		t.Error("values without evidence decide")
	}
}
