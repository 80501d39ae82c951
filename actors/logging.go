package actors

import (
	"context"
	"errors"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"
	"go.uber.org/zap"
	"go.uber.org/zap/exp/zapslog"
	"go.uber.org/zap/zapcore"

	"github.com/tarry-bo/tarry/loop"
)

// SlogLogger returns a logger for an actor system that writes to zap, under the name "actor".
func SlogLogger(l *zap.Logger) func(*actor.ActorSystem) *slog.Logger {
	return func(*actor.ActorSystem) *slog.Logger {
		return slog.New(zapslog.NewHandler(l.Core(), zapslog.WithName("actor")))
	}
}

// addReaders lists who reads the notices.
func (d *Driver) addReaders() error {
	if log := d.config.Logger; log.Core().Enabled(zapcore.ErrorLevel) {
		d.readers = append(d.readers, func(n Notice) {
			level, message, fields := headline(n)
			if entry := log.Check(level, message); entry != nil {
				entry.Write(append(fields, circumstances(n)...)...)
			}
		})
	}
	if err := d.addMetrics(); err != nil {
		return err
	}
	if d.config.OnEvent != nil {
		d.readers = append(d.readers, d.config.OnEvent)
	}
	return nil
}

// Describe returns how a notice is logged: debug for what goes as planned, info for what somebody may wait for, warn for
// what somebody may want to look at. Messages are constants; what varies is in the fields.
func Describe(n Notice) (zapcore.Level, string, []zap.Field) {
	level, message, fields := headline(n)
	return level, message, append(fields, circumstances(n)...)
}

// headline returns level, message, and the fields that belong to the event itself.
func headline(n Notice) (zapcore.Level, string, []zap.Field) {
	level, message, fields := describeEvent(n)
	if n.Improved && level == zapcore.DebugLevel {
		level, message = zapcore.InfoLevel, "new incumbent"
		switch n.Event.(type) {
		case loop.FeedbackArrived, loop.ObservationArrived:
		default: // a value that came from elsewhere while the policy chose counts from here on
			fields = append(fields, zap.Int("best", n.Incumbent.Number), zap.Float64("y", n.Incumbent.Value))
		}
	}
	if n.Reaction.Fate != loop.FateTaken || len(n.Reaction.Expired) > 0 {
		level = max(level, zapcore.WarnLevel)
	}
	return level, message, fields
}

// circumstances are the fields that every notice has.
func circumstances(n Notice) []zap.Field {
	fields := []zap.Field{
		zap.String("study", n.Study), zap.Uint64("seq", n.Seq), zap.Duration("at", n.At),
		zap.Int("round", n.Chosen), zap.Int("pending", n.Pending), zap.Stringer("outcome", n.Reaction.Fate),
	}
	fields = append(append(append(fields, subject(n)...), expired(n)...), promised(n.Safety)...)
	if n.Incumbent.Number > 0 {
		fields = append(fields, zap.Float64("incumbent", n.Incumbent.Value))
	}
	return fields
}

// promised is how the promise about the constraints stands: what counts as a violation, how many more are allowed where there is a
// promise, and what holds the study back.
func promised(s *loop.Safety) []zap.Field {
	if s == nil {
		return nil
	}
	fields := []zap.Field{zap.Int("violations", s.Account.Violations), zap.Int("unanswered", s.Account.Pending), zap.Int("counted", s.Counted)}
	if s.Promises {
		fields = append(fields, zap.Int("allowed", s.Terms.Allowed), zap.Int("left", s.Left), zap.Stringer("beta", s.Beta))
	}
	if s.Why != "" {
		fields = append(fields, zap.String("caution", s.Why))
	}
	return fields
}

