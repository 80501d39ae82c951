package loop

import (
	"math"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/survival"
	"github.com/tarry-bo/tarry/model"
)

// How long answers take is learned from the evaluations: each that ended says how long it was under way since it was sent out last, and
// each that pends how long it has been at least. An outcome that is not the answer of that attempt (Evaluation.Untimed) says nothing: an
// earlier attempt brought it, or had left it where it was found, or somebody told it while a worker was at it. Two things may follow, each where the configuration wants it. A query that is hardly
// expected any more is forgotten: the model leaves it out, until its answer comes or the law says otherwise. And one may be given up:
// it is lost, its slot is free and its budget comes back. Whatever comes after all is late, and counts.

// exit says how the wait for an answer ended, and whether it has: not while the evaluation pends, not where it never began, and not
// where it is not known how long it took.
func (e *Evaluation) exit() (survival.Exit, bool) {
	switch {
	case e.Foreign || e.Attempt == 0 || e.Status == Pending || e.Untimed:
		return 0, false
	case e.Status.Valued():
		return survival.Answered, true
	case e.Status == Failed || e.Status == Infeasible:
		return survival.Failed, true
	}
	return survival.Censored, true
}

// note tells the history of delays how the wait for an answer ended.
func (l *Loop) note(e *Evaluation) {
	if exit, ended := e.exit(); ended {
		l.ledger.delays.Add(exit, l.atMean(e, e.Ended-e.Sent))
	}
}

// unnote takes that back, before something else becomes of the evaluation.
func (l *Loop) unnote(e *Evaluation) {
	if exit, ended := e.exit(); ended {
		l.ledger.delays.Remove(exit, l.atMean(e, e.Ended-e.Sent))
	}
}

// untimed notes that what has come of an evaluation is not the answer of its latest attempt.
func (l *Loop) untimed(e *Evaluation) {
	l.unnote(e)
	e.Untimed = true
}

// spoke is when something of a query under way was heard last: a report, or that it was sent out.
func (e *Evaluation) spoke() time.Duration { return max(e.Sent, e.Heard) }

// age is how long a query under way has been silent, as it would be at the mean of all points.
func (l *Loop) age(e *Evaluation) time.Duration { return l.atMean(e, l.now-e.spoke()) }

// Delays returns what is known of the time that answers take, now. Cost O(c + p·log p) for c ≤ 2000 different delays and p pending
// evaluations.
func (l *Loop) Delays() survival.Law {
	ages := make([]time.Duration, 0, len(l.ledger.pending))
	for _, number := range l.ledger.pending {
		if e := l.ledger.get(number); e.Running {
			ages = append(ages, l.age(e))
		}
	}
	return l.ledger.delays.Law(ages)
}

// lawNow is Delays, worked out once for an event as long as nothing is settled.
func (l *Loop) lawNow() survival.Law {
	if l.law == nil {
		law := l.Delays()
		l.law = &law
	}
	return *l.law
}

// forgotten returns how long after it was sent out a query is left out of the model.
func (l *Loop) forgotten(e *Evaluation, law survival.Law) time.Duration {
	at := time.Duration(math.MaxInt64)
	if l.config.Forget > 0 {
		at = l.atPoint(e, law.Age(l.config.Forget))
	}
	if l.config.WeighPending {
		at = min(at, l.atPoint(e, law.Age(leastWeight)))
	}
	if l.config.ForgetAfter > 0 {
		at = min(at, l.config.ForgetAfter)
	}
	return at
}

// forgets reports whether pending queries may be left out of the model.
func (c *Config) forgets() bool { return c.Forget > 0 || c.ForgetAfter > 0 || c.WeighPending }

// eighths are the steps of the weight of a pending query; one that is worth less than half of a step is left out.
const (
	eighths     = 8
	leastWeight = 1. / (2 * eighths)
)

