// Package feedback says what a policy may know of values and of the time they take: how long an answer counts as on time
// (Window), what a query without one contributes to the model (Imputation), and in which units the model sees values (Units).
//
//	window := feedback.Window{Rounds: 20, Strict: true}     // m of Verma et al. 2022
//	traits := policies.Traits{Model: true, Pending: feedback.Censor}
//	y := view.Units.From(view.Best)                         // in the maximization sense
//
// Imputation is data, so that the loop can keep the right posterior ready. The package is pure; all of it are values.
package feedback

import (
	"fmt"
	"slices"
	"time"
)

// Window says how long an answer may take and still count as on time: m of Verma et al. 2022. The zero Window has no
// limit. The window matters to policies that censor pending queries; policies that ignore or hallucinate them use every
// answer.
type Window struct {
	// Rounds is the largest delay d in rounds, where d = (number of the first query whose selection can see the
	// answer) − (number of the query itself), so that d ≥ 1. Zero means no limit.
	Rounds int
	// Duration is the largest delay in time, from the start of the query to its answer. Zero means no limit.
	Duration time.Duration
	// Share says that the window is as long as the delays of that share of the answers, in (0, 1), which a study learns: 0.99 holds
	// nearly all that ever come. No answer is late for it: it says only which queries policies that censor doubt. Zero: the window is as
	// it is given.
	Share float64
	// Strict keeps late answers out of the model, as in the paper. Otherwise they enter it when they come.
	Strict bool
}

// Late reports whether an answer with this delay is outside the window.
func (w Window) Late(rounds int, delay time.Duration) bool {
	return (w.Rounds > 0 && rounds > w.Rounds) || (w.Duration > 0 && delay > w.Duration)
}

// Limited reports whether the window has any limit.
func (w Window) Limited() bool { return w.Rounds > 0 || w.Duration > 0 }

// Imputation is what a query without an answer contributes to the model.
type Imputation int

// The imputations.
const (
	// Ignore leaves pending queries out: the posterior given the answers alone.
	Ignore Imputation = iota
	// Censor gives a pending query the worst value that the objective can take, a lower bound until the truth arrives
	// (Verma et al. 2022).
	Censor
	// Hallucinate gives a pending query its posterior mean given the answers: the mean stays, the variance shrinks
	// (Desautels et al. 2014).
	Hallucinate
)

var imputations = []string{Ignore: "ignore", Censor: "censor", Hallucinate: "hallucinate"}

// Imputations returns the names of the imputations, by their values.
func Imputations() []string { return slices.Clone(imputations) }

// String returns "ignore", "censor" or "hallucinate".
func (i Imputation) String() string {
	if i >= 0 && int(i) < len(imputations) {
		return imputations[i]
	}
	return fmt.Sprintf("Imputation(%d)", int(i))
}
