// Package believer is a policy in a module of its own: GP-BUCB, written with what package policies offers to anybody. A program
// that imports it finds "believer" wherever policies go by name.
package believer

import (
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// Believer maximizes μ(x) + β·σ(x), where pending queries count as answered with their posterior mean (Desautels et al. 2014).
type Believer struct {
	Beta float64 // 0 means 1
}

var _ = policies.Register(policies.Entry{
	Name:    "believer",
	Summary: "upper confidence bound; pending queries hallucinated at their posterior mean",
	Source:  "Desautels et al. 2014, Alg. 2",
}, Believer{})

// Settings are the options: believer:beta=2.
func (p *Believer) Settings() policies.Settings {
	within := policies.Range{High: 100, OpenLow: true}
	return policies.Settings{policies.Number("beta", &p.Beta, 1, within, "standard deviations above the mean")}
}

// Traits asks for a posterior with pending queries at their mean.
func (p Believer) Traits() policies.Traits {
	return policies.Traits{Name: policies.NameOf("believer", p.Settings()), Model: true, Pending: feedback.Hallucinate}
}

// Propose maximizes the bound.
func (p Believer) Propose(view policies.View, count int, stream *rand.Rand) ([]policies.Proposal, error) {
	beta := p.Beta
	if beta == 0 {
		beta = 1
	}
	return policies.Sequential(view, count, feedback.Hallucinate, func(v policies.View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			return v.Random(stream, avoid)
		}
		bound := acquisition.At{Posterior: v.Posterior, Utility: acquisition.UpperConfidenceBound{Beta: beta}}
		return v.Maximize(bound, avoid, stream)
	}), nil
}
