package loop

import (
	"github.com/tarry-bo/tarry/internal/maturity"
	"github.com/tarry-bo/tarry/internal/state"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/safety"
)

// The methods visit, here and in package model, name every field of the state once: Snapshot, Restore, Digest and Difference
// follow from them. What they leave out is filled in by adopt, or starts anew where that makes no difference.

func (l *Loop) visit(v *state.Visitor) {
	state.Number(v, "seq", &l.seq)
	state.Number(v, "now", &l.now)
	state.Number(v, "config.Budget", &l.config.Budget)
	v.Float("config.BudgetCost", &l.config.BudgetCost)
	v.Rebuilt("Restore is given it, but for the budgets", "config", "caution", "earlier", "points")
	state.Part(v, "counts", &l.counts, (*Counters).visit)
	state.Part(v, "coverage", &l.coverage, (*Coverage).visit)
	v.Rebuilt("from the history: the digests of older journals do not know it", "repeats")
	state.Part(v, "ledger", &l.ledger, (*ledger).visit)
	state.Part(v, "model", &l.model, (*model.Model).Visit)
	state.Part(v, "plan", &l.plan, (*plan).visit)
	v.Anew("of one event", "output", "reaction", "law", "looked")
	v.Anew("a broken loop has no snapshot", "broken")
	v.Anew("a loop that follows a study is made anew with it", "follows")
}

func (k *Counters) visit(v *state.Visitor) {
	v.Numbers("Repeated Contradictory Unknown LateValues NotFinite Failures Timeouts Vanished",
		&k.Repeated, &k.Contradictory, &k.Unknown, &k.LateValues, &k.NotFinite, &k.Failures, &k.Timeouts, &k.Vanished)
	v.Numbers("Forgotten GivenUp", &k.Forgotten, &k.GivenUp)
	v.Numbers("Reports Resaid Contested Stale Overdue Malformed Stopped", &k.Reports, &k.Resaid, &k.Contested, &k.Stale, &k.Overdue, &k.Malformed, &k.Stopped)
	v.Numbers("Fallbacks Jittered Lifted Merged Raised Fits FitFailures Infeasible Expired Restarts Revisits Dropped",
		&k.Fallbacks, &k.Jittered, &k.Lifted, &k.Merged, &k.Raised, &k.Fits, &k.FitFailures, &k.Infeasible, &k.Expired,
		&k.Restarts, &k.Revisits, &k.Dropped)
}

func (c *Coverage) visit(v *state.Visitor) {
	v.Numbers("Judged Central Issued Held", &c.Judged, &c.Central, &c.Issued, &c.Held)
	v.Unhashed("that of the answer that came last, and answers between two asks may come in any order").Float("Target", &c.Target)
}

func (l *ledger) visit(v *state.Visitor) {
	state.List(v, "evaluations", &l.evaluations, (*Evaluation).visit)
	state.List(v, "history", &l.history, visitAnswer)
	v.Ints("ready", &l.ready)
	state.List(v, "deadlines", &l.deadlines, (*expiry).visit)
	state.List(v, "leases", &l.leases, (*expiry).visit)
	state.List(v, "workers", &l.workers, func(w *worker, v *state.Visitor) {
		v.Numbers("id slots", &w.id, &w.slots)
		v.Rebuilt("from the evaluations that hold a slot, and from what is overdue", "busy")
	})
	state.List(v, "overdue", &l.overdue, func(t *tenure, v *state.Visitor) {
		v.Numbers("worker evaluation attempt", &t.worker, &t.evaluation, &t.attempt)
	})
	v.Floats("pace.Slope", &l.pace.Slope)
	v.Floats("pace.Mean", &l.pace.Mean)
	state.Number(v, "paced", &l.paced)
	v.Rebuilt("from the evaluations", "queries", "sites", "pending", "foreign", "freed", "reporting", "agreed", "differ", "pairs", "scatter", "delays", "forgotten")
	v.Rebuilt("from the workers", "idle")
	v.Anew("what a view shares is never written to, and a restored loop shares nothing", "shown", "lent")
}

