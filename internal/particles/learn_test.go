package particles

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// cliff is a standardized function with a steep place, measured at two fidelities of which one is shifted.
func cliff(x space.Unit) float64 { return math.Tanh(20*(x[0]-0.6)) + 0.3*x[1] }

// data are n points of the unit square, the second coordinate 0 or 1, with values of the cliff.
func data(n int) (x []space.Unit, y []float64) {
	stream := rng.New(9, rng.Test, 2)
	for i := range n {
		x = append(x, space.Unit{stream.Float64(), float64(i % 2)})
		y = append(y, cliff(x[i])+0.02*stream.NormFloat64())
	}
	return x, y
}

var small = Settings{Particles: 4, Layers: []int{16, 16}, Axis: &surrogate.FidelityAxis{At: 1, Levels: 2}}

func learner(t testing.TB, s Settings, n int, start [][]float64) *Learner {
	t.Helper()
	x, y := data(n)
	l, err := NewLearner(s, x, y, nil, start, rng.New(9, rng.Test, 3))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// surprise is the mean over other points of minus the log density of the value under the mixture of the particles' posteriors.
func surprise(t *testing.T, l *Learner, n int) float64 {
	t.Helper()
	priors, err := l.Priors()
	if err != nil {
		t.Fatal(err)
	}
	x, y := data(n + 60)
	var sum float64
	for i := n; i < len(x); i++ {
		var density float64
		for _, p := range priors {
			post, err := p.Condition(x[:n], y[:n], nil)
			if err != nil {
				t.Fatal(err)
			}
			mean, variance := post.Predict(x[i])
			variance += post.Noise()
			density += math.Exp(-(y[i]-mean)*(y[i]-mean)/(2*variance)) / math.Sqrt(2*math.Pi*variance) / float64(len(priors))
		}
		sum -= math.Log(density) / float64(len(x)-n)
	}
	return sum
}

func TestParticlesLearnFeatures(t *testing.T) {
	const n = 24
	l := learner(t, small, n, nil)
	before := surprise(t, l, n)
	l.Step()
	first := l.LogPosterior()
	for range 200 {
		l.Step()
	}
	if after := surprise(t, l, n); after > before-1 || l.LogPosterior() < first+50 || l.Failures() != 0 || l.Steps() != 201 {
		t.Errorf("surprise %v after %v, log posterior %v after %v, %d failures, %d steps", after, before, l.LogPosterior(), first, l.Failures(), l.Steps())
	}
	priors, _ := l.Priors()
	if priors[0].Kernel.Name() == priors[1].Kernel.Name() {
		t.Error("two particles are one")
	}
}

// The particles of one task are where those of the next begin, and the prior that they are drawn to.
func TestATaskBeginsWhereTheLastOneEnded(t *testing.T) {
	l := learner(t, small, 24, nil)
	for range 100 {
		l.Step()
	}
	s := small
	s.Prior = NewMixture(l.Particles())
	next := learner(t, s, 3, l.Particles())
	fresh := learner(t, small, 3, nil)
	for range 20 {
		next.Step()
		fresh.Step()
	}
	if again, new := surprise(t, next, 3), surprise(t, fresh, 3); again > new-0.3 {
		t.Errorf("surprise %v after a task like it, %v without", again, new)
	}
}

func TestLearningDependsOnTheStreamAlone(t *testing.T) {
	a, b := learner(t, small, 10, nil), learner(t, small, 10, nil)
	for range 5 {
		a.Step()
		b.Step()
	}
	for v, theta := range a.Particles() {
		if !slices.Equal(theta, b.Particles()[v]) {
			t.Error("equal streams, different particles")
		}
	}
}

// Numbers of a particle that are given stay, and others keep to their bounds.
func TestHyperparametersKeepToTheirBounds(t *testing.T) {
	s := small
	s.Noise, s.Rate = 0.01, 50
	l := learner(t, s, 10, nil)
	for range 4 {
		l.Step()
	}
	priors, err := l.Priors()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range priors {
		values := p.Kernel.Values()
		if math.Abs(p.Noise-0.01) > 1e-15 || values[1] < 0.0099 || values[1] > 1001 || values[0] < 0.0099 || values[0] > 101 || values[2] < 0.99e-4 || values[2] > 10.1 {
			t.Errorf("radius, outputscale, decay %v, noise %v", values, p.Noise)
		}
	}
}

func TestSettingsNameFieldValueAndRange(t *testing.T) {
	for want, s := range map[string]Settings{
		"Settings.Particles = -1: want 1 ≤ Particles ≤ 1000": {Particles: -1},
		"Settings.Layers = [3 0]: want at least one":         {Layers: []int{3, 0}},
		"Settings.Noise = -1":                                {Noise: -1},
		"Settings.Rate = NaN":                                {Rate: math.NaN()},
		"Settings.Bandwidth = -2":                            {Bandwidth: -2},
	} {
		if _, err := NewLearner(s, []space.Unit{{0}}, []float64{0}, nil, nil, rng.New(1, rng.Test, 1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := NewLearner(small, []space.Unit{{0, 0}}, []float64{math.Inf(1)}, nil, nil, rng.New(1, rng.Test, 1)); err == nil {
		t.Error("an infinite target was taken")
	}
}

// BenchmarkStep is a step of ten particles of three layers on some values.
func BenchmarkStep(b *testing.B) {
	for _, width := range []int{16, 64} {
		for _, n := range []int{50, 200} {
			l := learner(b, Settings{Axis: small.Axis, Layers: []int{width, width, width}}, n, nil)
			b.Run(fmt.Sprintf("width=%d,n=%d", width, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					l.Step()
				}
			})
		}
	}
}

// BenchmarkPosteriors is what ten particles cost a suggestion after two hundred values: their posteriors from scratch, a row more, and
// predictions at sixteen points.
func BenchmarkPosteriors(b *testing.B) {
	l := learner(b, Settings{Axis: small.Axis}, 200, nil)
	l.Step()
	priors, err := l.Priors()
	if err != nil {
		b.Fatal(err)
	}
	x, y := data(216)
	condition := func() (posts []*surrogate.Posterior) {
		for _, p := range priors {
			post, err := p.Condition(x[:200], y[:200], nil)
			if err != nil {
				b.Fatal(err)
			}
			posts = append(posts, post)
		}
		return posts
	}
	posts := condition()
	mean, variance := make([]float64, 16), make([]float64, 16)
	for _, o := range []struct {
		name string
		do   func()
	}{
		{"priors", func() { l.Priors() }},
		{"condition", func() { condition() }},
		{"append", func() {
			for _, post := range posts {
				post.Append(x[200], y[200])
			}
		}},
		{"predict16", func() {
			for _, post := range posts {
				surrogate.NewPredictor(post, 16).Predict(x[200:], mean, variance)
			}
		}},
	} {
		b.Run(o.name, func(b *testing.B) {
			for b.Loop() {
				o.do()
			}
		})
	}
}
