package model

import (
	"fmt"

	"github.com/tarry-bo/tarry/internal/particles"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/surrogate"
)

// Members are kernels of one output whose parameters are particles: like draws from what is believed of them, which fits move. A policy
// that wants them sees a posterior under each (Want.Member). A task after others begins with their particles, and they are its prior, which a fit leaves where it misleads
// (particles.Learn).
type Members struct {
	Count  int   // of particles, at least 1
	Layers []int // of the network whose weights are the parameters, with three hyperparameters of its kernel; nil: the hyperparameters of Spec.Prior's kernel
	// Learned are the particles of the task before, Count of them; nil: there was none. See Len.
	Learned [][]float64
}

const (
	fitSteps    = 50  // of the particles, in a fit
	lessonSteps = 400 // at the end of a task
)

// withMembers returns the output with what its particles are.
func (s Spec) withMembers(c Config) Spec {
	if s.Members == nil {
		return s
	}
	p := particles.Settings{Particles: s.Members.Count, Layers: s.Members.Layers, Axis: s.Fidelity}
	if p.Layers == nil {
		p.Kernel, p.Options = s.Prior.Kernel, fitOptions(c.Space, s.Fidelity)
	}
	if s.Members.Learned != nil {
		p.Prior = particles.NewMixture(s.Members.Learned)
	}
	s.particles = &p
	return s
}

// first is what is believed before any fit.
func (s Spec) first(c Config) learned {
	if s.Members == nil {
		return s.firstOfMeta()
	}
	start := s.Members.Learned
	if start == nil {
		start = s.particles.Start(c.Space.Dim(), rng.New(c.Seed, rng.Particles, 0))
	}
	l, err := s.members(start)
	if err != nil {
		panic("model: particles of another kernel: " + err.Error())
	}
	return l
}

// CheckMembers says what is wrong with the particles of earlier tasks.
func (s Spec) CheckMembers(c Config) error {
	if s.Members == nil || s.Members.Learned == nil {
		return nil
	}
	_, err := s.over().withMembers(c).members(s.Members.Learned)
	return err
}

// Summary is what particles believe; see particles.Summarize.
type Summary = particles.Summary

// Summarize returns what the particles of earlier tasks believe, which must be sound (CheckMembers).
func (s Spec) Summarize(c Config) (Summary, error) {
	l, err := s.over().withMembers(c).members(s.Members.Learned)
	if err != nil {
		return Summary{}, err
	}
	return particles.Summarize(l.members, s.Prior.Kernel.Dim(), s.Fidelity), nil
}

// members are the particles with their kernels. An error says that they are none of the output's.
func (s Spec) members(theta [][]float64) (learned, error) {
	dim := s.Prior.Kernel.Dim()
	l := learned{particles: theta, members: make([]surrogate.Prior, len(theta))}
	if len(theta) != s.Members.Count {
		return learned{}, fmt.Errorf("%d particles, want %d", len(theta), s.Members.Count)
	}
	for v, p := range theta {
		if want := s.particles.Len(dim); len(p) != want || !outcome.Finite(p...) {
			return learned{}, fmt.Errorf("particle %d: %d numbers, want %d finite ones", v+1, len(p), want)
		}
		prior, err := s.particles.PriorOf(dim, p)
		if err != nil {
			return learned{}, fmt.Errorf("particle %d: %w", v+1, err)
		}
		l.members[v] = prior
	}
	l.prior = l.members[0]
	return l, nil
}

// prior is what the belief's posterior begins with.
func (m sight) prior() surrogate.Prior {
	if k := m.want.Member; k > 0 && m.spec.Members != nil { // otherwise all are one
		return m.learned.members[k]
	}
	return m.learned.prior
}

// swarm moves the particles. What it reports of hyperparameters is the best one's, and the mean of the log posteriors.
func (f Fit) swarm() (Hyper, surrogate.FitReport, error) {
	l, err := particles.Learn(*f.Members, f.X, f.Y, f.Known, f.Particles, f.Steps, rng.New(f.Seed, rng.Particles, uint64(f.ID)))
	if err != nil {
		return Hyper{}, surrogate.FitReport{}, err
	}
	h := Hyper{Particles: l.Particles(), LogEvidence: l.LogPosterior()}
	best, err := f.Members.PriorOf(len(f.X[0]), h.Particles[0])
	if err != nil {
		return Hyper{}, surrogate.FitReport{}, err
	}
	h.Kernel, h.Noise = best.Kernel.Values(), best.Noise
	return h, surrogate.FitReport{LogEvidence: h.LogEvidence, Evaluations: l.Evaluations()}, nil
}

// Lesson returns the work of learning the particles of an output from all answers, as a task that has ended leaves them to the next one;
// false where it has none, or nothing was answered. The study stays as it is.
func (m *Model) Lesson(of Output) (Fit, bool) {
	o := &m.outputs[of]
	k := m.firstOf(of)
	if o.spec.Members == nil || m.config.Blind || k < 0 || o.buffer.Count(m.beliefs[k].want.Pending) == 0 {
		return Fit{}, false
	}
	f := m.of(k).fit()
	f.Steps = lessonSteps
	return f, true
}

// Particles returns the particles of an output, the best first, as of the latest fit; nil where it has none. Read only.
func (m *Model) Particles(of Output) [][]float64 { return m.outputs[of].latest().particles }
