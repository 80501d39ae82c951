package particles

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Learner moves particles, the weights of a network with the hyperparameters of its kernel or the hyperparameters of any kernel, towards draws from their
// posterior given some data, one step after the other. It is for one goroutine. Memory for n points and V particles: that of surrogate.FeatureEvidence or
// surrogate.KernelEvidence, and 40V bytes for each number of a particle.
type Learner struct {
	settings  Settings
	dim       int
	evidence  evidence
	swarm     *Swarm
	prior     Prior
	hypers    []surrogate.Logarithm
	adam      *Adam
	steps     int
	failures  int
	looks     int // at the evidence of a particle
	logPoster []float64
}

// evidence is the log density of the data given a particle.
type evidence interface {
	Len() int
	At(theta, grad []float64) (float64, error)
}

// NewLearner returns a learner of the standardized targets y at the points x (n×d, at least one) that begins at what Settings.Start returns by
// stream, or at copies of the given particles. Target i has noise of the variance λ + known[i]; nil means that nothing is known. Settings out of range,
// numbers that are not finite and variances below 0 are errors (check.FieldError); particles of a wrong number or length are bugs and panic.
func NewLearner(s Settings, x []space.Unit, y, known []float64, start [][]float64, stream *rand.Rand) (*Learner, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	s = s.withDefaults()
	dim := len(x[0])
	evidence, err := s.evidence(x, y, known)
	if err != nil {
		return nil, err
	}
	if start == nil {
		start = s.Start(dim, stream)
	}
	if len(start) != s.Particles || len(start[0]) != evidence.Len() {
		panic("particles: particles of a wrong number or length")
	}
	l := &Learner{
		settings: s, dim: dim, evidence: evidence, prior: s.Prior, hypers: s.hypers(), logPoster: make([]float64, s.Particles),
	}
	if l.prior == nil {
		l.prior = s.FirstPrior(dim)
	}
	memory := SecondMoment
	if s.Kernel != nil {
		memory = kernelSecondMoment
	}
	l.adam = NewAdam(s.Particles, evidence.Len(), memory)
	l.put(start)
	return l, nil
}

// kernelSecondMoment is the memory of squares for particles of a kernel: the first draws may be so unlikely that their gradients are thousands of times
// those near the mode. With 0.999 these held back most particles for more than 300 steps; with 0.9 all of them arrived.
const kernelSecondMoment = 0.9

// Step moves all particles once: the direction of Swarm.Direction for the log evidence plus the log prior, each number in steps of Adam, whose rate
// the step has. A particle whose evidence cannot be computed follows the prior alone, which Failures counts. Cost V times that of
// FeatureEvidence.At or KernelEvidence.At, and O(V²D).
func (l *Learner) Step() {
	for v := range l.swarm.Len() {
		l.logPoster[v] = l.logPosterior(l.swarm.Particle(v), l.swarm.Score(v))
	}
	l.steps++
	l.adam.Move(l.swarm, l.swarm.Direction(l.settings.Bandwidth), l.settings.Rate)
	for v := range l.swarm.Len() {
		bound(l.swarm.Particle(v), l.hypers)
	}
}

// logPosterior returns log evidence plus log prior of a particle and fills grad with the derivatives by what is not fixed.
func (l *Learner) logPosterior(theta, grad []float64) float64 {
	l.looks++
	value, err := l.evidence.At(theta, grad)
	if size := floats.Norm(grad, 1); err != nil || !finite(value) || !finite(size) {
		clear(grad)
		value = math.Inf(-1)
		l.failures++
	}
	value += l.prior.LogDensity(theta, grad)
	tail := grad[len(grad)-len(l.hypers):]
	for i, h := range l.hypers {
		if h.Fixed {
			tail[i] = 0
		}
	}
	return value
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func (l *Learner) move(steps int) {
	for range steps {
		l.Step()
	}
}

// Steps returns how many steps were made.
func (l *Learner) Steps() int { return l.steps }

// Failures returns how often the evidence of a particle could not be computed.
func (l *Learner) Failures() int { return l.failures }

// LogPosterior returns the mean over the particles of log evidence plus log prior, as of before the last step: what to watch. It is -Inf where the
// evidence of one could not be computed.
func (l *Learner) LogPosterior() float64 {
	var sum float64
	for _, v := range l.logPoster {
		sum += v / float64(len(l.logPoster))
	}
	return sum
}

// Evaluations returns how often the evidence of a particle was computed, or could not be.
func (l *Learner) Evaluations() int { return l.looks }

// Particles returns copies of the particles, as the start of another learner or as the mixture that is its prior: those of the greatest log posterior first, as
// of before the last step, and of equals the first.
func (l *Learner) Particles() [][]float64 {
	all := likeliest(l.now(), l.logPoster)
	for i, theta := range all {
		all[i] = slices.Clone(theta)
	}
	return all
}

// now are the particles, which hold until the next step.
func (l *Learner) now() [][]float64 {
	all := make([][]float64, l.swarm.Len())
	for v := range all {
		all[v] = l.swarm.Particle(v)
	}
	return all
}

// likeliest returns particles (not copied) in the order of their log posteriors, the greatest first and of equals the first.
func likeliest(particles [][]float64, logPosteriors []float64) [][]float64 {
	order := make([]int, len(particles))
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(logPosteriors[b], logPosteriors[a]) })
	all := make([][]float64, len(order))
	for i, v := range order {
		all[i] = particles[v]
	}
	return all
}

// Priors returns the prior of each particle, in the order of Particles: its kernel and its noise, with mean zero. An error says that a particle is no kernel
// any more.
func (l *Learner) Priors() ([]surrogate.Prior, error) {
	var all []surrogate.Prior
	for _, theta := range l.Particles() {
		prior, err := l.settings.PriorOf(l.dim, theta)
		if err != nil {
			return nil, err
		}
		all = append(all, prior)
	}
	return all, nil
}
