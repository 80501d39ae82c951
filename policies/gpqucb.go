package policies

import (
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
)

// QUCB maximizes a quantile of the posterior: the bound μ + Φ⁻¹(P)·σ. With Bayes the probability is that of Bayes-UCB, 1
// − 1/t in round t with the exponent of log t at zero, as its authors use it. In the first two rounds it is 2/3, because
// quantiles up to the median do not reward exploration. Before the first answer it chooses uniformly.
type QUCB struct {
	Pending feedback.Imputation
	P       float64 // probability, between 1/2 and 1; 0 means 0.9
	Bayes   bool    // 1 − 1/t in place of P
	Sigma   Sigma
}

const defaultQuantile = 0.9

var _ = Register(Entry{
	Name:    "gp-qucb",
	Summary: "upper quantile of the posterior; pending queries hallucinated at their posterior mean",
	Source:  "Kaufmann et al. 2012, Alg. 1 (Bayes-UCB), for the arms of Srinivas et al. 2010; pending: Desautels et al. 2014",
}, QUCB{Pending: feedback.Hallucinate})

// Settings are the options.
func (p *QUCB) Settings() Settings {
	within := Range{Low: 0.5, High: 1, OpenLow: true, OpenHigh: true}
	return Settings{
		Number("p", &p.P, defaultQuantile, within, "probability that the function is below; bayes: 1 − 1/t in round t").Or("bayes", &p.Bayes),
		p.Sigma.Setting(),
		Pending(&p.Pending),
	}
}

// Traits asks for a posterior with pending queries as Pending says.
func (p QUCB) Traits() Traits {
	return Traits{Name: NameOf("gp-qucb", p.Settings()), Model: true, Pending: p.Pending}
}

// Propose maximizes the quantile.
func (p QUCB) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			return v.Random(stream, avoid)
		}
		return v.Maximize(acquisition.At{Posterior: v.Posterior, Utility: p.utility(v)}, avoid, stream)
	}), nil
}

func (p QUCB) utility(v View) acquisition.Quantile {
	return acquisition.Quantile{P: p.at(v.Round), Noise: p.Sigma.Noise(v)}
}

// Explain returns the quantile with its probability.
func (p QUCB) Explain(v View, _ *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	f := p.utility(v)
	e := v.bound("{upper|lower} quantile", acquisition.UpperConfidenceBound{Noise: f.Noise}, Figure{"probability that the function is {below|above}", Plain, f.P})
	e.Function = acquisition.At{Posterior: v.Posterior, Utility: f}
	return e, nil
}

// at is the probability in round t.
func (p QUCB) at(t int) float64 {
	switch {
	case p.Bayes:
		return 1 - 1/float64(max(t, 3))
	case p.P > 0:
		return p.P
	}
	return defaultQuantile
}
