package journal

import (
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// forms has every type of event. The kinds and the names of the members are a file format: what is written once is never
// renamed, whatever the type is called now, and a member that is added may be absent.
var forms = [...]form{
	formOf("feedback_arrived", func(f *fields, e *loop.FeedbackArrived) {
		f.int(must, "evaluation", &e.Evaluation)
		f.int(must, "attempt", &e.Attempt)
		f.number(must, "value", &e.Value)
		f.number(may, "cost", &e.Cost)
		numbers(f, "constraints", &e.Constraints)
		f.bool(may, "infeasible", &e.Infeasible)
		f.bool(may, "told", &e.Told)
		f.bool(may, "suffices", &e.Suffices)
		f.bool(may, "found", &e.Found)
	}),
	formOf("proposed", func(f *fields, e *loop.Proposed) {
		f.int(must, "ask", &e.Ask)
		list(f, "proposals", &e.Proposals, visitProposal)
		structure(f, may, "trouble", &e.Trouble, visitTrouble)
	}),
	formOf("propose_failed", func(f *fields, e *loop.ProposeFailed) {
		f.int(must, "ask", &e.Ask)
		f.text(may, "reason", &e.Reason)
	}),
	formOf("fitted", func(f *fields, e *loop.Fitted) {
		f.int(must, "fit", &e.Fit)
		numbers(f, "hyper", &e.Hyper)
		f.number(must, "noise", &e.Noise)
		f.number(must, "log_evidence", &e.LogEvidence)
		f.text(may, "kernel", &e.Kernel)
		visitBend(f, "warp", &e.Warp)
		f.number(may, "shift", &e.Shift)
		f.number(may, "scale", &e.Scale)
		ints(f, "outliers", &e.Outliers)
		f.bool(may, "penal", &e.Penal)
		f.number(may, "penalty", &e.Penalty)
		rows(f, "particles", &e.Particles)
		f.bool(may, "doubtful", &e.Doubtful)
	}),
	formOf("fit_failed", func(f *fields, e *loop.FitFailed) {
		f.int(must, "fit", &e.Fit)
		f.text(may, "reason", &e.Reason)
	}),
	formOf("answer_follows", func(f *fields, e *loop.AnswerFollows) {
		f.int(must, "evaluation", &e.Evaluation)
		f.int(must, "attempt", &e.Attempt)
		f.bool(may, "retire", &e.Retire)
	}),
	formOf("evaluation_failed", func(f *fields, e *loop.EvaluationFailed) {
		f.int(must, "evaluation", &e.Evaluation)
		f.int(must, "attempt", &e.Attempt)
		f.text(may, "reason", &e.Reason)
		enum(f, must, "verdict", &e.Verdict, "failed", "infeasible", "lost")
		f.bool(may, "told", &e.Told)
		f.bool(may, "found", &e.Found)
	}),
	formOf("lease_renewed", func(f *fields, e *loop.LeaseRenewed) {
		f.int(must, "evaluation", &e.Evaluation)
		f.int(must, "attempt", &e.Attempt)
	}),
	formOf("reported", func(f *fields, e *loop.Reported) {
		f.int(must, "evaluation", &e.Evaluation)
		f.int(must, "attempt", &e.Attempt)
		f.number(must, "step", &e.Step)
		f.number(must, "value", &e.Value)
	}),
	formOf("woke", func(*fields, *loop.Woke) {}),
	formOf("worker_joined", func(f *fields, e *loop.WorkerJoined) {
		f.int(must, "worker", &e.Worker)
		f.int(must, "slots", &e.Slots)
	}),
	formOf("worker_resized", func(f *fields, e *loop.WorkerResized) {
		f.int(must, "worker", &e.Worker)
		f.int(must, "slots", &e.Slots)
	}),
	formOf("worker_left", func(f *fields, e *loop.WorkerLeft) {
		f.int(must, "worker", &e.Worker)
		f.text(may, "reason", &e.Reason)
	}),
	formOf("worker_freed", func(f *fields, e *loop.WorkerFreed) {
		f.int(must, "evaluation", &e.Evaluation)
		f.int(must, "attempt", &e.Attempt)
	}),
	formOf("context_arrived", func(f *fields, e *loop.ContextArrived) {
		numbers(f, "context", &e.Context)
	}),
	formOf("observation_arrived", func(f *fields, e *loop.ObservationArrived) {
		numbers(f, "x", &e.X)
		f.number(must, "value", &e.Value)
		numbers(f, "constraints", &e.Constraints)
	}),
	formOf("query_requested", func(f *fields, e *loop.QueryEnqueued) {
		numbers(f, "x", &e.X)
	}),
	formOf("cancel_requested", func(f *fields, e *loop.CancelRequested) {
		f.int(must, "evaluation", &e.Evaluation)
		f.text(may, "reason", &e.Reason)
	}),
	formOf("stop_requested", func(f *fields, e *loop.StopRequested) {
		f.text(may, "reason", &e.Reason)
	}),
	formOf("resumed", func(*fields, *loop.Resumed) {}),
	formOf("budget_set", func(f *fields, e *loop.BudgetSet) {
		f.int(must, "budget", &e.Budget)
		f.number(may, "cost", &e.Cost)
	}),
}

func visitProposal(f *fields, p *policies.Proposal) {
	numbers(f, "x", &p.X)
	pointer(f, "forecast", &p.Forecast, visitForecast)
	f.number(may, "probability", &p.Probability)
	f.bool(may, "again", &p.Again)
}

func visitForecast(f *fields, p *policies.Forecast) {
	f.number(must, "mean", &p.Mean)
	f.number(must, "stddev", &p.Stddev)
	visitBend(f, "warp", &p.Warp.Bend)
	f.number(may, "warp_anchor", &p.Warp.Anchor)
	f.number(must, "shift", &p.Shift)
	f.number(must, "scale", &p.Scale)
	f.number(may, "target", &p.Target)
	f.number(may, "threshold", &p.Threshold)
	numbers(f, "levels", &p.Levels)
}

// visitBend is a warp that is absent where it is the identity.
func visitBend(f *fields, name string, b *feedback.Bend) {
	structure(f, may, name, b, func(f *fields, b *feedback.Bend) {
		f.number(may, "scale", &b.Scale)
		enum(f, may, "shape", &b.Shape, "below", "both", "above")
	})
}

func visitTrouble(f *fields, t *loop.Trouble) {
	f.int(may, "jittered", &t.Jittered)
	f.int(may, "lifted", &t.Lifted)
	f.int(may, "merged", &t.Merged)
	f.int(may, "raised", &t.Raised)
}
