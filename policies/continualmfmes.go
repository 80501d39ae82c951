package policies

import "math/rand/v2"

// ContinualMFMES is MFTMES that does not spend on the tasks to come: it begins with what those before have learned and learns itself, but
// chooses for the maximum of its own task alone.
type ContinualMFMES struct {
	Samples   int          // of the maximum under each particle; 0 means 10
	Omega     float64      // power of the cost by which a gain is divided; 0 means 1
	Particles int          // 0 means 10
	Kernel    MemberKernel // whose parameters they are
	Width     int          // neurons in each of the three layers of a network; 0 means 16
	Greedy    float64      // share of the queries at the point that the particles expect most of instead
}

var _ = Register(Entry{
	Name:    "continual-mf-mes",
	Summary: "mf-mes for one task after another: begins with what earlier ones have learned of the kernel",
	Source:  "Zhang, Park & Simeone 2024 (Continual MF-MES); Zhang 2024, ch. 5",
}, ContinualMFMES{Greedy: defaultGreedy})

// selfish is the same as MFTMES.
func (p ContinualMFMES) selfish() MFTMES {
	return MFTMES{Samples: p.Samples, Omega: p.Omega, Particles: p.Particles, Kernel: p.Kernel, Width: p.Width, Greedy: p.Greedy}
}

// Settings are the options.
func (p *ContinualMFMES) Settings() Settings {
	return sharedSettings(&p.Samples, &p.Omega, &p.Particles, &p.Kernel, &p.Width, &p.Greedy)
}

// Traits asks for a model under each particle with pending queries hallucinated, and the choice of fidelities.
func (p ContinualMFMES) Traits() Traits {
	return p.selfish().traits(NameOf("continual-mf-mes", p.Settings()))
}

// Propose maximizes the gain for its cost.
func (p ContinualMFMES) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return p.selfish().Propose(view, count, stream)
}

// Explain returns the gain; that of the fidelities counts for its cost.
func (p ContinualMFMES) Explain(v View, stream *rand.Rand) (Explanation, error) {
	e, err := p.selfish().Explain(v, stream)
	if err == nil && v.Informed() && !turns(p.Greedy, v.Round) && !v.last() {
		e.Acquisition, e.Why = "log information about the {maximum|minimum}", "what a value tells about the {maximum|minimum} at the greatest fidelity, on the mean over the particles, for its cost"
	}
	return e, err
}
