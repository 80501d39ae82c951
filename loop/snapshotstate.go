package loop

import (
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
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
	c.model(&x.model, l.config.poolsContext())
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

func (c *codec) model(s *model.State, pooled bool) {
	number(c, &s.Fits.Started)
	number(c, &s.Fits.Open)
	if s.Fits.Open != 0 { // what has come since belongs to the next
		number(c, &s.Fits.Output)
		c.points(&s.Fits.X)
		c.floats(&s.Fits.Y)
		c.floats(&s.Fits.Known)
	}
	list(c, &s.Outputs, c.output)
	list(c, &s.Beliefs, func(b *model.BeliefState) { c.belief(b, pooled) })
}

func (c *codec) output(o *model.OutputState) {
	c.float(&o.Floor)
	c.prior(&o.Prior)
	optional(c, &o.Next, c.prior)
	number(c, &o.Size)
	c.flags(&o.Urged)
	c.floats(&o.Variances)
}

func (c *codec) prior(p *model.PriorState) {
	c.text(&p.Name)
	c.floats(&p.Kernel)
	c.float(&p.Noise)
	c.float(&p.Warp)
}

func (c *codec) belief(b *model.BeliefState, pooled bool) {
	c.top(&b.Greatest)
	c.ints(&b.Changed)
	c.units(&b.Units)
	c.top(&b.Best)
	number(c, &b.Generation)
	c.ints(&b.Base)
	c.floats(&b.BaseKnown)
	c.float(&b.NoiseScale)
	list(c, &b.Edits, func(e *model.Edit) {
		number(c, &e.Number)
		number(c, &e.Row)
		c.float(&e.Known)
	})
	if pooled {
		number(c, &b.Filled)
	}
	c.floats(&b.Targets)
	c.ints(&b.Unanswered)
	c.ints(&b.Failed)
	c.ints(&b.Hopeless)
	c.ints(&b.Spared)
	number(c, &b.Suspects)
	c.flags(&b.RebuildSoon)
}

func (c *codec) top(t *model.Top) {
	number(c, &t.Number)
	number(c, &t.Seen)
	c.float(&t.Value)
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
