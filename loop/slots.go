package loop

import (
	"cmp"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/internal/survival"
)

// Slots say what more queries at once would bring: for each, what becomes of its time (survival.Slot).
type Slots struct {
	survival.Slot // Wait is that of one attempt; Held has all attempts of a query, and Idle is the share of that
	// Configured says that an attempt holds a slot no longer than Timeout, Lease or GiveUp let it; otherwise it is as long as pays best (BestWait).
	Configured bool
	Busiest    int // most queries that have been under way at once
	Rest       int // queries that may still start by the budget
}

// slots returns what is known of the slots, where the attempts before its latest one take a query so long on average; nil before anything
// is. Cost O(n log n).
func (l *Loop) slots(law survival.Law, tried time.Duration) *Slots {
	wait := time.Duration(0)
	for _, w := range [...]time.Duration{l.config.Timeout, l.config.Lease} {
		if w > 0 && (wait == 0 || w < wait) {
			wait = w
		}
	}
	if l.config.GiveUp > 0 {
		if w := law.Age(l.config.GiveUp); wait == 0 || w < wait {
			wait = w
		}
	}
	configured := wait > 0
	if !configured {
		wait, _ = law.BestWait()
	}
	s, known := law.Slot(wait)
	if !known {
		return nil
	}
	if tried > 0 {
		all := after(s.Held, tried)
		s.Held, s.Idle = all, s.Idle*s.Held.Seconds()/all.Seconds()
	}
	return &Slots{Slot: s, Configured: configured, Busiest: l.busiest(), Rest: max(l.config.Budget-l.Spent(), 0)}
}

// tried is how long the attempts before its latest one take a query on average, at the mean of all points: what such attempts took so far,
// also of queries that pend, over the queries that have come to their end.
func (l *Loop) tried() time.Duration {
	var all time.Duration
	ended := 0
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if e.Untimed {
			continue
		}
		all = after(all, l.atMean(e, e.Tried))
		_, is := e.exit()
		ended += bit(is)
	}
	return all / time.Duration(max(ended, 1))
}

// busiest is how many evaluations, at most, were under way at once, by their latest attempts.
func (l *Loop) busiest() (most int) {
	type change struct {
		at time.Duration
		by int
	}
	var changes []change
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if e.Foreign || e.Attempt == 0 {
			continue
		}
		changes = append(changes, change{e.Sent, 1})
		if e.Status != Pending {
			changes = append(changes, change{max(e.Ended, e.Sent), -1})
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) // who ends makes room
	})
	now := 0
	for _, c := range changes {
		now += c.by
		most = max(most, now)
	}
	return most
}
