package policies

import (
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
)

// PI maximizes the probability of an improvement by more than Xi over the greatest posterior mean at the queries of the
// model, pending ones included (see View.Target). Before the first answer it chooses uniformly.
type PI struct {
	Pending feedback.Imputation
	Xi      float64 // in the model's units; 0 means 0.01
}

const defaultXi = 0.01

var _ = Register(Entry{
	Name:    "pi",
	Summary: "probability of improvement; pending queries hallucinated at their posterior mean",
	Source:  "Kushner 1964; pending: Ginsbourger et al. 2010 (Kriging Believer)",
}, PI{Pending: feedback.Hallucinate})

// Settings are the options.
func (p *PI) Settings() Settings { return Settings{xiSetting(&p.Xi), Pending(&p.Pending)} }

func xiSetting(xi *float64) Setting {
	return Number("xi", xi, defaultXi, Range{Low: 1e-6, High: 1e6}, "improvement that counts, in standard deviations of the values")
}

// Traits asks for a posterior with pending queries as Pending says.
func (p PI) Traits() Traits {
	return Traits{Name: NameOf("pi", p.Settings()), Model: true, Pending: p.Pending}
}

// Propose maximizes log PI.
func (p PI) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			return v.Random(stream, avoid)
		}
		return v.MaximizeGain(acquisition.At{Posterior: v.Posterior, Utility: p.utility(v)}, avoid, stream)
	}), nil
}

func (p PI) utility(v View) acquisition.LogProbabilityOfImprovement {
	return acquisition.LogProbabilityOfImprovement{Best: v.Target(), Xi: p.xi()}
}

// Explain returns log PI with the value to improve on and by how much.
func (p PI) Explain(v View, _ *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	f := p.utility(v)
	return Explanation{
		Acquisition: "log probability of improvement", Of: LogChance, Why: "the chance that the point is better than the {greatest|least} mean at a query",
		Numbers: []Figure{target(f.Best), {"improvement that counts", Spread, f.Xi}}, Function: v.IfFeasible(acquisition.At{Posterior: v.Posterior, Utility: f}),
	}, nil
}

func (p PI) xi() float64 {
	if p.Xi == 0 {
		return defaultXi
	}
	return p.Xi
}
