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

const (
	defaultPending   = 20 // queries without an outcome at first,
	pendingOfBudget  = 2  // or half of the budget,
	answersPerOpened = 4  // and one more for every four answers
)

// MayPend returns how many queries may be without an outcome at once, as things stand.
func (l *Loop) MayPend() int {
	switch {
	case l.config.Pending > 0:
		return l.config.Pending
	case len(l.config.Space.Contexts()) > 0: // the world sets the pace
		return MaxBudget
	}
	return max(DefaultPending(l.config.expected(), len(l.ledger.history)), l.ledger.slots(), l.config.Initial, l.config.Barrier)
}

// DefaultPending returns how many queries of a budget may be without an outcome at once after so many answers, where
// Config.Pending does not say; slots, initial points and queries of a batch aside.
func DefaultPending(budget, answers int) int {
	return min(defaultPending, budget/pendingOfBudget) + answers/answersPerOpened
}

// crowded reports whether as many queries are without an outcome as may be. Cost O(1) while there are few, else O(w) for w
// workers.
func (l *Loop) crowded() bool {
	n := len(l.ledger.pending) - l.ledger.forgotten
	return n > 0 && (l.config.Pending > 0 || n >= DefaultPending(l.config.expected(), 0)) && n >= l.MayPend()
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
	HoldPending             // as many queries are without an outcome as may be
	HoldBarrier             // a batch is complete, and one of it has no outcome
	HoldContext             // no context is there
	HoldPoints              // every point of the space, or that what is left of the budget pays for, was queried, another value would tell nothing, and nobody wants one
)

// Held returns what keeps the study from choosing its next query, were a slot free.
func (l *Loop) Held() Hold {
	switch {
	case l.plan.stopped:
		return HoldEnd
	case l.used():
		return HoldBudget
	case l.batchFull() && len(l.ledger.pending) > 0:
		return HoldBarrier
	case l.crowded():
		return HoldPending
	case !l.wished() && l.exhausted():
		return HoldPoints
	case !l.hasContext() && !(len(l.plan.queue) > 0 && l.plan.queue[0].lost > 0):
		return HoldContext
	}
	return HoldNone
}

func (l *Loop) hasContext() bool {
	return len(l.config.Space.Contexts()) == 0 || len(l.plan.contexts) > 0
}
