package loop

import (
	"errors"
	"math"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// Where a configuration names constraints, each value comes with a value of each of them, and each is an output of the model, whose
// values are its margins: where all are ≥ 0 the point is feasible. An evaluation that violates a constraint is infeasible, and never
// the best; but it has not failed: the margins are learned, and so is its value, unless Config.IgnoreInfeasible says that such values
// mean nothing.

// outputs returns what is known of the objective and of the margins before any value. Hyperparameters that are given are those of
// the objective; those of margins are always learned. Where safety is wanted a margin is expected to be zero as long as nothing is known,
// and not as good as at the seeds.
func (c Config) outputs(objective model.Spec) []model.Spec {
	out := []model.Spec{objective}
	for range c.Constraints {
		prior, _ := c.prior() // Validate has seen it
		out = append(out, model.Spec{Prior: prior, Kernels: c.kernels(), Sums: c.sums(), Warped: c.warped(), Fidelity: c.axis(), Origin: c.Traits.Safety.Seeds})
	}
	return out
}

// beliefs returns what the policy looks at, and after that each margin. A query that pends is hallucinated there where the policy
// censors: that its answer is late says nothing of its margins.
func (c Config) beliefs() []model.Want {
	wants := c.Traits.Beliefs()
	if !c.Traits.Model {
		return wants
	}
	how := feedback.Hallucinate
	if c.Traits.Pending == feedback.Ignore {
		how = feedback.Ignore
	}
	for i := range c.Constraints {
		wants = append(wants, model.Want{Output: model.Constraint(i), Pending: how})
	}
	return wants
}

// flaw says why an outcome is none, or returns an empty text: a number of it is not finite, or that of a constraint is missing.
func (c Config) flaw(o outcome.Outcome) string {
	if flaw := o.Flaw(); flaw != "" {
		return flaw
	}
	if err := outcome.Complete(c.Constraints, o.Constraints); err != nil {
		return strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	return ""
}

// ValidateOutcome returns an error that names every number of an outcome that is not finite, and every constraint of the study that has
// no value, or nil. Each is a check.FieldError.
func (c Config) ValidateOutcome(o outcome.Outcome) error {
	if len(c.Constraints) == 0 {
		return o.Validate()
	}
	values := o.Constraints
	o.Constraints = nil
	return errors.Join(o.Validate(), outcome.Complete(c.Constraints, values))
}

// violation says why an outcome without a flaw is infeasible, or returns an empty text.
func (c Config) violation(o outcome.Outcome) string {
	if len(c.Constraints) == 0 {
		return o.Violation()
	}
	violated := outcome.Violation(c.Constraints, o.Constraints)
	if violated == "" && o.Infeasible {
		return "infeasible"
	}
	return violated
}

// reveal tells a model the value and the margins of an evaluation, which came at a time and which the selection of Seen can see.
func (l *Loop) reveal(to *model.Model, e *Evaluation, at time.Duration) (late bool) {
	for i, c := range l.config.Constraints {
		late = to.Reveal(model.Constraint(i), e.Number, model.Measurement{Value: c.Margin(e.Constraints[i])}, e.Seen, at)
	}
	if e.Infeasible && l.config.IgnoreInfeasible {
		to.Remove(e.Number)
		return late
	}
	return to.Reveal(model.Objective, e.Number, model.Measurement{Value: l.config.Sense().Sign() * e.Value, Barred: e.Infeasible || e.Below}, e.Seen, at)
}

// violates makes an evaluation infeasible whose outcome violates a constraint; where constraints have names the margins are learned.
func (l *Loop) violates(ev *Evaluation, why string, round int) {
	ev.Outcome.Infeasible = true
	learns, gone := outcome.Violation(l.config.Constraints, ev.Constraints) != "", ev.Status != Pending || ev.Forgotten
	stopped := ev.Status == Stopped
	switch {
	case ev.Status == Infeasible:
	case !learns:
		l.forbid(ev, why)
	default:
		l.became(FateGivenUp)
		l.counts.Infeasible++
		ev.Reason = clip(why)
		l.settle(ev, Infeasible)
	}
	if !learns {
		return
	}
	ev.Seen, ev.outlived = round, gone
	l.found(ev)
	if stopped {
		l.model.Remove(ev.Number) // it was given up: its value is late
	}
	l.reveal(&l.model, ev, l.now)
	l.compare(ev)
	if l.remembers(ev) {
		l.remember(ev)
	}
	l.distrust(ev)
}

// remembers reports whether the value of an evaluation is part of the history.
func (l *Loop) remembers(e *Evaluation) bool {
	return e.Status.Valued() || e.Seen > 0 && !l.config.IgnoreInfeasible
}

// remember adds an answer to the history, and judges its forecast.
func (l *Loop) remember(ev *Evaluation) {
	answer := l.answered(ev.Number)
	if l.config.Traits.Adapts && l.ledger.level(answer.Value) {
		l.model.Startle(model.Objective)
	}
	l.ledger.record(answer)
	l.judge(ev)
}

// learned reports whether the model knows what came of an evaluation: its value, or its margins at least.
func (l *Loop) learned(e *Evaluation) bool {
	return e.Status.Valued() || e.Status == Infeasible && e.Measured && outcome.Violation(l.config.Constraints, e.Constraints) != ""
}

// constraints are those with names, with what is believed of each after everything that has happened.
func (l *Loop) constraints() ([]policies.Constraint, error) {
	outlooks, err := l.outlooks()
	return l.constraintsOf(outlooks), err
}

// outlooks are what is believed of the constraints with names after everything that has happened, in their order.
func (l *Loop) outlooks() (out []model.Outlook, err error) {
	for i := range l.config.Constraints {
		o, err := l.believes(len(l.config.Traits.Beliefs()) + i)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// constraintsOf are those constraints as a policy sees them.
func (l *Loop) constraintsOf(outlooks []model.Outlook) (out []policies.Constraint) {
	for i, o := range outlooks {
		out = append(out, policies.Constraint{Constraint: l.config.Constraints[i], Belief: o.Belief})
	}
	return out
}

// soughtBy are those constraints for whoever looks for a point: with the bad values of failures, where policies see some.
func (l *Loop) soughtBy(outlooks []model.Outlook) []policies.Constraint {
	out := l.constraintsOf(outlooks)
	for i, o := range outlooks {
		out[i].Belief = o.Search
	}
	return out
}

// Feasibility is what the answers that have come say of the constraints at a point.
type Feasibility struct {
	Probability float64 // that all hold, as functions without noise that do not depend on each other
	Constraints []Margin
}

// Margin is what the model says of a constraint at a point, in the user's units. See Prediction.
type Margin struct {
	outcome.Constraint
	Prediction          // of what is measured
	Probability float64 // that the constraint holds
}

// Feasible returns what the model says of the constraints at a point in user units, contexts included; nil where none have names.
// Nothing changes. Errors are those of Predict, and its cost is that for each constraint.
func (l *Loop) Feasible(x space.Point) (*Feasibility, error) {
	u, err := l.config.Space.Unit(x)
	if err != nil || len(l.config.Constraints) == 0 {
		return nil, err
	}
	constraints, err := l.constraints()
	if err != nil {
		return nil, err
	}
	return feasibility(constraints, u), nil
}

func feasibility(of []policies.Constraint, x space.Unit) *Feasibility {
	f := &Feasibility{Probability: policies.View{Constraints: of}.Region().Probability(x)}
	for i, c := range of {
		mean, variance := c.Posterior.Predict(x)
		f.Constraints = append(f.Constraints, Margin{
			Constraint: c.Constraint,
			Prediction: Prediction{
				Mean: c.Value(c.Units.From(mean)), Stddev: c.Units.Deviation(mean, math.Sqrt(max(variance, 0))),
				Noise: c.Units.Deviation(mean, math.Sqrt(c.Posterior.Noise())),
			},
			Probability: policies.View{Constraints: of[i : i+1]}.Region().Probability(x),
		})
	}
	return f
}

func (c *Config) wantsConstraints() string { return outcome.CheckConstraints(c.Constraints) }
