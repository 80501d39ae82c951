package policies

import (
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
)

// PES maximizes what the next value is expected to tell about place and value of the maximum: joint entropy search, the form of
// predictive entropy search in which both are told. Where the place alone is told, the value at it is not known, and what follows for
// other values is a coarser approximation, which measured worse. With Pending = Hallucinate a pending query counts as answered with its posterior
// mean. Before the first answer it chooses uniformly.
type PES struct {
	Pending  feedback.Imputation
	Samples  int // of the maximum; 0 means 8
	Features int // random features of a draw in a continuous space; 0 means 512
}

const (
	defaultOptima = 8
	maxOptima     = 256
)

var _ = Register(Entry{
	Name:    "pes",
	Summary: "predictive entropy search in the form of joint entropy search; pending queries hallucinated at their posterior mean",
	Source:  "Hvarfner et al. 2022 and Tu et al. 2022 (JES); Hernández-Lobato et al. 2014 (PES)",
}, PES{Pending: feedback.Hallucinate})

// Settings are the options.
func (p *PES) Settings() Settings {
	return Settings{
		Whole("samples", &p.Samples, defaultOptima, 1, maxOptima, "samples of the maximum"), featuresSetting(&p.Features),
		Pending(&p.Pending),
	}
}

// Traits asks for a posterior that can be drawn from.
func (p PES) Traits() Traits {
	return Traits{Name: NameOf("pes", p.Settings()), Model: true, Pending: p.Pending, Draws: true}
}

// Propose maximizes the logarithm of the gain. The cost is that of S proposals of Thompson, one for each sample of the maximum, which
// takes most of the time, and O(n² + S·n) for each look at the gain.
func (p PES) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			return v.Random(stream, avoid)
		}
		return v.MaximizeGain(p.gain(v, stream), avoid, stream)
	}), nil
}

// gain draws functions from the posterior, and takes place and value of the maximum of each.
func (p PES) gain(v View, stream *rand.Rand) acquisition.LogJointEntropyGain {
	n := p.Samples
	if n == 0 {
		n = defaultOptima
	}
	loud := v
	loud.Quiet = false // a maximum may well be where a value is known
	var places []space.Unit
	var values []float64
	for range n {
		f := loud.Draw(1, p.Features, stream)
		x := loud.Maximize(f, nil, stream)
		places, values = append(places, x), append(values, f.Value(x))
	}
	return acquisition.NewLogJointEntropyGain(v.Posterior, places, values)
}

// Explain returns the logarithm of the gain.
func (p PES) Explain(v View, stream *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	return Explanation{
		Acquisition: "log information about the {maximum|minimum}", Of: LogInformation,
		Why:      "how much the value is expected to tell about place and value of the {maximum|minimum}, of which some are drawn",
		Function: v.IfFeasible(p.gain(v, stream)),
	}, nil
}
