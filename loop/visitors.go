package loop

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// MaxEnqueued bounds the points that wait to become queries, and the observations that wait for an ask to close.
const MaxEnqueued = 10_000

// MaxForeign bounds the observations of a study.
const MaxForeign = 10_000

// queued is a point that is to be the next query.
type queued struct {
	x     space.Unit
	given space.Point // as the user gave it, contexts to be filled in; nil for a point of the study's own
	lost  int         // number of the evaluation whose point it is, context included; 0 for a wish
}

// observation is a value that was measured elsewhere.
type observation struct {
	x           space.Unit
	given       space.Point
	value       float64   // in the user's units and sense
	constraints []float64 // in the user's units
}

// apply lets a lease begin anew.
func (e LeaseRenewed) apply(l *Loop) {
	ev := l.ledger.get(e.Evaluation)
	switch {
	case ev == nil || e.Attempt < 1 || e.Attempt > ev.Attempt:
		l.became(FateUnknown)
	case e.Attempt < ev.Attempt || !ev.Running:
		l.became(FateRepeated)
	case ev.Lease > 0:
		l.ledger.lease(ev, after(l.now, l.config.Lease))
	}
}

// apply cancels a pending evaluation.
func (e CancelRequested) apply(l *Loop) {
	ev := l.ledger.get(e.Evaluation)
	switch {
	case ev == nil:
		l.became(FateUnknown)
	case ev.Status != Pending:
		l.became(FateRepeated)
	default:
		if ev.Holds {
			l.cancel(ev)
		}
		ev.Reason = clip(e.Reason)
		l.giveUp(ev, Cancelled)
	}
}

// apply takes a value from elsewhere, also after the end. One that is no value, or at no point of the space, is counted and dropped.
func (e ObservationArrived) apply(l *Loop) {
	space := l.config.Space
	if len(l.plan.observations) == MaxEnqueued || l.ledger.foreign+len(l.plan.observations) == MaxForeign ||
		l.config.flaw(outcome.Outcome{Value: e.Value, Constraints: e.Constraints}) != "" {
		l.became(FateRefused)
		return
	}
	x, err := space.Unit(e.X)
	if err != nil {
		l.became(FateRefused)
		return
	}
	l.plan.observations = append(l.plan.observations, observation{x, space.Exact(e.X), e.Value, slices.Clone(e.Constraints)})
	l.reaction.Observation = l.ledger.foreign + len(l.plan.observations)
	if l.plan.finished {
		l.admit() // nothing is scheduled any more
	}
}

// Admitted returns the number of the evaluation that the k-th observation of the study became, and false while it waits for an ask to close. Others
// may have become evaluations since. Cost O(n) for the n evaluations after it.
func (l *Loop) Admitted(k int) (number int, admitted bool) {
	if k < 1 || k > l.ledger.foreign {
		return 0, false
	}
	left := l.ledger.foreign - k
	for i := len(l.ledger.evaluations) - 1; ; i-- {
		switch {
		case !l.ledger.evaluations[i].Foreign:
		case left == 0:
			return i + 1, true
		default:
			left--
		}
	}
}

// Waiting returns how many observations wait for an ask to close.
func (l *Loop) Waiting() int { return len(l.plan.observations) }

// admit makes evaluations of the observations, while no ask is open: the number of the next query belongs to the ask. One
// that is open when the study is stopped gets none.
func (l *Loop) admit() {
	if l.plan.ask.ID != 0 && !l.plan.stopped {
		return
	}
	for _, o := range l.plan.observations {
		number := len(l.ledger.evaluations) + 1
		q := policies.Query{Number: number, Round: number, At: l.now, X: o.x}
		l.ledger.open(q, nil)
		l.model.Open(number, q.Round, q.At, q.X)
		ev := l.ledger.get(number)
		ev.Below = !l.config.Space.OnTarget(o.x)
		ev.Foreign, ev.Given, ev.Value, ev.Constraints, ev.Measured = true, o.given, o.value, o.constraints, true
		l.ledger.foreign++
		if violated := l.config.violation(ev.Outcome); violated != "" {
			l.violates(ev, violated, number+1)
		} else {
			l.settleValue(ev, number+1)
		}
	}
	l.plan.observations = nil
}

// completions are how often what a queued point leaves open is drawn again where the point would tell nothing.
const completions = 16

