package particles

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Settings say what is learned. The zero value of each field means its default.
type Settings struct {
	Particles int                     // zero means 10
	Kernel    surrogate.Kernel        // whose hyperparameters are learned; nil: a network's weights, and the hyperparameters of its kernel
	Options   surrogate.FitOptions    // what is believed of the hyperparameters of Kernel
	Layers    []int                   // of the network; nil means three of 64
	Axis      *surrogate.FidelityAxis // the coordinate that is a fidelity, which the network does not see; nil: none is
	Noise     float64                 // variance of the noise of standardized targets; zero means that it is learned
	Rate      float64                 // how far a number goes in a step, at most; zero means 0.03
	Bandwidth float64                 // h of Swarm.Direction; zero means that of the median distance
	Prior     Prior                   // of the particles, as from NewMixture for a task after another; nil means FirstPrior
}

const (
	defaultParticles = 10
	defaultRate      = 0.03
	weightVariance   = 0.5
	someNoise        = 1e-3 // of a kernel before anything is known of it
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
	l.Join(s.Options.Validate())
	return l.Err()
}

// beliefs are what is believed of each number of a particle where there was no task before.
func (s Settings) beliefs(dim int) []surrogate.LogBelief {
	var all []surrogate.LogBelief
	if s.Kernel != nil {
		all = s.Options.LogBeliefs(s.Kernel, someNoise)
	} else {
		weight := surrogate.LogBelief{Deviation: math.Sqrt(weightVariance), Low: math.Inf(-1), High: math.Inf(1)}
		all = append(slices.Repeat([]surrogate.LogBelief{weight}, s.shape(dim).Weights()), s.hypers()...)
	}
	if s.Noise > 0 {
		all[len(all)-1] = surrogate.LogBelief{Mean: math.Log(s.Noise), Deviation: 1, Fixed: true} // the deviation of what is never looked at
	}
	return all
}

// hypers are radius, outputscale, decay over a fidelity, and noise of a network's kernel, in the order of FeatureEvidence.
func (s Settings) hypers() []surrogate.LogBelief {
	decay := surrogate.DecayPrior()
	all := []surrogate.LogBelief{
		{Mean: 0, Deviation: 0.5, Low: math.Log(1e-2), High: math.Log(1e2)},
		{Mean: 0, Deviation: 1.5, Low: math.Log(1e-2), High: math.Log(1e3)},
		{Mean: math.Log(decay.Mode()), Deviation: decay.Sigma, Low: math.Log(1e-4), High: math.Log(10)},
		{Mean: -6, Deviation: 2, Low: math.Log(1e-6), High: math.Log(10)},
	}
	if s.Axis == nil {
		all = append(all[:2], all[3])
	}
	return all
}

func (s Settings) shape(dim int) network.Shape {
	if s.Axis != nil {
		dim--
	}
	return network.Shape{Inputs: dim, Layers: s.withDefaults().Layers}
}

// Len returns how many numbers a particle has for points of dim coordinates.
func (s Settings) Len(dim int) int { return len(s.beliefs(dim)) }

// FirstPrior returns the prior of a particle for points of dim coordinates where there was no task before: the logarithms of hyperparameters
// are normal, and so are weights, with the variance ½.
func (s Settings) FirstPrior(dim int) Normal {
	var mean, variance []float64
	for _, b := range s.beliefs(dim) {
		mean, variance = append(mean, b.Mean), append(variance, b.Deviation*b.Deviation)
	}
	return NewNormal(mean, variance)
}

// Start returns draws from FirstPrior, within the bounds of hyperparameters.
func (s Settings) Start(dim int, stream *rand.Rand) [][]float64 {
	s = s.withDefaults()
	beliefs, all := s.beliefs(dim), make([][]float64, s.Particles)
	for v := range all {
		for _, b := range beliefs {
			all[v] = append(all[v], b.Mean+b.Deviation*stream.NormFloat64())
		}
		bound(all[v], beliefs)
	}
	return all
}

// bound keeps numbers within what is believed to be possible.
func bound(theta []float64, beliefs []surrogate.LogBelief) {
	for i, b := range beliefs {
		if b.Fixed {
			theta[i] = b.Mean
		} else {
			theta[i] = min(max(theta[i], b.Low), b.High)
		}
	}
}