// describeEvent returns the least level of an event, its message and the fields of its own.
func describeEvent(n Notice) (zapcore.Level, string, []zap.Field) {
	const debug, info, warn = zapcore.DebugLevel, zapcore.InfoLevel, zapcore.WarnLevel
	switch e := n.Event.(type) {
	case loop.WorkerJoined:
		return debug, "worker joined", []zap.Field{zap.Int("worker", e.Worker), zap.Int("slots", e.Slots)}
	case loop.WorkerResized:
		return debug, "worker resized", []zap.Field{zap.Int("worker", e.Worker), zap.Int("slots", e.Slots)}
	case loop.WorkerLeft:
		return warn, "worker left", []zap.Field{zap.Int("worker", e.Worker), zap.String("reason", e.Reason)}
	case loop.Proposed:
		fields := []zap.Field{zap.Int("ask", e.Ask)}
		if n.Reaction.Unusable != "" {
			fields = append(fields, zap.String("reason", n.Reaction.Unusable))
		}
		return debug, "policy answered", fields
	case loop.ProposeFailed:
		return warn, "policy failed", []zap.Field{zap.Int("ask", e.Ask), zap.String("reason", e.Reason)}
	case loop.Fitted:
		fields := []zap.Field{zap.Int("fit", e.Fit), zap.Float64s("hyper", e.Hyper), zap.Float64("noise", e.Noise), zap.Float64("logEvidence", e.LogEvidence)}
		if len(e.Outliers) > 0 {
			fields = append(fields, zap.Ints("outliers", e.Outliers))
		}
		if e.Penal {
			fields = append(fields, zap.Bool("penalties", true))
		}
		return info, "fitted", fields
	case loop.FitFailed:
		return warn, "fit failed", []zap.Field{zap.Int("fit", e.Fit), zap.String("reason", e.Reason)}
	case loop.FeedbackArrived:
		return debug, "feedback arrived", value(n, e.Value)
	case loop.AnswerFollows:
		return debug, "answer follows", nil
	case loop.EvaluationFailed:
		return warn, "attempt failed", []zap.Field{zap.String("reason", e.Reason)}
	case loop.ContextArrived:
		return debug, "context arrived", []zap.Field{zap.Float64s("context", e.Context)}
	case loop.Reported:
		if n.Reaction.Fate == loop.FateTaken && n.Reaction.Status == loop.Stopped {
			return info, "evaluation stopped", []zap.Field{zap.Float64("step", e.Step), zap.Float64("y", e.Value), zap.String("reason", n.Evaluation.Reason)}
		}
		return debug, "value reported", []zap.Field{zap.Float64("step", e.Step), zap.Float64("y", e.Value)}
	case loop.LeaseRenewed:
		return debug, "lease renewed", nil
	case loop.CancelRequested:
		return info, "evaluation cancelled", []zap.Field{zap.String("reason", e.Reason)}
	case loop.ObservationArrived:
		fields := []zap.Field{zap.Float64s("x", e.X), zap.Float64("y", e.Value)}
		if n.Costs {
			fields = append(fields, charged(n.Cost, n.BudgetCost)...)
		}
		return debug, "observation arrived", fields
	case loop.QueryEnqueued:
		return debug, "query enqueued", []zap.Field{zap.Float64s("x", e.X)}
	case loop.WorkerFreed:
		return debug, "worker freed", nil
	case loop.BudgetSet:
		return info, "budget set", []zap.Field{zap.Int("budget", e.Budget), zap.Float64("cost", e.Cost)}
	case loop.Resumed:
		return info, "study resumed", nil
	case loop.StopRequested:
		return info, "stop requested", []zap.Field{zap.String("reason", e.Reason)}
	}
	return debug, "time passed", nil
}

// subject is the evaluation and the attempt that a notice is about. An event that names them is believed: it may be the
// wrong ones that need looking at. The worker is that of the latest attempt, and of no other.
func subject(n Notice) []zap.Field {
	e, number, attempt := n.Evaluation, n.Reaction.Evaluation, n.Reaction.Attempt
	if number == 0 && attempt == 0 {
		return nil
	}
	fields := []zap.Field{zap.Int("evaluation", number), zap.Int("attempt", attempt)}
	if e.Number > 0 {
		fields = append(fields, zap.Float64s("x", n.X))
		if attempt == e.Attempt {
			fields = append(fields, zap.Int("worker", e.Worker))
		}
	}
	return fields
}

