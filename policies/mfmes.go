package policies

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
)

// MFMES chooses the point and the fidelity whose value tells most about the maximum at the greatest fidelity, for each unit of cost to
// the power Omega: multi-fidelity max-value entropy search. Pending queries are hallucinated, so that one of them makes others near by
// less useful, at its own fidelity above all. The last query that the budget pays for is the point that the model expects most of, at
// the greatest fidelity. Fits choose the kernel and a warp of the values, since what cheap evaluations are about, such as accuracies of
// trained models, is often skewed. In a space without a fidelity it is MES on such a model without its greedy queries. Before the first
// answer it chooses uniformly.
type MFMES struct {
	Samples int     // of the maximum; 0 means 10
	Maxima  Maxima  // how these are drawn
	Omega   float64 // power of the cost by which a gain is divided; 0 means 1
}

var _ = Register(Entry{
	Name:    "mf-mes",
	Summary: "multi-fidelity max-value entropy search: the point and the fidelity that tell most for their cost",
	Source:  "Takeno et al. 2020 (MF-MES); Zhang 2024, ch. 5, with the noise in the gain and one division by the cost",
}, MFMES{})

const defaultOmega = 1

// Settings are the options.
func (p *MFMES) Settings() Settings {
	return Settings{
		Whole("samples", &p.Samples, defaultMaxima, 1, maxMaxima, "samples of the maximum"),
		p.Maxima.Setting(),
		Number("omega", &p.Omega, defaultOmega, Range{High: 10, OpenLow: true}, "power of the cost by which a gain is divided"),
	}
}

// Traits asks for a model with pending queries hallucinated, the choice of fidelities, and fits that choose the kernel and a warp of the values.
func (p MFMES) Traits() Traits {
	return Traits{Name: NameOf("mf-mes", p.Settings()), Model: true, Pending: feedback.Hallucinate, Fidelities: true, Adapts: true}
}

// Propose maximizes the gain for its cost.
func (p MFMES) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return Sequential(view, count, feedback.Hallucinate, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			return v.unguided(avoid, stream)
		}
		v = v.withRowMeans()
		return v.mostForItsCost(p.gain(v, stream), p.omega(), avoid, stream)
	}), nil
}

func (p MFMES) omega() float64 { return cmp.Or(p.Omega, defaultOmega) }

// gain is what a value tells about the maximum.
func (p MFMES) gain(v View, stream *rand.Rand) acquisition.FidelityGain {
	sampled := p.Maxima.Sample(v, cmp.Or(p.Samples, defaultMaxima), stream)
	slices.Sort(sampled)
	return acquisition.FidelityGain{Posterior: v.Posterior, Space: v.Space, Maxima: sampled}
}

// Explain returns the gain; that of the fidelities counts for its cost.
func (p MFMES) Explain(v View, stream *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return v.unguidedly(), nil
	}
	if v.last() {
		return v.lastly(), nil
	}
	f := p.gain(v, stream)
	return v.paid(Explanation{
		Acquisition: "log information about the {maximum|minimum}", Of: LogInformation, Why: "what a value tells about the {maximum|minimum} at the greatest fidelity, for its cost",
		Numbers:  []Figure{target(v.Target()), {leastSample, Level, f.Maxima[0]}, {greatestSample, Level, f.Maxima[len(f.Maxima)-1]}},
		Function: v.IfFeasible(f), At: func(x space.Unit) []Figure {
			return []Figure{{"expected cost", Plain, v.Space.Cost(x)}, {"information, nats", Plain, math.Exp(f.Value(x))}}
		},
	}, p.omega()), nil
}