func (e *Evaluation) visit(v *state.Visitor) {
	v.Flags("Running Holds Measured Foreign Forgotten outlived", &e.Running, &e.Holds, &e.Measured, &e.Foreign, &e.Forgotten, &e.outlived)
	v.Unhashed("the digests of older journals do not know it, and what follows from it is hashed").Flags("Untimed", &e.Untimed)
	state.Number(v, "Query.At", &e.At)
	state.Point(v, "Query.X", &e.X)
	v.Float("Query.Probability", &e.Probability)
	v.Rebuilt("from the place of the evaluation", "Query.Number", "Query.Round")
	state.Optional(v, "Forecast", &e.Forecast, visitForecast)
	state.Number(v, "Status", &e.Status)
	v.Numbers("Attempt Failures Vanished Worker Seen", &e.Attempt, &e.Failures, &e.Vanished, &e.Worker, &e.Seen)
	v.Unhashed("the digests of older journals do not know it, and what follows from it is hashed").Numbers("AgainOf", &e.AgainOf)
	state.Number(v, "Deadline", &e.Deadline)
	state.Number(v, "Lease", &e.Lease)
	state.Number(v, "Dispatched", &e.Dispatched)
	state.Number(v, "Sent", &e.Sent)
	state.Number(v.Unhashed("the digests of older journals do not know it, and it decides nothing"), "Tried", &e.Tried)
	state.Number(v, "Heard", &e.Heard)
	state.Number(v, "Ended", &e.Ended)
	v.Float("Outcome.Value", &e.Value)
	v.Float("Outcome.Cost", &e.Cost)
	v.Floats("Outcome.Constraints", &e.Constraints)
	v.Rebuilt("from the status, and whether there was a value", "Outcome.Infeasible")
	v.Rebuilt("from the point", "Below")
	state.Point(v, "Given", &e.Given)
	state.Number(v, "Reporter", &e.Reporter)
	state.List(v, "Reports", (*[]maturity.Report)(&e.Reports), func(r *maturity.Report, v *state.Visitor) {
		v.Float("Step", &r.Step)
		v.Float("Value", &r.Value)
	})
	v.Unhashed("a reason decides nothing").Text("Reason", &e.Reason)
}

// visitAnswer has the number of an answer: the rest is in its evaluation.
func visitAnswer(a *policies.Answer, v *state.Visitor) {
	state.Number(v, "Query.Number", &a.Query.Number)
	v.Rebuilt("from the evaluation", "Query", "AgainOf", "Forecast", "Seen", "Value", "Late", "Infeasible", "Below")
}

func visitForecast(f *policies.Forecast, v *state.Visitor) {
	v.Float("Mean", &f.Mean)
	v.Float("Stddev", &f.Stddev)
	state.Number(v, "Warp.Bend.Shape", &f.Warp.Shape)
	v.Float("Warp.Bend.Scale", &f.Warp.Scale)
	v.Float("Warp.Anchor", &f.Warp.Anchor)
	v.Float("Shift", &f.Shift)
	v.Float("Scale", &f.Scale)
	v.Float("Target", &f.Target)
	v.Float("Threshold", &f.Threshold)
	v.Floats("Levels", &f.Levels)
}

func (d *expiry) visit(v *state.Visitor) {
	state.Number(v, "at", &d.at)
	v.Numbers("evaluation attempt", &d.evaluation, &d.attempt)
}

func (p *plan) visit(v *state.Visitor) {
	state.Points(v, "contexts", &p.contexts)
	state.List(v, "queue", &p.queue, func(r *queued, v *state.Visitor) {
		state.Point(v, "x", &r.x)
		state.Point(v, "given", &r.given)
		state.Number(v, "lost", &r.lost)
	})
	state.List(v, "observations", &p.observations, func(o *observation, v *state.Visitor) {
		state.Point(v, "x", &o.x)
		state.Point(v, "given", &o.given)
		v.Float("value", &o.value)
		v.Floats("constraints", &o.constraints)
	})
	v.Numbers("asked ask.ID ask.Round ask.Count batch", &p.asked, &p.ask.ID, &p.ask.Round, &p.ask.Count, &p.batch)
	state.Part(v, "view", &p.view, visitView)
	state.Number(v, "wake", &p.wake)
	state.Number(v, "last", &p.last)
	v.Flags("stopped finished", &p.stopped, &p.finished)
	v.Unhashed("a reason decides nothing").Text("reason", &p.reason)
	v.Rebuilt("from the configuration", "design")
}

// visitView is that of the last ask, which may be open. Values that have come since are not in it.
func visitView(view *policies.View, v *state.Visitor) {
	state.Number(v, "Round", &view.Round)
	state.Number(v, "At", &view.At)
	state.Point(v, "Context", &view.Context)
	v.Flags("Quiet", &view.Quiet)
	v.Float("Funds", &view.Funds)
	v.Ints("Pending", &view.Pending)
	state.Number(v, "Window.Duration", &view.Window.Duration)
	state.List(v, "History", &view.History, visitAnswer)
	state.Part(v, "Caution.Account", &view.Caution.Account, (*safety.Account).Visit)
	v.Rebuilt("from the configuration", "Space", "Earlier", "Window.Rounds", "Window.Share", "Window.Strict", "Taught", "Caution.Seeds", "Caution.Promise")
	v.Rebuilt("from the evaluations up to its round", "Queries")
	v.Anew("every task has its own", "Belief", "Also", "Constraints", "success", "settled", "targets", "aside")
}
