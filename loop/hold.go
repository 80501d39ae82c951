package loop

import "slices"

// barred reports whether a barrier holds the next query back: a batch is complete and one of it has no outcome. The
// initial design is a batch of its own.
func (l *Loop) barred() bool {
	if !l.batchFull() {
		return false
	}
	if len(l.ledger.pending) > 0 {
		return true
	}
	l.plan.batch = 0
	return false
}

// batchFull reports whether every query of the current batch was chosen.
func (l *Loop) batchFull() bool {
	q := l.config.Barrier
	return q > 1 && len(l.ledger.evaluations) >= l.config.Initial && (l.plan.batch >= q || !l.beyondDesign())
}

// beyondDesign reports whether a query was chosen after the initial design, in which observations count as points.
func (l *Loop) beyondDesign() bool {
	for _, e := range slices.Backward(l.ledger.evaluations) {
		if !e.Foreign {
			return e.Number > l.config.Initial
		}
	}
	return false
}

// Hold is what keeps a study from choosing its next query.
type Hold int

// What may hold the next query back.
const (
	HoldNone    Hold = iota // nothing: it takes a free slot
	HoldEnd                 // the study has ended
	HoldBudget              // the budget is spent
	HoldBarrier             // a batch is complete, and one of it has no outcome
	HoldContext             // no context is there
)

// Held returns what keeps the study from choosing its next query, were a slot free.
func (l *Loop) Held() Hold {
	switch {
	case l.plan.stopped:
		return HoldEnd
	case l.ledger.spent(l.config.Budget) >= l.config.Budget:
		return HoldBudget
	case l.batchFull() && len(l.ledger.pending) > 0:
		return HoldBarrier
	case !l.hasContext() && !(len(l.plan.requests) > 0 && l.plan.requests[0].lost > 0):
		return HoldContext
	}
	return HoldNone
}

func (l *Loop) hasContext() bool {
	return len(l.config.Space.Contexts()) == 0 || len(l.plan.contexts) > 0
}
