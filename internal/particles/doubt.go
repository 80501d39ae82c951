package particles

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/tarry-bo/tarry/space"
)

// What earlier tasks taught may mislead, and a mixture around ten particles that are nearly equal cannot be left: the tails of narrow normal densities outweigh
// any number of values, and what is between them and FirstPrior keeps particles from going over. The source (Zhang 2024, ch. 5) has no other prior in a task
// after another. Here further particles begin anew under FirstPrior in each fit, and those of the greater evidence are kept, as it is with a prior of many studies. The
// evidence of particles is estimated as if they were draws from the mixture around them,
//
//	Z = 1/V Σ_v p(y | θ_v) p(θ_v) / q(θ_v),  q = NewMixture(θ_1..V),
//
// which for those of the last task is the mean of p(y | θ_v). Particles that begin anew pay in it for the width of FirstPrior, some five to ten nats where what was
// taught is right.
//
// Particles of a network have the mixture as their only prior: in hundreds of numbers ten of them do not say how wide a density is, and Z would say nothing of the values.

const (
	// taughtWorth is how many nats others must be better by, as a model must that replaces a prior of many studies: odds of 7 to 1 for what was taught.
	taughtWorth = 2
	// drawsEach is how many draws from FirstPrior are looked at for each particle that begins anew. A step has a limit, so that particles from where they
	// happen to fall take hundreds of them, and are taken for worse until then.
	drawsEach = 20
)

// Learn returns a learner that has made so many steps from the given particles. Where Prior is a Mixture and the particles are a kernel's, it is one under that or one
// under FirstPrior, of which stream draws where it may begin, whichever has the greater evidence: knowledge that misleads is left, and counts again where it explains
// more values after all. Errors are those of NewLearner. Cost that of the steps, and in that case that of as many again and of 24 more.
func Learn(s Settings, x []space.Unit, y, known []float64, start [][]float64, steps int, stream *rand.Rand) (*Learner, error) {
	l, err := NewLearner(s, x, y, known, start, stream)
	if err != nil {
		return nil, err
	}
	if s.Left(l.dim, l.now()) {
		l.put(s.Prior.(Mixture).Particles)
	}
	l.move(steps)
	if !s.doubts() {
		return l, nil
	}
	s.Prior = nil
	anew, err := NewLearner(s, x, y, known, start, stream)
	if err != nil {
		return nil, err
	}
	anew.begin(stream)
	anew.move(steps)
	if anew.logWorth() > l.logWorth()+taughtWorth {
		l, anew = anew, l
	}
	l.looks += anew.looks
	return l, nil
}

// doubts reports whether there is a prior that may be left.
func (s Settings) doubts() bool {
	_, mixed := s.Prior.(Mixture)
	return mixed && s.Kernel != nil
}

// Left reports whether particles, for points of dim coordinates, have left what was taught: they are rather draws from FirstPrior. It is false where Learn has no choice.
func (s Settings) Left(dim int, all [][]float64) bool {
	if !s.doubts() {
		return false
	}
	first, grad := s.FirstPrior(dim), make([]float64, s.Len(dim))
	var odds float64
	for _, theta := range all {
		odds += first.LogDensity(theta, grad) - s.Prior.LogDensity(theta, grad)
	}
	return odds > 0
}

// begin puts the particles at the likeliest of many draws from the first prior, if those are likelier than where they are.
func (l *Learner) begin(stream *rand.Rand) {
	many := l.settings
	many.Particles *= drawsEach
	draws := many.Start(l.dim, stream)
	best := likeliest(draws, l.logPosteriors(draws))[:l.swarm.Len()]
	if stat.Mean(l.logPosteriors(best), nil) > stat.Mean(l.logPosteriors(l.now()), nil) {
		l.put(best)
	}
}

// put moves the particles there, within the bounds.
func (l *Learner) put(particles [][]float64) {
	l.swarm = NewSwarm(particles)
	for v := range l.swarm.Len() {
		bound(l.swarm.Particle(v), l.hypers)
	}
}

// logWorth is log Z.
func (l *Learner) logWorth() float64 {
	now := l.now()
	logs, around, grad := l.logPosteriors(now), NewMixture(now), make([]float64, len(now[0]))
	for v, theta := range now {
		logs[v] -= around.LogDensity(theta, grad)
	}
	return floats.LogSumExp(logs) - math.Log(float64(len(logs)))
}

// logPosteriors are those of some particles.
func (l *Learner) logPosteriors(all [][]float64) []float64 {
	values := make([]float64, len(all))
	for v, theta := range all {
		values[v] = l.logPosterior(theta, make([]float64, len(theta)))
	}
	return values
}
