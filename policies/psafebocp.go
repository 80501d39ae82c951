package policies

import (
	"cmp"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/check"
)

// PSafeBOCP is DSafeBOCP for constraints that are measured with noise: with a probability of at least 1 − Delta fewer than a share
// Alpha of the budget violates a constraint. An answer counts as a violation unless it holds by a guard band, which the noise exceeds
// hardly ever. What is known of the noise is its standard deviation, then it is taken for normal, or samples of it. One of both must
// be given before a study begins: it is not learned, since the promise rests on it.
//
// Samples take very many, and a study is refused, with how many it takes, where theirs are not enough. Noise must be independent.
type PSafeBOCP struct {
	Alpha, Eta, Start float64   // as those of DSafeBOCP
	Delta             float64   // probability that the promise fails; 0 means 0.1
	Sigma             []float64 // standard deviations of normal noise, of each constraint or one for all, in the user's units
	Noise             []float64 // samples of the noise in place of Sigma, in the units of the only constraint; positive towards the side that is allowed
	Tail              float64   // with Noise: probability that the bound of its tail holds; 0 means 0.95
	ObjectiveBeta     float64   // 0 means 3
}

const defaultTail = 0.95

var _ = Register(Entry{
	Name:     "p-safe-bocp",
	Summary:  "promises the same with probability 1 - delta where constraints are measured with noise, whose standard deviation or samples it wants",
	Source:   "Zhang 2024, ch. 6 (P-SAFE-BOCP), with the samples that its bound of a tail takes",
	Baseline: true,
}, PSafeBOCP{Alpha: defaultAlpha})

// Settings are the options.
func (p *PSafeBOCP) Settings() Settings {
	samples := func() bool { return p.Noise != nil }
	finite := Range{Low: -math.MaxFloat64, High: math.MaxFloat64}
	return append(promiseSettings(&p.Alpha, &p.Eta, &p.Start),
		Number("delta", &p.Delta, defaultDelta, Range{High: 1, OpenLow: true, OpenHigh: true}, "probability that the promise fails for the noise"),
		Numbers("sd", &p.Sigma, positive, "standard deviations of the noise, normal, of each constraint or one for all"),
		Numbers("noise", &p.Noise, finite, "samples of the noise in place of sd, of the only constraint"),
		Number("tail", &p.Tail, defaultTail, Range{Low: 0.5, High: 1, OpenHigh: true}, "probability that the bound by samples holds").When(samples, "with noise"),
		objectiveSetting(&p.ObjectiveBeta),
	)
}

// Validate wants at most one of both descriptions of the noise.
func (p PSafeBOCP) Validate() error {
	var l check.List
	l.Require(p.Sigma == nil || p.Noise == nil, "p-safe-bocp: noise", p.Noise, "none beside sd")
	return l.Err()
}

// Traits asks for seeds, the promise and its guard bands, and for models of the answers alone.
func (p PSafeBOCP) Traits() Traits {
	t := Traits{
		Name: NameOf("p-safe-bocp", p.Settings()), Model: true, Pending: feedback.Ignore,
		Safety: Safety{
			Seeds: true, Promises: true, Alpha: p.Alpha, Eta: cmp.Or(p.Eta, defaultEta), Delta: p.Start,
			Risk: cmp.Or(p.Delta, defaultDelta), Sigma: p.Sigma, Noise: p.Noise,
		},
	}
	if p.Noise != nil {
		t.Safety.Tail = cmp.Or(p.Tail, defaultTail)
	}
	return t
}

// Propose is that of SafeOpt with the caution of the promise.
func (p PSafeBOCP) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return view.proposeSafely(count, promisedBeta, p.objectiveBeta(), stream)
}

// Explain returns the sets, and the state of the promise.
func (p PSafeBOCP) Explain(v View, stream *rand.Rand) (Explanation, error) {
	return v.explainSafely(promisedBeta(v), p.objectiveBeta(), stream)
}

func (p PSafeBOCP) objectiveBeta() float64 { return cmp.Or(p.ObjectiveBeta, defaultObjectiveBeta) }