// expired lists the evaluations for which nobody waits any longer, because an attempt took too long, whatever else the event says.
func expired(n Notice) []zap.Field {
	if len(n.Reaction.Expired) == 0 {
		return nil
	}
	var numbers []int
	for _, x := range n.Reaction.Expired {
		numbers = append(numbers, x.Evaluation)
	}
	return []zap.Field{zap.Ints("cancelled", numbers)}
}

// value is what the feedback brought, and how long it took since its query was first dispatched.
func value(n Notice, y float64) []zap.Field {
	fields := []zap.Field{zap.Float64("y", y)}
	if n.Evaluation.Number > 0 {
		fields = append(fields, zap.Duration("delay", n.At-n.Evaluation.Dispatched))
	}
	if n.Costs {
		fields = append(append(fields, zap.Float64("cost", n.Own)), charged(n.Cost, n.BudgetCost)...)
	}
	if n.Reaction.Judged {
		fields = append(fields, forecasts(n.Coverage)...)
	}
	return fields
}

// charged is what all evaluations cost so far, and what they may cost together where that is limited.
func charged(total, budget float64) []zap.Field {
	fields := []zap.Field{zap.Float64("totalCost", total)}
	if budget > 0 {
		fields = append(fields, zap.Float64("budgetCost", budget))
	}
	return fields
}

// forecasts are the shares of values that were where they were expected, so far.
func forecasts(c loop.Coverage) []zap.Field {
	var fields []zap.Field
	if c.Judged > 0 {
		fields = append(fields, zap.Float64("central", c.CentralShare()))
	}
	if c.Issued > 0 {
		fields = append(fields, zap.Float64("held", c.HeldShare()))
	}
	return fields
}

// logStart says that the study starts, or goes on, before anything happens in it.
func (d *Driver) logStart() {
	s := d.config.Study
	fields := promised(d.loop.Safety())
	if d.costs() {
		fields = append(fields, charged(d.loop.Cost(), d.loop.Config().BudgetCost)...)
	}
	d.config.Logger.Info("study started", append(fields, zap.String("study", d.config.Name), zap.String("policy", s.Traits.Name),
		zap.Int("budget", d.loop.Config().Budget), zap.Int("workers", d.config.Workers), zap.Uint64("seed", s.Seed))...)
}

var errClosed = errors.New("closed before its end")

// LogEnd says how the study ended, the first time: as it should, for the error, or, where it goes on, that it is closed. It is for the driver's
// own goroutine, after the readers have heard of all events.
func (d *Driver) LogEnd(err error) {
	if err == nil && !d.loop.Finished() {
		err = errClosed
	}
	r := loop.Result{Evaluations: d.loop.Evaluations(), Safety: d.loop.Safety(), Reason: d.loop.Reason()}
	if k := d.chronicle.incumbent; k > 0 {
		r.Best = &r.Evaluations[k-1]
	}
	d.logResult(err, r)
}

// logResult is an error when the study did not end as somebody wanted.
func (d *Driver) logResult(err error, r loop.Result) {
	if d.logged {
		return
	}
	d.logged = true
	fields := []zap.Field{zap.String("study", d.config.Name), zap.Duration("at", d.chronicle.at), zap.Int("evaluations", len(r.Evaluations))}
	fields = append(fields, promised(r.Safety)...)
	if d.costs() {
		fields = append(fields, charged(d.loop.Cost(), d.loop.Config().BudgetCost)...)
	}
	if best := r.Best; best != nil {
		fields = append(fields, zap.Float64("incumbent", best.Value))
	}
	switch {
	case err == nil:
		d.config.Logger.Info("study ended", append(fields, zap.String("reason", r.Reason))...)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrEnded), errors.Is(err, errClosed):
		d.config.Logger.Info("study interrupted", append(fields, zap.String("reason", err.Error()))...)
	default:
		d.config.Logger.Error("study broken off", append(fields, zap.Error(err))...)
	}
}

// logEnd says how the study ended. So many attempts have not returned.
func (c *coordinator) logEnd(left int) {
	if left > 0 {
		c.config.Logger.Warn("objectives ignore their context and are left behind", zap.String("study", c.config.Name), zap.Int("attempts", left))
	}
	c.logResult(c.ending.Err, c.ending.Result)
}
