package policies

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// MFTMES is for tasks that are alike, one after another, of which each study begins with what those before have learned
// (loop.Config.Learned): multi-fidelity max-value entropy search with transfer. What is carried over are particles of the kernel's
// parameters; hyperparameters that mislead are left, weights are not. A query goes where a value tells most, for its cost to the power Omega, about the maximum at the greatest fidelity, as
// MFMES has it but on the mean over the particles, and, times Beta, about which particle is right: that helps in the tasks to come.
// Pending queries are hallucinated under each particle. The last query that the budget pays for is the point that the particles expect
// most of together, at the greatest fidelity. Before the first answer it chooses uniformly. Cost that of a posterior for each particle.
type MFTMES struct {
	Samples   int          // of the maximum under each particle; 0 means 10
	Omega     float64      // power of the cost by which a gain is divided; 0 means 1
	Particles int          // 0 means 10
	Kernel    MemberKernel // whose parameters they are
	Width     int          // neurons in each of the three layers of a network; 0 means 16
	Greedy    float64      // share of the queries at the point that the particles expect most of instead, as MES has it
	Beta      float64      // weight of what is told about the particles, in nats of the maximum
}

// MemberKernel says which parameters are particles.
type MemberKernel int

// The kernels.
const (
	StudyKernel   MemberKernel = iota // the hyperparameters of the study's kernel
	NetworkKernel                     // weights and hyperparameters of a network's, as Zhang 2024 has it
)

const (
	defaultForesight = 1.2
	maxForesight     = 100
	defaultParticles = 10
	maxParticles     = 100
	defaultWidth     = 16
	maxWidth         = 256
	networkDepth     = 3
)

var _ = Register(Entry{
	Name:    "mft-mes",
	Summary: "mf-mes for one task after another: also what tells about the kernel that they share, for the tasks to come",
	Source:  "Zhang, Park & Simeone 2024 (MFT-MES); Zhang 2024, ch. 5, with the noise in both entropies and one division by the cost",
}, MFTMES{Greedy: defaultGreedy, Beta: defaultForesight})

// Settings are the options.
func (p *MFTMES) Settings() Settings {
	return append(sharedSettings(&p.Samples, &p.Omega, &p.Particles, &p.Kernel, &p.Width, &p.Greedy), Exact("beta", &p.Beta, defaultForesight, Range{Low: 0, High: maxForesight}, "weight of what is told about the particles"))
}

// sharedSettings are the options that do not concern what is told about the particles.
func sharedSettings(samples *int, omega *float64, particles *int, kernel *MemberKernel, width *int, greedy *float64) Settings {
	return Settings{
		Whole("samples", samples, defaultMaxima, 1, maxMaxima, "samples of the maximum under each particle"),
		Number("omega", omega, defaultOmega, Range{High: 10, OpenLow: true}, "power of the cost by which a gain is divided"),
		Whole("particles", particles, defaultParticles, 2, maxParticles, "particles of the kernel's parameters"),
		Choice("kernel", kernel, StudyKernel, []string{StudyKernel: "study", NetworkKernel: "network"}, "whose parameters are learned"),
		Whole("width", width, defaultWidth, 1, maxWidth, "neurons in each of the network's three layers").
			When(func() bool { return *kernel == NetworkKernel }, "with kernel=network"),
		Exact("greedy", greedy, defaultGreedy, Range{Low: 0, High: 1}, "share of the queries at the point of the greatest mean"),
	}
}

// Traits asks for a model under each particle with pending queries hallucinated, and the choice of fidelities.
func (p MFTMES) Traits() Traits { return p.traits(NameOf("mft-mes", p.Settings())) }

func (p MFTMES) traits(name string) Traits {
	t := Traits{Name: name, Model: true, Pending: feedback.Hallucinate, Fidelities: true, Particles: cmp.Or(p.Particles, defaultParticles)}
	for k := 1; k < min(t.Particles, maxParticles); k++ { // with more it is not valid, but has its traits all the same
		t.Also = append(t.Also, model.Want{Pending: feedback.Hallucinate, Member: k})
	}
	if p.Kernel == NetworkKernel {
		for range networkDepth {
			t.Layers = append(t.Layers, cmp.Or(p.Width, defaultWidth))
		}
	}
	return t
}

// Propose maximizes the gain for its cost.
func (p MFTMES) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return Sequential(view, count, feedback.Hallucinate, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			return v.Random(stream, avoid)
		}
		v = v.withRowMeans()
		if turns(p.Greedy, v.Round) {
			return v.atWorth(v.mostExpectedOf(p.members(v, stream), avoid, stream), avoid, stream)
		}
		return v.memberForItsCost(p.members(v, stream), cmp.Or(p.Omega, defaultOmega), avoid, stream)
	}), nil
}

// members are the models under the particles.
func (p MFTMES) members(v View, stream *rand.Rand) members {
	posteriors := []*surrogate.Posterior{v.Posterior}
	for _, b := range v.Also {
		posteriors = append(posteriors, b.Posterior)
	}
	candidates, mean, variance := v.contestants(stream)
	if len(candidates) > fewCandidates { // of a long list those that may be the best
		candidates = likeliest(candidates, mean, variance, fewCandidates)
	}
	return v.membersOf(posteriors, candidates, cmp.Or(p.Samples, defaultMaxima), p.Beta)
}

// Explain returns the gain; that of the fidelities counts for its cost.
func (p MFTMES) Explain(v View, stream *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	m := p.members(v, stream)
	switch {
	case turns(p.Greedy, v.Round):
		return Explanation{
			Acquisition: "posterior mean", Of: Level, Function: v.IfFeasible(m.mean), Target: true,
			Why: "some of the queries are of the point where the value is expected to be {greatest|least}, on the mean over the particles" + v.moves(),
		}, nil
	case v.last():
		return v.lastly(), nil
	}
	return v.paid(Explanation{
		Acquisition: "log information about the {maximum|minimum} and the kernel", Of: LogInformation,
		Why:      "what a value tells about the {maximum|minimum} at the greatest fidelity, and about the kernel that further tasks share, for its cost",
		Numbers:  []Figure{target(v.Target()), {"particles", Plain, float64(len(m.mean))}},
		Function: v.IfFeasible(m.gain), At: func(x space.Unit) []Figure {
			out := []Figure{{"expected cost", Plain, v.Space.Cost(x)}, {"information, nats", Plain, math.Exp(m.gain.Value(x))}}
			for k, q := range m.mean {
				out = append(out, Figure{fmt.Sprintf("mean under particle %d", k+1), Level, q.Mean(x)})
			}
			return out
		},
	}, cmp.Or(p.Omega, defaultOmega)), nil
}
