package policies

import (
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
)

// LogEI maximizes the logarithm of the expected improvement over the greatest posterior mean at the queries of the model,
// pending ones included (see View.Target). With Pending = Hallucinate a pending query counts as answered with its
// posterior mean, the kriging believer. Before the first answer it chooses uniformly.
type LogEI struct {
	Pending feedback.Imputation
}

var _ = Register(Entry{
	Name:    "log-ei",
	Summary: "expected improvement; pending queries hallucinated at their posterior mean",
	Source:  "Mockus 1975, Ament et al. 2023 (LogEI); pending: Ginsbourger et al. 2010 (Kriging Believer)",
}, LogEI{Pending: feedback.Hallucinate})

// Settings are the options.
func (p *LogEI) Settings() Settings { return Settings{Pending(&p.Pending)} }

// Traits asks for a posterior with pending queries as Pending says.
func (p LogEI) Traits() Traits {
	return Traits{Name: NameOf("log-ei", p.Settings()), Model: true, Pending: p.Pending}
}

// Propose maximizes log EI.
func (p LogEI) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			return v.Random(stream, avoid)
		}
		return v.MaximizeGain(acquisition.At{Posterior: v.Posterior, Utility: acquisition.LogExpectedImprovement{Best: v.Target()}}, avoid, stream)
	}), nil
}

// Explain returns log EI with the value to improve on.
func (p LogEI) Explain(v View, _ *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	return v.improvement(), nil
}
