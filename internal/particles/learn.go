package particles

import (
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Settings say what is learned. The zero value of each field means its default.
type Settings struct {
	Particles int                     // zero means 10
	Layers    []int                   // of the network; nil means three of 64
	Axis      *surrogate.FidelityAxis // the coordinate that is a fidelity; nil: none is
	Noise     float64                 // variance of the noise of standardized targets; zero means that it is learned
	Rate      float64                 // how far a number goes in a step, at most; zero means 0.03
	Bandwidth float64                 // h of Swarm.Direction; zero means that of the median distance
	Prior     Prior                   // of the particles, as from NewMixture for a task after another; nil means FirstPrior
}

const (
	defaultParticles = 10
	defaultRate      = 0.03
	weightVariance   = 0.5
)

func (s Settings) withDefaults() Settings {
	if s.Particles == 0 {
		s.Particles = defaultParticles
	}
	if s.Layers == nil {
		s.Layers = []int{64, 64, 64}
	}
	if s.Rate == 0 {
		s.Rate = defaultRate
	}
	return s
}

// Validate reports every field out of range, as check.FieldError. Zeros are in range.
func (s Settings) Validate() error {
	s = s.withDefaults()
	var l check.List
	l.Between("Settings.Particles", s.Particles, 1, 1000)
	l.Require(network.Shape{Inputs: 1, Layers: s.Layers}.Valid(), "Settings.Layers", s.Layers, "at least one, of at least 1 each")
	l.NotNegative("Settings.Noise", s.Noise)
	l.Positive("Settings.Rate", s.Rate)
	l.NotNegative("Settings.Bandwidth", s.Bandwidth)
	return l.Err()
}

// hyper is a number of a particle behind the weights: the logarithm of a hyperparameter, normal with that mean and deviation, within bounds.
type hyper struct {
	mean, deviation, low, high float64
	fixed                      bool
}

// hypers are radius, outputscale, decay over a fidelity, and noise, in the order of FeatureEvidence.
func (s Settings) hypers() []hyper {
	decay := surrogate.DecayPrior()
	all := []hyper{
		{mean: 0, deviation: 0.5, low: math.Log(1e-2), high: math.Log(1e2)},
		{mean: 0, deviation: 1.5, low: math.Log(1e-2), high: math.Log(1e3)},
		{mean: math.Log(decay.Mode()), deviation: decay.Sigma, low: math.Log(1e-4), high: math.Log(10)},
		{mean: -6, deviation: 2, low: math.Log(1e-6), high: math.Log(10)},
	}
	if s.Noise > 0 {
		all[3] = hyper{mean: math.Log(s.Noise), fixed: true}
	}
	if s.Axis == nil {
		all = append(all[:2], all[3])
	}
	return all
}

// FirstPrior returns the prior of a particle for points of so many coordinates where there was no task before: weights have the variance ½, and
// the logarithms of the hyperparameters are normal too.
func (s Settings) FirstPrior(dim int) Normal {
	s = s.withDefaults()
	weights := s.shape(dim).Weights()
	mean, variance := make([]float64, weights), make([]float64, weights)
	for i := range variance {
		variance[i] = weightVariance
	}
	for _, h := range s.hypers() {
		if h.fixed {
			h.deviation = 1 // of what is never looked at
		}
		mean, variance = append(mean, h.mean), append(variance, h.deviation*h.deviation)
	}
	return NewNormal(mean, variance)
}

func (s Settings) shape(dim int) network.Shape {
	if s.Axis != nil {
		dim--
	}
	return network.Shape{Inputs: dim, Layers: s.Layers}
}

// Learner moves the particles of a network's weights and of the kernel's hyperparameters towards draws from their posterior given some data, one
// step after the other. It is for one goroutine. Memory for n points and V particles: that of surrogate.FeatureEvidence and 40V bytes for each weight.
type Learner struct {
	settings  Settings
	kernel    surrogate.Features
	evidence  *surrogate.FeatureEvidence
	swarm     *Swarm
	prior     Prior
	hypers    []hyper
	moments   [2][]float64 // of the directions: means, and means of the squares
	steps     int
	failures  int
	logPoster []float64
}

// NewLearner returns a learner of the standardized targets y at the points x (n×d, at least one) that begins at draws from FirstPrior by
// stream, or at copies of the given particles. Settings out of range and numbers that are not finite are errors (check.FieldError); particles of a
// wrong number or length are bugs and panic.
func NewLearner(s Settings, x []space.Unit, y []float64, start [][]float64, stream *rand.Rand) (*Learner, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	s = s.withDefaults()
	dim := len(x[0])
	shape := s.shape(dim)
	kernel, err := surrogate.NewFeatures(shape, make([]float64, shape.Weights()), s.Axis)
	if err != nil {
		return nil, err
	}
	evidence, err := surrogate.NewFeatureEvidence(kernel, x, y)
	if err != nil {
		return nil, err
	}
	first := s.FirstPrior(dim)
	if start == nil {
		start = first.draw(s.Particles, stream)
	}
	if len(start) != s.Particles || len(start[0]) != evidence.Len() {
		panic("particles: particles of a wrong number or length")
	}
	l := &Learner{
		settings: s, kernel: kernel, evidence: evidence, swarm: NewSwarm(start), prior: s.Prior, hypers: s.hypers(), logPoster: make([]float64, s.Particles),
	}
	if l.prior == nil {
		l.prior = first
	}
	for i := range l.moments {
		l.moments[i] = make([]float64, s.Particles*evidence.Len())
	}
	for v := range l.swarm.Len() {
		l.bound(l.swarm.Particle(v))
	}
	return l, nil
}

// draw returns so many draws.
func (p Normal) draw(count int, stream *rand.Rand) [][]float64 {
	all := make([][]float64, count)
	for v := range all {
		for i, mean := range p.mean {
			all[v] = append(all[v], mean+math.Sqrt(p.variance[i])*stream.NormFloat64())
		}
	}
	return all
}

// bound keeps the hyperparameters of a particle within their bounds.
func (l *Learner) bound(theta []float64) {
	tail := theta[len(theta)-len(l.hypers):]
	for i, h := range l.hypers {
		if h.fixed {
			tail[i] = h.mean
		} else {
			tail[i] = min(max(tail[i], h.low), h.high)
		}
	}
}

// Adam's constants (Kingma & Ba 2015).
const firstMoment, secondMoment, leastRoot = 0.9, 0.999, 1e-8

// Step moves all particles once: the direction of Swarm.Direction for the log evidence plus the log prior, each number in steps of Adam, whose rate
// the step has. A particle whose evidence cannot be computed follows the prior alone, which Failures counts. Cost V times that of
// FeatureEvidence.At, and O(V²D).
func (l *Learner) Step() {
	for v := range l.swarm.Len() {
		theta, score := l.swarm.Particle(v), l.swarm.Score(v)
		value, err := l.evidence.At(theta, score)
		if err != nil {
			clear(score)
			l.failures++
		}
		l.logPoster[v] = value + l.prior.LogDensity(theta, score)
		tail := score[len(score)-len(l.hypers):]
		for i, h := range l.hypers {
			if h.fixed {
				tail[i] = 0
			}
		}
	}
	l.steps++
	l.adam(l.swarm.Direction(l.settings.Bandwidth))
}

// adam moves the particles along the directions.
func (l *Learner) adam(directions [][]float64) {
	first, second := 1-math.Pow(firstMoment, float64(l.steps)), 1-math.Pow(secondMoment, float64(l.steps))
	rate, root := l.settings.Rate/first, 1/math.Sqrt(second)
	for v, direction := range directions {
		theta, d := l.swarm.Particle(v), len(direction)
		m, s := l.moments[0][v*d:(v+1)*d], l.moments[1][v*d:(v+1)*d]
		for i, g := range direction {
			m[i] = firstMoment*m[i] + (1-firstMoment)*g
			s[i] = secondMoment*s[i] + (1-secondMoment)*g*g
			theta[i] += rate * m[i] / (math.Sqrt(s[i])*root + leastRoot)
		}
		l.bound(theta)
	}
}

// Steps returns how many steps were made.
func (l *Learner) Steps() int { return l.steps }

// Failures returns how often the evidence of a particle could not be computed.
func (l *Learner) Failures() int { return l.failures }

// LogPosterior returns the mean over the particles of log evidence plus log prior, as of before the last step: what to watch.
func (l *Learner) LogPosterior() float64 {
	var sum float64
	for _, v := range l.logPoster {
		sum += v / float64(len(l.logPoster))
	}
	return sum
}

// Particles returns copies of the particles: the start of another learner, or the mixture that is its prior.
func (l *Learner) Particles() [][]float64 {
	all := make([][]float64, l.swarm.Len())
	for v := range all {
		all[v] = append(all[v], l.swarm.Particle(v)...)
	}
	return all
}

// Priors returns the prior of each particle: its kernel and its noise, with mean zero. An error says that a particle is no kernel any more.
func (l *Learner) Priors() ([]surrogate.Prior, error) {
	all := make([]surrogate.Prior, l.swarm.Len())
	for v := range all {
		prior, err := l.kernel.PriorOf(l.swarm.Particle(v))
		if err != nil {
			return nil, err
		}
		all[v] = prior
	}
	return all, nil
}
