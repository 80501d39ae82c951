package loop

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/outcome"
)

// Check returns nil when every invariant of the state holds, otherwise all violations. It is meant for tests and for
// users who want to know. Cost O(n·r) for r evaluations that wait for a slot.
func (l *Loop) Check() error {
	var errs []error
	want := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	n := len(l.ledger.evaluations)
	want(n-l.ledger.foreign <= 2*l.config.Budget, "%d evaluations of %d", n-l.ledger.foreign, l.config.Budget)
	want(len(l.ledger.queries) == n && l.model.Len() == n, "%d queries and %d in the model for %d evaluations", len(l.ledger.queries), l.model.Len(), n)
	busy := map[int]int{}
	var pending []int
	answers, foreign, freed, reporting := 0, 0, 0, 0
	forgotten, delays := 0, l.delaysOf()
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		want(e.Number == i+1 && e.Round == e.Number, "evaluation %d has number %d, round %d", i+1, e.Number, e.Round)
		want(l.config.Space.ContainsUnit(e.X) == nil, "evaluation %d is at %v", e.Number, e.X)
		want(!e.Holds || e.Running, "evaluation %d holds a slot and does not run", e.Number)
		want(!e.Running || e.Status == Pending, "evaluation %d runs and is %v", e.Number, e.Status)
		want(l.learned(e) == (e.Seen > 0), "evaluation %d is %v, seen in round %d", e.Number, e.Status, e.Seen)
		want(e.Measured == e.Status.Valued() || e.Measured && e.Status == Infeasible, "evaluation %d is %v, measured: %v", e.Number, e.Status, e.Measured)
		want(e.Infeasible == (e.Measured && e.Status == Infeasible), "evaluation %d is %v, measured: %v, infeasible: %v", e.Number, e.Status, e.Measured, e.Infeasible)
		want(e.Lease == 0 || e.Running && !e.Holds, "evaluation %d has a lease, runs %v, holds a slot %v", e.Number, e.Running, e.Holds)
		want(outcome.Finite(e.Value), "evaluation %d has value %v", e.Number, e.Value)
		waits := slices.Contains(l.ledger.ready, e.Number)
		want(waits == (e.Status == Pending && !e.Running), "evaluation %d: waits %v, runs %v, %v", e.Number, waits, e.Running, e.Status)
		if e.Holds {
			busy[e.Worker]++
		}
		if e.Status == Pending {
			pending = append(pending, e.Number)
		}
		if l.remembers(e) {
			answers++
		}
		want(soundReports(e), "evaluation %d: reports %v of attempt %d", e.Number, e.Reports, e.Reporter)
		foreign += bit(e.Foreign)
		reporting += bit(len(e.Reports) > 0)
		freed += bit(free(e))
		forgotten += bit(e.Forgotten)
		want(!e.Forgotten || e.Status == Pending, "evaluation %d is %v and forgotten", e.Number, e.Status)
	}
	want(delays.Same(&l.ledger.delays) && forgotten == l.ledger.forgotten, "the delays are others than those of the evaluations, or %d are forgotten and %d counted", forgotten, l.ledger.forgotten)
	want(reporting == l.ledger.reporting, "%d reported, counted %d", reporting, l.ledger.reporting)
	want(foreign == l.ledger.foreign && freed == l.ledger.freed, "%d came from elsewhere, counted %d; %d cost nothing, counted %d", foreign, l.ledger.foreign, freed, l.ledger.freed)
	want(slices.Equal(pending, l.ledger.pending), "pending %v, listed %v", pending, l.ledger.pending)
	want(answers == len(l.ledger.history), "%d values, %d in the history", answers, len(l.ledger.history))
	c := l.coverage
	want(l.covered(), "%d forecasts judged, %d central, %d sets for %v, %d held, but the evaluations say otherwise", c.Judged, c.Central, c.Issued, c.Target, c.Held)
	idle := 0
	for _, t := range l.ledger.overdue {
		e := l.ledger.get(t.evaluation)
		want(l.config.Exclusive && e != nil && t.attempt >= 1 && t.attempt <= e.Attempt && l.ledger.worker(t.worker) != nil &&
			!(e.Holds && e.Attempt == t.attempt), "attempt %d at evaluation %d is overdue at worker %d", t.attempt, t.evaluation, t.worker)
		busy[t.worker]++
	}
	for i := range l.ledger.workers {
		w := &l.ledger.workers[i]
		idle += w.idle()
		want(w.busy == busy[w.id] && w.slots >= 0, "worker %d: %d of %d slots busy, %d evaluations hold one or are overdue",
			w.id, w.busy, w.slots, busy[w.id])
	}
	want(idle == l.ledger.idle, "%d slots are free, counted %d", idle, l.ledger.idle)
	errs = append(errs, l.model.Check())
	idles := l.idles()
	want(idles == "", "%s", idles)
	return errors.Join(errs...)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
