package bandit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/space"
)

// Settings are how Learn goes about it. Zero stands for the default throughout.
type Settings struct {
	Layers []int   // of the network; nil: 12, 12
	Plays  int     // of each episode; 0: 10
	Steps  int     // of the optimizer; 0: 400
	Batch  int     // tasks of a step; 0: 10
	Rate   float64 // of the steps; 0: 0.03
	Noise  float64 // standard deviation of that of rewards
}

func (s Settings) withDefaults() Settings {
	if s.Layers == nil {
		s.Layers = []int{12, 12}
	}
	for _, d := range []struct {
		field    *int
		standard int
	}{{&s.Plays, 10}, {&s.Steps, 400}, {&s.Batch, 10}} {
		if *d.field == 0 {
			*d.field = d.standard
		}
	}
	if s.Rate == 0 {
		s.Rate = 0.03
	}
	return s
}

// Validate reports every violation.
func (s Settings) Validate() error {
	var l check.List
	l.Require(s.Layers == nil || len(s.Layers) > 0 && len(s.Layers) <= 10 && slices.Min(s.Layers) >= 1 && slices.Max(s.Layers) <= mostNeurons,
		"Settings.Layers", s.Layers, fmt.Sprintf("at most 10 layers of 1 to %d neurons", mostNeurons))
	l.Between("Settings.Plays", s.Plays, 0, 10_000)
	l.Between("Settings.Steps", s.Steps, 0, 1_000_000)
	l.Between("Settings.Batch", s.Batch, 0, 10_000)
	l.Require(s.Rate >= 0 && s.Rate <= 1, "Settings.Rate", s.Rate, "0 ≤ Rate ≤ 1")
	l.NotNegative("Settings.Noise", s.Noise)
	return l.Err()
}

// Tasks are earlier tasks over one space: of each the rewards of all arms, from 0 to 1.
type Tasks struct {
	Space  space.Space
	Arms   []space.Unit // unit coordinates
	Values [][]float64  // by task and arm
}

// Validate returns what is wrong with the tasks, or nil.
func (t Tasks) Validate() error {
	if t.Space.Dim() == 0 || len(t.Arms) < 2 || len(t.Values) == 0 {
		return fmt.Errorf("a space of dimension %d, %d arms and %d tasks, want at least 1, 2 and 1", t.Space.Dim(), len(t.Arms), len(t.Values))
	}
	for i, x := range t.Arms {
		if err := t.Space.ContainsUnit(x); err != nil {
			return fmt.Errorf("arm %d: %w", i+1, err)
		}
	}
	for i, values := range t.Values {
		if len(values) != len(t.Arms) || slices.ContainsFunc(values, func(v float64) bool { return !(v >= 0 && v <= 1) }) {
			return fmt.Errorf("task %d has %d values, want %d from 0 to 1", i+1, len(values), len(t.Arms))
		}
	}
	return nil
}

// Learn returns what the tasks teach: the share of exploration, η and the kernel with which a bandit earns most over its first plays, on
// the mean over the tasks (Zhang 2024, sec. 4.3, with exact derivatives, since all values are known). A step draws some tasks and plays
// an episode of each by what was learned so far; the gain is the mean over its plays of what the next one is expected to earn, and it is
// climbed by Adam (Kingma & Ba 2015). All chances come from the stream. An error names what is wrong with the tasks or the settings. Cost
// about 5 ms for a step with the defaults, two parameters and a thousand arms.
func Learn(t Tasks, s Settings, stream *rand.Rand) (Knowledge, error) {
	shape, err := t.prepare(&s)
	if err != nil {
		return Knowledge{}, err
	}
	return learned(t, shape, t.climb(shape, s, stream)), nil
}

// climb returns the parameters that all tasks have learned together.
func (t Tasks) climb(shape network.Shape, s Settings, stream *rand.Rand) []float64 {
	theta := initial(shape, stream)
	e, climb := newEpisode(newArms(shape, t.Arms), s.Plays), newAdam(len(theta), s.Rate)
	grad := make([]float64, len(theta))
	for range s.Steps {
		clear(grad)
		p := decoded(theta, len(t.Arms))
		e.arms.load(p.weights, p.scale)
		for range s.Batch {
			values := t.Values[stream.IntN(len(t.Values))]
			e.play(p, values, s.Noise, stream)
			e.learn(p, theta, values, 1/float64(s.Batch), grad)
		}
		e.finish(grad)
		climb.step(theta, grad)
	}
	return theta
}

// prepare validates tasks and settings and fills in the defaults.
func (t Tasks) prepare(s *Settings) (network.Shape, error) {
	var l check.List
	l.Join(s.Validate())
	if err := l.Err(); err != nil {
		return network.Shape{}, err
	}
	*s = s.withDefaults()
	return network.Shape{Inputs: t.Space.Dim(), Layers: s.Layers}, t.Validate()
}

// learned is what a vector of parameters says.
func learned(t Tasks, shape network.Shape, theta []float64) Knowledge {
	p := decoded(theta, len(t.Arms))
	return Knowledge{Space: t.Space, Explore: p.explore, Eta: p.eta, Scale: p.scale, Layers: shape.Layers, Weights: slices.Clone(p.weights), Tasks: len(t.Values)}
}

// adam climbs by Adam.
type adam struct {
	rate         float64
	count        int
	mean, square []float64
}

func newAdam(n int, rate float64) *adam {
	return &adam{rate: rate, mean: make([]float64, n), square: make([]float64, n)}
}

// step moves theta up along grad, the gradient, which is cut off at a length of 1.
func (a *adam) step(theta, grad []float64) {
	const keep, keepSquare, least, longest = 0.9, 0.999, 1e-8, 1.0
	if n := floats.Norm(grad, 2); n > longest {
		floats.Scale(longest/n, grad)
	}
	a.count++
	for i, g := range grad {
		a.mean[i] = keep*a.mean[i] + (1-keep)*g
		a.square[i] = keepSquare*a.square[i] + (1-keepSquare)*g*g
		m := a.mean[i] / (1 - math.Pow(keep, float64(a.count)))
		v := a.square[i] / (1 - math.Pow(keepSquare, float64(a.count)))
		theta[i] += a.rate * m / (math.Sqrt(v) + least)
	}
}
