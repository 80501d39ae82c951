package loop

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/safety"
	"github.com/tarry-bo/tarry/space"
)

// adoptView builds the view of the last ask; it shares nothing with the ledger.
func (l *Loop) adoptView() error {
	n := len(l.ledger.evaluations)
	p := &l.plan
	v, ask := &p.view, p.ask
	open := ask.ID != 0
	if open && (ask.ID != p.asked || ask.Round != v.Round || ask.Count != 1 || !l.hasContext()) || open && !p.stopped && ask.Round != n+1 {
		return fmt.Errorf("ask %+v of %d, view of round %d, after %d evaluations", ask, p.asked, v.Round, n)
	}
	if !open && ask != (Ask{}) {
		return fmt.Errorf("no ask is open, but %+v", ask)
	}
	if v.Round == 0 && len(v.History) == 0 && len(v.Pending) == 0 { // there was no ask yet
		return nil
	}
	if v.Round < 1 || v.Round > n+1 || len(v.Context) != len(l.config.Space.Held()) || !inCube(v.Context) || math.IsNaN(v.Funds) {
		return fmt.Errorf("view of round %d with context %v, after %d evaluations", v.Round, v.Context, n)
	}
	if !l.among(v.Pending) || !ascends(v.Pending) || len(v.Pending) > 0 && v.Pending[len(v.Pending)-1] >= v.Round {
		return fmt.Errorf("pending %v in the view of round %d", v.Pending, v.Round)
	}
	if err := v.Caution.Account.Validate(); err != nil || !l.cautious() && v.Caution.Account != (safety.Account{}) {
		return fmt.Errorf("account %+v in the view of round %d (%v)", v.Caution.Account, v.Round, err)
	}
	if l.cautious() {
		v.Caution.Seeds, v.Caution.Promise = l.caution.seeds, l.caution.promise
	}
	if l.config.Window.Share == 0 {
		v.Window.Duration = l.config.Window.Duration
	}
	v.Window.Rounds, v.Window.Share, v.Window.Strict = l.config.Window.Rounds, l.config.Window.Share, l.config.Window.Strict
	v.Space, v.Earlier, v.Taught, v.Queries = l.config.Space, l.earlier, l.config.Taught, l.ledger.queries[:v.Round-1:v.Round-1]
	for i, a := range v.History {
		number := a.Query.Number
		e := l.ledger.get(number)
		if e == nil || !l.remembers(e) || number >= v.Round {
			return fmt.Errorf("answer %d in the view of round %d", number, v.Round)
		}
		v.History[i] = l.answered(number)
	}
	return nil
}

// adoptWaiting looks at the points that wait for their turn.
func (l *Loop) adoptWaiting() error {
	p := &l.plan
	dim := l.config.Space.Dim()
	for _, z := range p.contexts {
		if l.config.Space.ContainsContext(z) != nil {
			return fmt.Errorf("context %v", z)
		}
	}
	for _, r := range p.queue {
		if l.config.Space.ContainsUnit(r.x) != nil || len(r.given) != dim && !(r.lost > 0 && r.given == nil) || r.lost < 0 || r.lost > len(l.ledger.evaluations) {
			return fmt.Errorf("queued point %v, given as %v", r.x, r.given)
		}
	}
	for _, o := range p.observations {
		if l.config.Space.ContainsUnit(o.x) != nil || len(o.given) != dim || l.config.flaw(outcome.Outcome{Value: o.value, Constraints: o.constraints}) != "" {
			return fmt.Errorf("observation of %v at %v, given as %v", o.value, o.x, o.given)
		}
	}
	return nil
}

// inCube reports whether every coordinate is in [0, 1].
func inCube(x space.Unit) bool {
	for _, v := range x {
		if !(v >= 0 && v <= 1) {
			return false
		}
	}
	return true
}
