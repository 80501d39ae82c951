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
	Kernel    surrogate.Kernel        // whose hyperparameters are the particles, over all coordinates or those beside Axis; nil: those of a network, and its weights
	Options   surrogate.FitOptions    // what is believed of the hyperparameters of Kernel: hyperpriors, bounds and FreeOutputscale; the rest is not looked at
	Layers    []int                   // of the network; nil means three of 64
	Axis      *surrogate.FidelityAxis // the coordinate that is a fidelity; nil: none is
	Noise     float64                 // variance of the noise of standardized targets; zero means that it is learned
	Rate      float64                 // how far a number goes in a step, at most; zero means 0.03
	Bandwidth float64                 // h of Swarm.Direction; zero means that of the median distance
	Prior     Prior                   // of the particles, as from NewMixture for a task after another, which Learn may leave; nil means FirstPrior
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
	if s.Kernel != nil && s.Axis != nil {
		s.Kernel = s.Axis.Over(s.Kernel)
	}
	return s
}

// Validate reports every field out of range, as check.FieldError. Zeros are in range.
func (s Settings) Validate() error {
	s = s.withDefaults()
	var l check.List
	l.Between("Settings.Particles", s.Particles, 1, 1000)
	l.Require(network.Shape{Inputs: 1, Layers: s.Layers}.Valid(), "Settings.Layers", s.Layers, "at least one, of at least 1 each")
	if s.Kernel != nil {
		l.Join(s.Kernel.Validate())
		l.Join(s.Options.Validate())
	}
	l.NotNegative("Settings.Noise", s.Noise)
	l.Positive("Settings.Rate", s.Rate)
	l.NotNegative("Settings.Bandwidth", s.Bandwidth)
	return l.Err()
}

// hypers are what is believed of the numbers of a particle behind the weights: those of the kernel, or of a network's radius, outputscale and decay over a
// fidelity, and of the noise, in the order of FeatureEvidence and KernelEvidence.
func (s Settings) hypers() []surrogate.Logarithm {
	var all []surrogate.Logarithm
	if s.Kernel != nil {
		all = s.Options.Logarithms(s.Kernel)
	} else {
		decay := surrogate.DecayPrior()
		all = []surrogate.Logarithm{
			{Mean: 0, Deviation: 0.5, Low: math.Log(1e-2), High: math.Log(1e2)},
			{Mean: 0, Deviation: 1.5, Low: math.Log(1e-2), High: math.Log(1e3)},
			{Mean: math.Log(decay.Mode()), Deviation: decay.Sigma, Low: math.Log(1e-4), High: math.Log(10)},
			{Mean: -6, Deviation: 2, Low: math.Log(1e-6), High: math.Log(10)},
		}
		if s.Axis == nil {
			all = append(all[:2], all[3])
		}
	}
	if s.Noise > 0 {
		all[len(all)-1] = surrogate.Logarithm{Mean: math.Log(s.Noise), Fixed: true}
	}
	return all
}

// weights returns how many of the numbers of a particle are weights.
func (s Settings) weights(dim int) int {
	if s.Kernel != nil {
		return 0
	}
	return s.shape(dim).Weights()
}

func (s Settings) shape(dim int) network.Shape {
	if s.Axis != nil {
		dim--
	}
	return network.Shape{Inputs: dim, Layers: s.Layers}
}

// Len returns how many numbers a particle has for points of dim coordinates.
func (s Settings) Len(dim int) int {
	s = s.withDefaults()
	return s.weights(dim) + len(s.hypers())
}

// FirstPrior returns the prior of a particle for points of dim coordinates where there was no task before: weights have the variance ½, and the
// logarithms of the hyperparameters are normal too, those of a kernel as surrogate.FitOptions.Logarithms says.
func (s Settings) FirstPrior(dim int) Normal {
	s = s.withDefaults()
	weights := s.weights(dim)
	mean, variance := make([]float64, weights), make([]float64, weights)
	for i := range variance {
		variance[i] = weightVariance
	}
	for _, h := range s.hypers() {
		if h.Fixed {
			h.Deviation = leastBandwidth // as in a mixture of particles that all have it
		}
		mean, variance = append(mean, h.Mean), append(variance, h.Deviation*h.Deviation)
	}
	return NewNormal(mean, variance)
}

// Start returns draws of as many particles from FirstPrior, put within the bounds.
func (s Settings) Start(dim int, stream *rand.Rand) [][]float64 {
	s = s.withDefaults()
	all, hypers := s.FirstPrior(dim).draw(s.Particles, stream), s.hypers()
	for _, theta := range all {
		bound(theta, hypers)
	}
	return all
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
func bound(theta []float64, hypers []surrogate.Logarithm) {
	tail := theta[len(theta)-len(hypers):]
	for i, h := range hypers {
		if h.Fixed {
			tail[i] = h.Mean
		} else {
			tail[i] = min(max(tail[i], h.Low), h.High)
		}
	}
}

// PriorOf returns the prior that a particle stands for, for points of dim coordinates: its kernel and its noise, with the mean zero. Numbers that are not finite
// or out of range are errors (check.FieldError). A particle of a wrong length is a bug and panics.
func (s Settings) PriorOf(dim int, theta []float64) (surrogate.Prior, error) {
	s = s.withDefaults()
	if s.Kernel != nil {
		return surrogate.PriorOf(s.Kernel, theta)
	}
	weights := s.weights(dim)
	kernel, err := surrogate.NewFeatures(s.shape(dim), theta[:weights], s.Axis)
	if err != nil {
		return surrogate.Prior{}, err
	}
	return surrogate.PriorOf(kernel, theta[weights:])
}

// evidence returns that of the data. s has its defaults.
func (s Settings) evidence(x []space.Unit, y, known []float64) (evidence, error) {
	if s.Kernel != nil {
		return surrogate.NewKernelEvidence(s.Kernel, x, y, known)
	}
	dim := len(x[0])
	kernel, err := surrogate.NewFeatures(s.shape(dim), make([]float64, s.weights(dim)), s.Axis)
	if err != nil {
		return nil, err
	}
	return surrogate.NewFeatureEvidence(kernel, x, y, known)
}
