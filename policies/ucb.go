package policies

import (
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
)

// UCB maximizes μ(x) + β·σ(x). With Pending = Ignore it is GP-UCB, whose model has the answers only, so it may repeat a
// pending query. With Pending = Hallucinate it is GP-BUCB, whose mean comes from the answers and whose variance counts
// pending queries as answered. Before the first answer both choose uniformly.
type UCB struct {
	Pending feedback.Imputation // Ignore or Hallucinate
	Beta    Beta
	Sigma   Sigma
}

// Settings are the options.
func (p *UCB) Settings() Settings { return append(p.Beta.Settings(), p.Sigma.Setting()) }

// Traits asks for a posterior with pending queries ignored or hallucinated.
func (p UCB) Traits() Traits {
	name := map[feedback.Imputation]string{feedback.Ignore: "gp-ucb", feedback.Hallucinate: "gp-bucb"}[p.Pending]
	return Traits{Name: NameOf(name, p.Settings()), Model: true, Pending: p.Pending}
}

// Propose maximizes the bound.
func (p UCB) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			return v.Random(stream, avoid)
		}
		return v.Maximize(acquisition.At{Posterior: v.Posterior, Utility: p.utility(v)}, avoid, stream)
	}), nil
}

func (p UCB) utility(v View) acquisition.UpperConfidenceBound {
	return acquisition.UpperConfidenceBound{Beta: p.Beta.At(v, srinivasFailures, 0), Noise: p.Sigma.Noise(v)}
}

// Explain returns the bound with its β.
func (p UCB) Explain(v View, _ *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	f := p.utility(v)
	return v.bound("{upper|lower} confidence bound", f, Figure{"β, standard deviations {above|below} the mean", Plain, f.Beta}), nil
}
