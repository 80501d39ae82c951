package policies

import (
	"cmp"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/feedback"
)

// DSafeBOCP is SafeOpt with a caution that follows what happened: fewer than a share Alpha of the budget violates a constraint,
// whatever the constraints are and however wrong their models, as long as they are measured without noise and the seeds are safe.
// Queries without an answer count as violations until it comes. Where the promise has no room it queries seeds.
//
// The promise is about the budget: it needs Alpha·budget > 1, otherwise nothing but the seeds is queried. An Eta that is too small for
// it is raised. The study reports both.
type DSafeBOCP struct {
	Alpha         float64 // share of violations that the number of them stays below; 0: none is allowed
	Eta           float64 // how much more cautious a violation makes; 0 means 2
	Start         float64 // Δ at the beginning, below 1: the higher, the more cautious
	ObjectiveBeta float64 // 0 means 3
}

const defaultAlpha, defaultEta = 0.1, 2

var _ = Register(Entry{
	Name:     "d-safe-bocp",
	Summary:  "promises that fewer than a share alpha of the budget violates a constraint, for any constraints without noise",
	Source:   "Zhang 2024, ch. 6 (D-SAFE-BOCP), with eta raised where its bound needs that, and for late answers",
	Baseline: true,
}, DSafeBOCP{Alpha: defaultAlpha})

// Settings are the options.
func (p *DSafeBOCP) Settings() Settings {
	return append(promiseSettings(&p.Alpha, &p.Eta, &p.Start), objectiveSetting(&p.ObjectiveBeta))
}

// promiseSettings are the options of a promise.
func promiseSettings(alpha, eta, start *float64) Settings {
	return Settings{
		Exact("alpha", alpha, defaultAlpha, Range{High: 1}, "share of the budget below which the violations stay"),
		Number("eta", eta, defaultEta, Range{High: 1e6, OpenLow: true}, "how much more cautious a violation, and a query without an answer, makes; too small a one is raised"),
		Exact("start", start, 0, Range{Low: -1e6, High: 1 - 1e-9}, "caution at the beginning, 1 would be infinite"),
	}
}

// Traits asks for seeds and the promise, and for models of the answers alone.
func (p DSafeBOCP) Traits() Traits {
	return Traits{
		Name: NameOf("d-safe-bocp", p.Settings()), Model: true, Pending: feedback.Ignore,
		Safety: Safety{Seeds: true, Promises: true, Alpha: p.Alpha, Eta: cmp.Or(p.Eta, defaultEta), Delta: p.Start},
	}
}

// Propose is that of SafeOpt with the caution of the promise.
func (p DSafeBOCP) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return view.proposeSafely(count, promisedBeta, p.objectiveBeta(), stream)
}

// Explain returns the sets, and the state of the promise.
func (p DSafeBOCP) Explain(v View, stream *rand.Rand) (Explanation, error) {
	return v.explainSafely(promisedBeta(v), p.objectiveBeta(), stream)
}

func (p DSafeBOCP) objectiveBeta() float64 { return cmp.Or(p.ObjectiveBeta, defaultObjectiveBeta) }

// positive are numbers above zero.
var positive = Range{High: math.MaxFloat64, OpenLow: true}
