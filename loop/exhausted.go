package loop

import (
	"slices"

	"github.com/tarry-bo/tarry/space"
)

// exhausted reports whether no point is left: each was queried and has a value, failed or pends, and another value would tell
// nothing, or must wait for those that pend; or all are infeasible. With a fidelity that is asked of the target alone, nothing is left to be learned for it, or where
// what is left of the budget does not pay for that any more, of all that it pays for. Cost O(n), in the latter case O(n + N·d) for N points of each fidelity,
// and O(1) as long as some point was not queried.
func (l *Loop) exhausted() bool {
	if l.follows || l.points == 0 || l.ledger.sites.distinct < l.points {
		return false
	}
	if l.barren() {
		return true
	}
	if !l.quiet() || !l.certain() && len(l.ledger.pending) == 0 {
		return false
	}
	return l.everywhere(l.told) || l.unpaid()
}

// certain reports whether it is certain that values have no noise, where any means something, and what margins have.
func (l *Loop) certain() bool {
	return (l.silent() || len(l.ledger.history) == 0 && l.ledger.pairs > 0) && l.judgedMargins()
}

// whyExhausted is the reason of the end of a study that is exhausted.
func (l *Loop) whyExhausted() string {
	switch {
	case l.barren():
		return ReasonNone
	case l.everywhere(l.told):
		return ReasonPoints
	}
	return ReasonFunds
}

// barren reports whether every point is infeasible, which it is forever: a query said so, or violated a constraint without a name. Those with names are measured, and may have noise.
func (l *Loop) barren() bool {
	return l.points > 0 && l.ledger.sites.distinct >= l.points && len(l.config.Space.Contexts()) == 0 && l.everywhere(func(x space.Unit) bool {
		return l.ledger.last(x, l.forbidden) != nil
	})
}

// forbidden reports whether an evaluation says of its point that it is infeasible, whatever is measured there.
func (l *Loop) forbidden(e *Evaluation) bool { return e.Status == Infeasible && !l.learned(e) }

// everywhere reports whether each point of a finite space was queried, at the greatest fidelity, and is so.
func (l *Loop) everywhere(so func(x space.Unit) bool) bool {
	found := 0
	for i := range l.ledger.evaluations {
		x := l.ledger.evaluations[i].X
		switch {
		case !l.config.Space.OnTarget(x):
		case !so(x):
			return false
		case l.ledger.first(x) == i+1:
			found++
		}
	}
	return found == l.points
}

// unpaid reports whether what is left of the budget pays for no query of the target any more, and for others only at points that have told everything.
func (l *Loop) unpaid() bool {
	where := l.config.Space
	i, has := where.Fidelity()
	if !has || l.config.target() <= l.Funds() {
		return false
	}
	if n := where.Parameter(i).Levels(); n == 0 || n > costLevels {
		return false // there is always another one
	}
	levels := l.payableLevels()
	for _, level := range levels {
		held := where.Hold(nil, level) // nothing is told at contexts
		for k := range max(l.points, where.Size()) {
			if !l.told(where.Join(l.action(k), held)) {
				return false
			}
		}
	}
	return len(levels) > 0
}

// action is one of the actions of a finite space: of a list, which may have some twice, or of all that there are.
func (l *Loop) action(k int) space.Unit {
	if list := l.config.Space.UnitPoints(); list != nil {
		return list[k]
	}
	return l.config.Space.Combination(k)
}

// payableLevels are the fidelities that the policy may choose and what is left of the budget pays for, ascending; nil without a fidelity.
func (l *Loop) payableLevels() []float64 {
	i, has := l.config.Space.Fidelity()
	if !has || !l.config.Traits.Fidelities {
		return nil
	}
	p, funds := l.config.Space.Parameter(i), l.Funds()
	return slices.DeleteFunc(l.config.Space.Fidelities(costLevels), func(level float64) bool { return p.Cost(p.Value(level)) > funds })
}

// told reports whether a query at exactly this point, where values have no noise, would tell nothing: one pends, has failed, has a value or was ended early.
func (l *Loop) told(x space.Unit) bool {
	for e := range l.ledger.at(x) {
		if e.Status != Lost && e.Status != Cancelled {
			return true
		}
	}
	return false
}
