package policies

import (
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
)

// UCBSDF is GP-UCB under stochastic delayed feedback: it maximizes μ(x) + ν_t·σ(x), where pending queries are in the
// model with the worst possible value and ν_t is wide enough for the error of these values.
//
// The mean estimates ρ_m·f, where ρ_m is the chance that an answer comes within the window, not f itself.
type UCBSDF struct {
	Width Width
}

var _ = Register(Entry{
	Name:    "ucb-sdf",
	Summary: "upper confidence bound; pending queries censored at the worst value",
	Source:  "Verma et al. 2022, Alg. 1 (GP-UCB-SDF), eq. 2",
}, UCBSDF{})

// Settings are the options.
func (p *UCBSDF) Settings() Settings { return p.Width.Settings() }

// Traits asks for a posterior with pending queries censored.
func (p UCBSDF) Traits() Traits {
	return Traits{Name: NameOf("ucb-sdf", p.Settings()), Model: true, Pending: feedback.Censor}
}

// Propose maximizes the bound.
func (p UCBSDF) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return Sequential(view, count, feedback.Censor, func(v View, avoid []space.Unit) space.Unit {
		return v.Maximize(acquisition.At{Posterior: v.Posterior, Utility: p.utility(v)}, avoid, stream)
	}), nil
}

func (p UCBSDF) utility(v View) acquisition.UpperConfidenceBound {
	return acquisition.UpperConfidenceBound{Beta: p.Width.At(v, vermaUCBFailures), Noise: p.Width.Sigma.Noise(v)}
}

// Explain returns the bound with its ν_t.
func (p UCBSDF) Explain(v View, _ *rand.Rand) (Explanation, error) {
	f := p.utility(v)
	return v.bound("{upper|lower} confidence bound", f, Figure{"ν, standard deviations {above|below} the mean", Plain, f.Beta}), nil
}
