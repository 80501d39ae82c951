package policies

import (
	"cmp"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/safety"
)

// SafeOpt queries where every constraint holds by β standard deviations of its model: the safe point that is least certain among
// those that may be the best or may show that more is safe. That no constraint is violated rests on the model alone; no rate is
// promised. The study needs seeds. Candidates and cost are those of all safe policies (cautious.go).
type SafeOpt struct {
	Beta float64 // standard deviations that a constraint must hold by; 0 means 3
	// Norm is the schedule of the theory in place of the number, for margins whose norm in the space of the kernel is at most Bound (0
	// means 3, in the units of the model), with probability 1 − Delta (0 means 0.1).
	Norm          bool
	Bound, Delta  float64
	ObjectiveBeta float64 // 0 means 3
}

const defaultSafeBeta, defaultSafeNorm = 3, 3

var _ = Register(Entry{
	Name:     "safe-opt",
	Summary:  "queries nothing but what its model takes for safe, from seeds on; no rate is promised",
	Source:   "Sui et al. 2015 (SafeOpt); Zhang 2024, ch. 6",
	Baseline: true,
}, SafeOpt{})

// Settings are the options.
func (p *SafeOpt) Settings() Settings {
	norm := func() bool { return p.Norm }
	const only = "with beta=norm"
	return Settings{
		Number("beta", &p.Beta, defaultSafeBeta, Range{High: 1e6, OpenLow: true}, "standard deviations that a constraint must hold by; norm: the schedule of the theory").Or("norm", &p.Norm),
		Number("bound", &p.Bound, defaultSafeNorm, Range{High: 1e6, OpenLow: true}, "bound of the norm of the margins").When(norm, only),
		Number("delta", &p.Delta, defaultDelta, Range{High: 1, OpenLow: true, OpenHigh: true}, "probability that the bounds fail").When(norm, only),
		objectiveSetting(&p.ObjectiveBeta),
	}
}

// Traits asks for seeds, and for models of the answers alone.
func (p SafeOpt) Traits() Traits {
	return Traits{Name: NameOf("safe-opt", p.Settings()), Model: true, Pending: feedback.Ignore, Safety: Safety{Seeds: true}}
}

// Propose returns the least certain safe point that may be the best or may show that more is safe.
func (p SafeOpt) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return view.proposeSafely(count, p.beta, p.objectiveBeta(), stream)
}

// Explain returns the sets and the caution.
func (p SafeOpt) Explain(v View, stream *rand.Rand) (Explanation, error) {
	if err := v.wantsSafety(); err != nil {
		return Explanation{}, err
	}
	return v.explainSafely(p.beta(v), p.objectiveBeta(), stream)
}

func (p SafeOpt) objectiveBeta() float64 { return cmp.Or(p.ObjectiveBeta, defaultObjectiveBeta) }

// beta is the same for all constraints: the greatest that one of them wants.
func (p SafeOpt) beta(v View) safety.Beta {
	if !p.Norm {
		return safety.Beta{Value: cmp.Or(p.Beta, defaultSafeBeta)}
	}
	most := safety.Beta{}
	for _, c := range v.Constraints {
		gain, _ := InformationGain(c.Posterior.Prior(), v.gainPoints(), v.Round-1)
		beta, err := safety.NormBeta(cmp.Or(p.Bound, defaultSafeNorm), math.Sqrt(c.Posterior.Noise()), gain/(1-1/math.E), cmp.Or(p.Delta, defaultDelta))
		if err != nil {
			return safety.Beta{Infinite: true}
		}
		most.Value = max(most.Value, beta.Value)
	}
	return most
}