// features is the kernel of a network whose weights are zero.
func (s Settings) features(dim int) (surrogate.Features, error) {
	shape := s.shape(dim)
	return surrogate.NewFeatures(shape, make([]float64, shape.Weights()), s.Axis)
}

// PriorOf returns the kernel and the noise that a particle stands for, with mean zero, for points of dim coordinates. An error says that it is
// none. A wrong length is a bug and panics.
func (s Settings) PriorOf(dim int, theta []float64) (surrogate.Prior, error) {
	if s.Kernel != nil {
		return surrogate.PriorAt(s.Kernel, theta)
	}
	k, err := s.features(dim)
	if err != nil {
		return surrogate.Prior{}, err
	}
	return k.PriorOf(theta)
}

// evidence is the log evidence of some data by the numbers of a particle.
type evidence interface {
	Len() int
	At(theta, grad []float64) (float64, error)
}

// Learner moves particles towards draws from their posterior given some data, one step after the other. It is for one goroutine. Memory for n
// points and V particles: that of surrogate.FeatureEvidence or surrogate.KernelEvidence, and 40V bytes for each number of a particle.
type Learner struct {
	settings  Settings
	dim       int
	evidence  evidence
	swarm     *Swarm
	prior     Prior
	beliefs   []surrogate.LogBelief
	moments   [2][]float64 // of the directions: means, and means of the squares
	steps     int
	failures  int
	logPoster []float64
}

// NewLearner returns a learner of the standardized targets y at the points x (n×d, at least one), given what is known of the noise of each (nil
// where nothing is), that begins at copies of the particles. Settings out of range and numbers that are not finite are errors
// (check.FieldError); particles of a wrong number or length are bugs and panic.
func NewLearner(s Settings, x []space.Unit, y, known []float64, start [][]float64) (*Learner, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	s = s.withDefaults()
	dim := len(x[0])
	e, err := s.evidence(x, y, known)
	if err != nil {
		return nil, err
	}
	if len(start) != s.Particles || len(start[0]) != e.Len() {
		panic("particles: particles of a wrong number or length")
	}
	l := &Learner{
		settings: s, dim: dim, evidence: e, swarm: NewSwarm(start), prior: s.Prior, beliefs: s.beliefs(dim), logPoster: make([]float64, s.Particles),
	}
	if l.prior == nil {
		l.prior = s.FirstPrior(dim)
	}
	for i := range l.moments {
		l.moments[i] = make([]float64, s.Particles*e.Len())
	}
	for v := range l.swarm.Len() {
		bound(l.swarm.Particle(v), l.beliefs)
	}
	return l, nil
}

func (s Settings) evidence(x []space.Unit, y, known []float64) (evidence, error) {
	if s.Kernel != nil {
		return surrogate.NewKernelEvidence(s.Kernel, x, y, known)
	}
	k, err := s.features(len(x[0]))
	if err != nil {
		return nil, err
	}
	return surrogate.NewFeatureEvidence(k, x, y, known)
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
			value = math.Inf(-1)
			l.failures++
		}
		l.logPoster[v] = value + l.prior.LogDensity(theta, score)
		for i, b := range l.beliefs {
			if b.Fixed {
				score[i] = 0
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
		bound(theta, l.beliefs)
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

// Particles returns copies of the particles, those first whose log posterior was greatest before the last step: the start of another learner,
// or the mixture that is its prior.
func (l *Learner) Particles() [][]float64 {
	order := make([]int, l.swarm.Len())
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.logPoster[b], l.logPoster[a]) })
	all := make([][]float64, len(order))
	for i, v := range order {
		all[i] = slices.Clone(l.swarm.Particle(v))
	}
	return all
}

// Priors returns the prior of each particle, in the order of Particles, see Settings.PriorOf.
func (l *Learner) Priors() ([]surrogate.Prior, error) {
	all := make([]surrogate.Prior, l.swarm.Len())
	for i, theta := range l.Particles() {
		prior, err := l.settings.PriorOf(l.dim, theta)
		if err != nil {
			return nil, err
		}
		all[i] = prior
	}
	return all, nil
}
