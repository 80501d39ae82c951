package policies

import (
	"math/rand/v2"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
)

// TSSDF is GP-TS under stochastic delayed feedback: it maximizes a draw from GP(μ, ν_t²·σ²), where pending queries are
// in the model with the worst possible value.
type TSSDF struct {
	Width    Width
	Features int // random features of a draw in a continuous space; 0 means 512
}

var _ = Register(Entry{
	Name:    "ts-sdf",
	Summary: "Thompson sampling; pending queries censored at the worst value",
	Source:  "Verma et al. 2022, Alg. 1 (GP-TS-SDF), eq. 2",
}, TSSDF{})

// Settings are the options.
func (p *TSSDF) Settings() Settings { return append(p.Width.Settings(), featuresSetting(&p.Features)) }

// Traits asks for a posterior with pending queries censored that can be drawn from.
func (p TSSDF) Traits() Traits {
	return Traits{Name: NameOf("ts-sdf", p.Settings()), Model: true, Pending: feedback.Censor, Draws: true}
}

// Propose maximizes a stretched draw for each point.
func (p TSSDF) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return Sequential(view, count, feedback.Censor, func(v View, avoid []space.Unit) space.Unit {
		return v.Maximize(v.Draw(p.Width.At(v, vermaTSFailures), p.Features, stream), avoid, stream)
	}), nil
}

// Explain returns the stretched draw.
func (p TSSDF) Explain(v View, stream *rand.Rand) (Explanation, error) {
	return v.draw(p.Width.At(v, vermaTSFailures), p.Features, stream), nil
}
