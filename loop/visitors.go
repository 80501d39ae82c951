package loop

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// MaxRequests bounds the points that wait to become queries, and the observations that wait for an ask to close.
const MaxRequests = 10_000

// MaxForeign bounds the observations of a study.
const MaxForeign = 10_000

// request is a point that is to be the next query.
type request struct {
	x     []float64 // unit cube
	given []float64 // in user units as the user gave it, contexts to be filled in; nil for a point of the study's own
	lost  int       // number of the evaluation whose point it is, context included; 0 for a wish
}

// observation is a value that was measured elsewhere.
type observation struct {
	x, given []float64 // unit cube, user units
	value    float64   // in the user's units and sense
}

// again lets the point of an evaluation that was lost be the next query, after those that were lost before it.
func (p *plan) again(e *Evaluation) {
	first := slices.IndexFunc(p.requests, func(r request) bool { return r.lost == 0 })
	if first < 0 {
		first = len(p.requests)
	}
	p.requests = slices.Insert(p.requests, first, request{e.X, e.Given, e.Number})
}

// found forgets that the point of a lost evaluation is to be queried again: its outcome has come.
func (p *plan) found(number int) {
	p.requests = slices.DeleteFunc(p.requests, func(r request) bool { return r.lost == number })
}

// renewed lets a lease begin anew.
func (l *Loop) renewed(e LeaseRenewed) {
	ev := l.ledger.get(e.Evaluation)
	switch {
	case ev == nil || e.Attempt < 1 || e.Attempt > ev.Attempt:
		l.counts.Unknown++
	case e.Attempt < ev.Attempt || !ev.Running:
		l.counts.Repeated++
	case ev.Lease > 0:
		l.ledger.lease(ev, after(l.now, l.config.Lease))
	}
}

// cancelled gives up a pending evaluation.
func (l *Loop) cancelled(e CancelRequested) {
	ev := l.ledger.get(e.Evaluation)
	switch {
	case ev == nil:
		l.counts.Unknown++
	case ev.Status != Pending:
		l.counts.Repeated++
	default:
		if ev.Holds {
			l.cancel(ev)
		}
		ev.Reason = clip(e.Reason)
		l.giveUp(ev, Cancelled)
	}
}

// observed takes a value from elsewhere. One that is no value, or at no point of the space, is counted and dropped.
func (l *Loop) observed(e ObservationArrived) {
	space := l.config.Space
	if l.plan.finished || len(l.plan.observations) == MaxRequests || l.ledger.foreign+len(l.plan.observations) == MaxForeign ||
		!outcome.Finite(e.Value) {
		l.counts.Dropped++
		return
	}
	x, err := space.Unit(e.X)
	if err != nil {
		l.counts.Dropped++
		return
	}
	l.plan.observations = append(l.plan.observations, observation{x, slices.Clone(e.X), e.Value})
}

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
		l.model.open(q)
		ev := l.ledger.get(number)
		ev.Foreign, ev.Given, ev.Value, ev.Measured = true, o.given, o.value, true
		l.ledger.foreign++
		l.settleValue(ev, number+1)
	}
	l.plan.observations = nil
}

// requested queues a point, actions only or with contexts, which the world sets all the same.
func (l *Loop) requested(e QueryRequested) {
	x := l.completed(e.X)
	unit, err := l.config.Space.Unit(x)
	if l.plan.finished || len(l.plan.requests) >= MaxRequests || err != nil {
		l.counts.Dropped++
		return
	}
	l.plan.requests = append(l.plan.requests, request{x: unit, given: x})
}

// completed is a requested point with what it leaves open drawn at random, contexts included: they are replaced.
func (l *Loop) completed(requested []float64) []float64 {
	space := l.config.Space
	x := slices.Clone(requested)
	if len(space.Contexts()) > 0 && len(x) == len(space.Actions()) {
		x = make([]float64, space.Dim())
		for _, i := range space.Contexts() {
			x[i] = math.NaN()
		}
		for j, i := range space.Actions() {
			x[i] = requested[j]
		}
	}
	if len(x) == space.Dim() {
		stream := rng.New(l.config.Seed, rng.Request, uint64(len(l.ledger.evaluations)+len(l.plan.requests)))
		u := space.Random(stream)
		if points := space.Matching(x); len(points) > 0 {
			point := points[stream.IntN(len(points))]
			for j, i := range space.Actions() {
				u[i] = point[j]
			}
		}
		filled := space.Value(u)
		for i, v := range x {
			if math.IsNaN(v) {
				x[i] = filled[i]
			}
		}
	}
	return x
}

// chooseRequested makes the first request the next query, if it need not wait for a context.
func (l *Loop) chooseRequested() bool {
	if len(l.plan.requests) == 0 || l.plan.requests[0].lost == 0 && !l.hasContext() {
		return false
	}
	if l.plan.requests[0].lost > 0 && len(l.plan.contexts) > 0 {
		return false // whoever brought the context is served first
	}
	r := l.plan.requests[0]
	l.plan.requests = l.plan.requests[1:]
	if r.lost > 0 {
		l.begin(policies.Proposal{X: r.x})
	} else {
		x := l.atContext(r.x)
		for _, i := range l.config.Space.Contexts() {
			r.given[i] = l.config.Space.Parameter(i).Value(x[i])
		}
		l.chosen(policies.Proposal{X: x})
	}
	l.ledger.get(len(l.ledger.evaluations)).Given = r.given
	return true
}

// freed gives the slot of an attempt that was cancelled to others.
func (l *Loop) freed(e WorkerFreed) {
	if !l.ledger.returned(e.Evaluation, e.Attempt) {
		l.counts.Unknown++
	}
}

// budgetSet changes the budget, and lets a study that has ended go on with what is left of it.
func (l *Loop) budgetSet(e BudgetSet) {
	if e.Budget < l.LeastBudget() || e.Budget > MaxBudget {
		l.counts.Dropped++
		return
	}
	l.config.Budget = e.Budget
	if l.plan.finished && l.Spent() < e.Budget {
		l.plan.finished, l.plan.stopped, l.plan.reason = false, false, ""
		l.plan.ask, l.plan.wake = Ask{}, 0
	}
}

// resumed queues what the workers of the process that is gone were doing, in the order of its numbers, before what waits
// already. It is not counted as lost: no evaluation is to blame.
func (l *Loop) resumed() {
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
