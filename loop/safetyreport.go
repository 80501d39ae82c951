package loop

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tarry-bo/tarry/safety"
)

// Safety is how a study stands as to its safety.
type Safety struct {
	Promises bool // whether there is a promise; otherwise Report has what was counted alone
	safety.Report
	Confidence float64   // with which the promise holds: below 1 where constraints have noise
	Omega      []float64 // with noise: the margin below which an answer of each constraint counts as a violation
	Seeds      int
}

// Brief returns what counts and what is left in a few words.
func (s Safety) Brief() string {
	text := fmt.Sprintf("%d violations", s.Account.Violations)
	if s.Account.Violations == 1 {
		text = "1 violation"
	}
	if p := s.Account.Pending; p > 0 {
		text += fmt.Sprintf(" and %d without an answer", p)
	}
	if s.Promises {
		text += fmt.Sprintf(" of %d allowed, beta %v", s.Terms.Allowed, s.Beta)
	}
	return text
}

// String returns all of it in one line.
func (s Safety) String() string {
	if !s.Promises {
		text := fmt.Sprintf("nothing is promised: %d of %d queries violated, %d have no answer (%d lost)", s.Account.Violations, s.Account.Started, s.Account.Pending, s.Account.Lost)
		if s.Why != "" {
			text += "; " + s.Why
		}
		return text
	}
	text := s.Report.String()
	if s.Confidence < 1 {
		text = fmt.Sprintf("with probability %.4g ", s.Confidence) + text
	}
	return text
}

// MarshalJSON writes what is promised, what counts and what is left. What there is none of without a promise is left out, and beta is
// null where it is infinite: nothing but seeds is queried.
func (s Safety) MarshalJSON() ([]byte, error) {
	type promise struct {
		Alpha      float64   `json:"alpha"`
		Queries    int       `json:"queries"`
		Confidence float64   `json:"confidence"`
		Omega      []float64 `json:"omega,omitempty"`
		Allowed    int       `json:"allowed"`
		Left       int       `json:"left"`
		Eta        float64   `json:"eta"`
		Beta       *float64  `json:"beta"`
		Kept       bool      `json:"kept"`
	}
	out := struct {
		Promised   *promise `json:"promised"`
		Started    int      `json:"started"`
		Counted    int      `json:"counted"`
		Violations int      `json:"violations"`
		Pending    int      `json:"pending"`
		Lost       int      `json:"lost"`
		Why        string   `json:"why,omitempty"`
	}{nil, s.Account.Started, s.Counted, s.Account.Violations, s.Account.Pending, s.Account.Lost, s.Why}
	if s.Promises {
		out.Promised = &promise{s.Promised, s.Queries, s.Confidence, s.Omega, s.Terms.Allowed, s.Left, s.Terms.Eta, nil, s.Kept}
		if !s.Beta.Infinite {
			out.Promised.Beta = &s.Beta.Value
		}
	}
	return json.Marshal(out)
}

// Safety returns how the study stands as to its safety; nil where the policy wants none. Cost O(n).
func (l *Loop) Safety() *Safety {
	if !l.cautious() {
		return nil
	}
	account := l.account()
	s := &Safety{Confidence: 1, Seeds: len(l.caution.seeds), Report: safety.Report{Account: account, Counted: account.Counted(), Kept: true}}
	if l.caution.promise != nil {
		s.Promises, s.Report = true, l.caution.promise.Report(account)
	}
	for _, b := range l.caution.bands {
		s.Confidence, s.Omega = b.Confidence, append(s.Omega, b.Omega)
	}
	for _, why := range []string{l.doubt(), l.confined()} {
		if why != "" {
			s.Why = strings.TrimPrefix(s.Why+"; "+why, "; ")
		}
	}
	return s
}

// manySeeds is how many queries more than there are seeds go to seeds before that is remarked on: some are repeated to learn of their noise.
const manySeeds = 3

// confined says that a study without a promise stays at its seeds, as it does where their neighbours in a list or on a grid are so far away that
// the model does not take them for safe; empty where it does not. Cost O(n).
func (l *Loop) confined() string {
	if l.points > 0 && l.points <= len(l.caution.seeds) || l.caution.promise != nil || len(l.ledger.evaluations)-l.ledger.foreign < len(l.caution.seeds)+manySeeds {
		return ""
	}
	for i := range l.ledger.evaluations {
		if e := &l.ledger.evaluations[i]; !e.Foreign && l.seed(e.X) < 0 {
			return ""
		}
	}
	return "nothing but seeds was queried, since the model takes no other point for safe: another seed lets it learn how far that reaches, and a smaller beta is less cautious"
}

// doubt says why little can be learned around the seeds, where their margins are within the guard band; empty if one is beyond it.
func (l *Loop) doubt() (why string) {
	if l.caution.bands == nil {
		return ""
	}
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if l.seed(e.X) < 0 || !e.Measured || len(e.Constraints) != len(l.config.Constraints) {
			continue
		}
		if why = l.within(e); why == "" {
			return ""
		}
	}
	return why
}

// within says which constraint is within its guard band at an evaluation, the first of them.
func (l *Loop) within(e *Evaluation) string {
	sigma := l.config.Traits.Safety.Sigma
	for k, b := range l.caution.bands {
		sd := 0.0
		if len(sigma) > 0 {
			sd = sigma[k%len(sigma)]
		}
		if doubt := b.Doubt(l.config.Constraints[k], e.Constraints[k], sd); doubt != "" {
			return doubt
		}
	}
	return ""
}