// apply queues a point, actions only or with contexts, which the world sets all the same. What it leaves open is drawn at random, and again where
// the point would tell nothing.
func (e QueryEnqueued) apply(l *Loop) {
	if l.plan.finished || len(l.plan.queue) >= MaxEnqueued {
		l.became(FateRefused)
		return
	}
	stream := rng.New(l.config.Seed, rng.Enqueue, uint64(len(l.ledger.evaluations)+len(l.plan.queue)))
	x, unit, err := l.config.Space.Complete(e.X, stream)
	again := 0
	if slices.ContainsFunc(e.X, math.IsNaN) {
		again = completions
	}
	for ; again > 0 && err == nil && l.tellsNothing(unit); again-- {
		x, unit, err = l.config.Space.Complete(e.X, stream)
	}
	if err != nil {
		l.became(FateRefused)
		return
	}
	l.plan.queue = append(l.plan.queue, queued{x: unit, given: x})
}

// tellsNothing reports whether a query at the point would tell nothing: it is queued, pends or has failed, or has a value that needs no second. Of
// contexts, which are not known yet, all are alike.
func (l *Loop) tellsNothing(x space.Unit) bool {
	same := func(q queued) bool {
		return !slices.ContainsFunc(l.config.Space.Actions(), func(i int) bool { return q.x[i] != x[i] })
	}
	return slices.ContainsFunc(l.plan.queue, same) || l.taken(x) || l.quiet() && l.told(x)
}

// wished reports whether somebody named the next query, and it may be one.
func (l *Loop) wished() bool {
	return len(l.plan.queue) > 0 && !l.withheld(l.plan.queue[0].x)
}

// chooseQueued makes the first queued point the next query, if it need not wait for a context.
func (l *Loop) chooseQueued() bool {
	if len(l.plan.queue) == 0 || l.plan.queue[0].lost == 0 && !l.hasContext() {
		return false
	}
	if l.plan.queue[0].lost > 0 && len(l.plan.contexts) > 0 {
		return false // whoever brought the context is served first
	}
	r := l.plan.queue[0]
	if l.withheld(r.x) {
		return false
	}
	l.plan.queue = l.plan.queue[1:]
	if r.lost > 0 {
		l.begin(policies.Proposal{X: r.x})
	} else {
		x := l.atContext(r.x)
		for j, i := range l.config.Space.Contexts() {
			r.given[i] = l.plan.contexts[0][j]
		}
		r.given = l.config.Space.Exact(r.given)
		l.chosen(policies.Proposal{X: x})
	}
	e := l.ledger.get(len(l.ledger.evaluations))
	if r.lost > 0 {
		e.AgainOf = l.ledger.get(r.lost).origin()
	}
	if l.seed(e.X) < 0 {
		e.Given = r.given
	}
	return true
}

// apply gives the slot of an attempt that was cancelled to others.
func (e WorkerFreed) apply(l *Loop) {
	if !l.ledger.returned(e.Evaluation, e.Attempt) {
		l.became(FateUnknown)
	}
}

// apply changes the budget, and lets a study that has ended go on with what is left of it.
func (e BudgetSet) apply(l *Loop) {
	if e.Budget < l.LeastBudget() || e.Budget > MaxBudget || e.Budget != l.config.Budget && l.Fixed() != "" || !(e.Cost >= 0) || math.IsInf(e.Cost, 1) {
		l.became(FateRefused)
		return
	}
	l.config.Budget = e.Budget
	if e.Cost > 0 {
		l.config.BudgetCost = e.Cost
	}
	if l.plan.finished && !l.used() {
		l.plan.finished, l.plan.stopped, l.plan.reason = false, false, ""
		l.plan.ask, l.plan.wake = Ask{}, 0
		for i := range l.ledger.evaluations {
			l.distrust(&l.ledger.evaluations[i])
		}
	}
}

// apply queues what the workers of the process that is gone were doing, in the order of its numbers, before what waits
// already. It is not counted as lost: no evaluation is to blame.
func (Resumed) apply(l *Loop) {
	l.counts.Restarts++
	var held []int
	for _, number := range l.ledger.pending {
		if e := l.ledger.get(number); e.Holds {
			e.Holds, e.Running, e.Deadline, e.Lease = false, false, 0, 0
			held = append(held, number)
		}
	}
	l.ledger.ready = append(held, l.ledger.ready...)
	l.ledger.workers, l.ledger.overdue, l.ledger.idle = nil, nil, 0
	l.plan.wake = 0 // its timer is gone: it is set again
	l.expire()
}

// startsAgain reports whether what runs starts again with an event anyway: then nothing times out before it.
func startsAgain(e Event) bool {
	_, resumed := e.(Resumed)
	return resumed
}
