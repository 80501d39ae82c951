package loop

import (
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/policies"
)

// state describes everything of a loop that neither its configuration nor the rest of the state tells. What it leaves out
// is filled in by adopt, and starts anew where that makes no difference: the algebra, and the marks of what views share.
func (c *codec) state(l *Loop, x *extract) {
	c.uint(&l.seq)
	number(c, &l.now)
	number(c, &l.config.Budget)
	c.counters(&l.counts)
	c.coverage(&l.coverage)
	c.ledger(&l.ledger, x)
	c.model(&l.model, x)
	c.plan(&l.plan, x)
}

func (c *codec) counters(k *Counters) {
	for _, v := range [...]*int{
		&k.Repeated, &k.Contradictory, &k.Unknown, &k.LateValues, &k.NotFinite, &k.Failures, &k.Timeouts, &k.Vanished,
		&k.Fallbacks, &k.Jittered, &k.Lifted, &k.Merged, &k.Raised, &k.Fits, &k.FitFailures, &k.Infeasible, &k.Expired,
		&k.Restarts, &k.Revisits, &k.Dropped,
	} {
		number(c, v)
	}
}

func (c *codec) coverage(v *Coverage) {
	for _, n := range [...]*int{&v.Judged, &v.Central, &v.Issued, &v.Held} {
		number(c, n)
	}
	c.float(&v.Target)
}

func (c *codec) ledger(l *ledger, x *extract) {
	list(c, &l.evaluations, c.evaluation)
	c.ints(&x.history)
	c.ints(&x.barred)
	c.ints(&l.ready)
	list(c, &l.deadlines, c.expiry)
	list(c, &l.leases, c.expiry)
	list(c, &l.workers, func(w *worker) {
		number(c, &w.id)
		number(c, &w.slots)
	})
	list(c, &l.overdue, func(t *tenure) {
		number(c, &t.worker)
		number(c, &t.evaluation)
		number(c, &t.attempt)
	})
}

func (c *codec) evaluation(e *Evaluation) {
	c.flags(&e.Running, &e.Holds, &e.Measured, &e.Foreign)
	number(c, &e.At)
	c.floats(&e.X)
	optional(c, &e.Forecast, c.forecast)
	number(c, &e.Status)
	for _, v := range [...]*int{&e.Attempt, &e.Failures, &e.Vanished, &e.Worker, &e.Seen} {
		number(c, v)
	}
	number(c, &e.Deadline)
	number(c, &e.Lease)
	number(c, &e.Dispatched)
	number(c, &e.Ended)
	c.float(&e.Value)
	c.float(&e.Cost)
	c.floats(&e.Constraints)
	c.floats(&e.Given)
	c.text(&e.Reason)
}

func (c *codec) forecast(f *policies.Forecast) {
	c.float(&f.Mean)
	c.float(&f.Stddev)
	c.warp(&f.Warp)
	c.float(&f.Shift)
	c.float(&f.Scale)
	c.float(&f.Target)
	c.float(&f.Threshold)
	c.floats(&f.Levels)
}

func (c *codec) expiry(d *expiry) {
	number(c, &d.at)
	number(c, &d.evaluation)
	number(c, &d.attempt)
}

func (c *codec) model(m *model, x *extract) {
	c.float(&m.floor)
	c.belief(&x.prior)
	optional(c, &x.next, c.belief)
	c.fits(&m.fits)
	c.top(&m.greatest)
	c.ints(&m.changed)
	c.units(&m.units)
	c.top(&m.best)
	number(c, &m.rows.generation)
	c.ints(&m.rows.base)
	list(c, &m.rows.edits, func(e *edit) {
		number(c, &e.number)
		number(c, &e.row)
	})
	if m.config.poolsContext() {
		number(c, &m.rows.filled)
	}
	c.floats(&m.targets)
	c.ints(&m.unanswered)
	c.ints(&m.failed)
	c.ints(&m.hopeless)
	c.ints(&m.spared)
	number(c, &m.suspects)
	c.flags(&m.rebuildSoon)
}

func (c *codec) belief(b *belief) {
	c.text(&b.name)
	c.floats(&b.kernel)
	c.float(&b.noise)
	c.float(&b.warp)
}

// fits has the data of an open fit with it: what has come since belongs to the next one.
func (c *codec) fits(f *fits) {
	number(c, &f.started)
	number(c, &f.open)
	if f.open != 0 {
		c.points(&f.effect.X)
		c.floats(&f.effect.Y)
	}
	number(c, &f.size)
	c.flags(&f.urged)
}

func (c *codec) top(t *top) {
	number(c, &t.number)
	number(c, &t.seen)
	c.float(&t.value)
}

func (c *codec) warp(w *feedback.Warp) {
	c.float(&w.Top)
	c.float(&w.Scale)
}

func (c *codec) units(u *feedback.Units) {
	c.warp(&u.Warp)
	c.float(&u.Shift)
	c.float(&u.Scale)
	c.float(&u.Censored)
	c.float(&u.Failed)
}

func (c *codec) plan(p *plan, x *extract) {
	c.points(&p.contexts)
	list(c, &p.queue, func(r *queued) {
		c.floats(&r.x)
		c.floats(&r.given)
		number(c, &r.lost)
	})
	list(c, &p.observations, func(o *observation) {
		c.floats(&o.x)
		c.floats(&o.given)
		c.float(&o.value)
	})
	number(c, &p.asked)
	number(c, &p.ask.ID)
	number(c, &p.ask.Round)
	number(c, &p.ask.Count)
	c.view(&p.view, x)
	number(c, &p.batch)
	number(c, &p.wake)
	number(c, &p.last)
	c.flags(&p.stopped, &p.finished)
	c.text(&p.reason)
}

// view is that of the last ask, which may be open. Values that have come since are not in it.
func (c *codec) view(v *policies.View, x *extract) {
	number(c, &v.Round)
	number(c, &v.At)
	c.floats(&v.Context)
	c.flags(&v.Quiet)
	c.ints(&v.Pending)
	c.ints(&x.shown)
}