// weights returns how much the pending queries count that do not count in full, ascending by number.
func (l *Loop) weights() (all []model.Weight) {
	if !l.config.WeighPending || !l.config.Traits.Model {
		return nil
	}
	law := l.lawNow()
	for _, number := range l.ledger.pending {
		e := l.ledger.get(number)
		if !e.Running || e.Forgotten {
			continue
		}
		if w := max(int(math.Round(eighths*law.Returns(l.age(e)))), 1); w < eighths {
			all = append(all, model.Weight{Number: number, Eighths: w})
		}
	}
	return all
}

// forget leaves those out of the model that are hardly expected any more, and takes others back of which too little was thought.
func (l *Loop) forget() {
	if !l.config.forgets() || len(l.ledger.pending) == 0 {
		return
	}
	law := l.lawNow()
	for _, number := range l.ledger.pending {
		e := l.ledger.get(number)
		old := e.Running && l.now-e.spoke() >= l.forgotten(e, law)
		switch {
		case old && !e.Forgotten:
			l.counts.Forgotten++
			l.model.Remove(number)
			l.ledger.forgotten++
		case !old && e.Forgotten:
			l.recall(e)
		}
		e.Forgotten = old
	}
}

// recall takes a query back into the model that was left out of it.
func (l *Loop) recall(e *Evaluation) {
	e.Forgotten = false
	l.model.Return(e.Number)
	l.ledger.forgotten--
}

// expected are the pending evaluations of which the policy is told: those that are not forgotten.
func (l *Loop) expected() []int {
	if l.ledger.forgotten == 0 {
		return l.ledger.lend()
	}
	return slices.DeleteFunc(slices.Clone(l.ledger.pending), func(number int) bool { return l.ledger.get(number).Forgotten })
}

// giveUpSilent gives up what has been pending for so long that its answer is hardly expected any more.
func (l *Loop) giveUpSilent() {
	if l.config.GiveUp == 0 || l.plan.finished || len(l.ledger.pending) == 0 {
		return
	}
	law := l.lawNow()
	for _, number := range slices.Clone(l.ledger.pending) {
		e := l.ledger.get(number)
		if !e.Running || l.now-e.spoke() < l.atPoint(e, law.Age(l.config.GiveUp)) {
			continue
		}
		l.counts.GivenUp++
		e.Reason = "silent for so long that hardly any answer is expected any more"
		l.emit(Cancel{Evaluation: number, Attempt: e.Attempt, Worker: e.Worker, Silent: true})
		if l.config.Exclusive {
			l.ledger.keep(e)
		}
		l.giveUp(e, Lost)
		l.expired(e, LimitSilence)
	}
}

// nextSilent returns when a query will have been silent for so long that it is given up, or, where as many pend as may, forgotten; the
// end of time if never. A law that changes may make it earlier or later; whoever is woken too early is told anew.
func (l *Loop) nextSilent() time.Duration {
	forgets := l.config.forgets() && l.plan.ask.ID == 0 && l.ledger.idle > 0 && l.crowded()
	if l.config.GiveUp == 0 && !forgets {
		return math.MaxInt64
	}
	law, next := l.lawNow(), time.Duration(math.MaxInt64)
	for _, number := range l.ledger.pending {
		e := l.ledger.get(number)
		if !e.Running {
			continue
		}
		if l.config.GiveUp > 0 {
			next = min(next, after(e.spoke(), l.atPoint(e, law.Age(l.config.GiveUp))))
		}
		if forgets && !e.Forgotten {
			next = min(next, after(e.spoke(), l.forgotten(e, law)))
		}
	}
	return max(next, after(l.now, leastNap))
}

// leastNap is how long at least a study sleeps that waits for a silence to last longer.
const leastNap = time.Millisecond

// window is the window that the policy is told of: as it is given, or as long as a share of the answers took, as far as that is known.
func (l *Loop) window() feedback.Window {
	w := l.config.Window
	if w.Share > 0 {
		if law := l.lawNow(); law.Known() {
			w.Duration = law.Arrival(w.Share, 0)
		}
	}
	return w
}
