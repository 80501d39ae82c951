package actors

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// Observation is a value that was measured elsewhere, at X in user units, contexts included.
type Observation = loop.ObservationArrived

// Answer takes an event that somebody brings from outside, by way of take, and returns what became of it: a value, a failure, a
// cancellation, a sign of life, a context, a value from elsewhere, or a point to be queried. The error is nil when it was taken
// or said what was known; otherwise nothing was changed, and it says why. Both are final when Sync has returned. Of a value from elsewhere the
// reaction names the evaluation that it became, unless it waits for an ask to close.
//
// What the study alone decides is not believed: Told is set, since a worker's own answer comes another way, Suffices follows
// from the target, and number and time are given by whoever keeps the event. Numbers that were rounded on their way are brought
// back, and slices copied.
func (d *Driver) Answer(event loop.Event, take func(loop.Event) (loop.Reaction, error)) (loop.Reaction, error) {
	switch e := event.(type) {
	case loop.FeedbackArrived:
		return d.tell(e, take)
	case loop.EvaluationFailed:
		e.Told = true
		r, err := take(e)
		if err == nil && r.Fate == loop.FateContradictory {
			err = d.contradicts(e.Evaluation, "infeasible")
		}
		return d.known(r, err)
	case loop.CancelRequested, loop.LeaseRenewed:
		return d.known(take(e))
	case loop.Reported:
		return d.report(e, take)
	case loop.ContextArrived:
		return d.offer(e, take)
	case loop.ObservationArrived:
		return d.observe(e, take)
	case loop.QueryEnqueued:
		return d.enqueue(e, take)
	}
	return loop.Reaction{Fate: loop.FateRefused}, fmt.Errorf("%T is not for others to say: want a value, a failure, a cancellation, a renewal, a report, a context, an observation or a query", event)
}

func (d *Driver) tell(e loop.FeedbackArrived, take func(loop.Event) (loop.Reaction, error)) (loop.Reaction, error) {
	if err := d.config.Study.ValidateOutcome(e.Outcome); err != nil {
		return loop.Reaction{Fate: loop.FateRefused, Evaluation: e.Evaluation, Attempt: e.Attempt}, err
	}
	e.Constraints, e.Told = slices.Clone(e.Constraints), true // the event is kept, and the caller may use the slice again
	r, err := take(e)
	switch {
	case err != nil && d.has(e):
		return loop.Reaction{Fate: loop.FateRepeated, Evaluation: e.Evaluation, Attempt: e.Attempt, Status: d.loop.Evaluations()[e.Evaluation-1].Status}, nil
	case err == nil && r.Fate == loop.FateContradictory:
		err = d.contradicts(e.Evaluation, said(e.Outcome))
	}
	return d.known(r, err)
}

// Hear takes what the worker of an attempt says of it, by way of take, as Answer takes what others say: an outcome that is no value is
// a failed attempt, and the slot of the attempt is free. The worker may have left long since.
func (d *Driver) Hear(a outcome.Answer, take func(loop.Event) (loop.Reaction, error)) (loop.Reaction, error) {
	if a.Returned && !d.loop.Overdue(a.Evaluation, a.Attempt) {
		return loop.Reaction{Fate: loop.FateUnknown, Evaluation: a.Evaluation, Attempt: a.Attempt}, nil // its slot is free already
	}
	event := loop.Answered(a, false)
	r, err := take(event)
	if e, value := event.(loop.FeedbackArrived); value && err != nil && d.has(e) {
		return loop.Reaction{Fate: loop.FateRepeated, Evaluation: a.Evaluation, Attempt: a.Attempt, Status: d.evaluation(a.Evaluation).Status}, nil
	}
	if err == nil && r.Fate == loop.FateContradictory {
		now := said(a.Outcome)
		if a.Failed() {
			now = "infeasible" // no other failure says anything against a value
		}
		err = d.contradicts(a.Evaluation, now)
	}
	return d.known(r, err)
}

// report takes a value from the way to the end. One that is stale, or of an attempt that has come to its end, is no error: nothing is
// wrong with who brings it, and the reaction says what became of it.
func (d *Driver) report(e loop.Reported, take func(loop.Event) (loop.Reaction, error)) (loop.Reaction, error) {
	r, err := take(e)
	switch {
	case err != nil:
	case r.Fate == loop.FateRefused:
		var l check.List
		l.Finite("step", e.Step)
		l.Finite("value", e.Value)
		err = l.Err()
	case r.Fate == loop.FateContradictory:
		err = fmt.Errorf("%w: another value than %v was reported at step %v", ErrContradiction, e.Value, e.Step)
	}
	return d.known(r, err)
}

// contradicts is the error of an answer to an evaluation that has another.
func (d *Driver) contradicts(number int, now string) error {
	return fmt.Errorf("%w: %s, now %s", ErrContradiction, said(d.loop.Evaluations()[number-1].Outcome), now)
}

// said is an outcome in a few words.
func said(o outcome.Outcome) string {
	if o.Infeasible && !outcome.Finite(o.Value) {
		return "infeasible"
	}
	text := fmt.Sprint(o.Value)
	if len(o.Constraints) > 0 {
		text += fmt.Sprintf(" with constraints %v", o.Constraints)
	}
	return text
}

// decided sets what the study decides of a value: whether it suffices.
func (d *Driver) decided(event loop.Event) loop.Event {
	if e, feedback := event.(loop.FeedbackArrived); feedback && e.Suffices != d.suffices(e.Value) {
		e.Suffices = !e.Suffices
		return e
	}
	return event
}

// keeps notes a value that is not safely kept yet.
func (d *Driver) keeps(event loop.Event) {
	if e, feedback := event.(loop.FeedbackArrived); feedback && d.config.Journal != nil {
		d.unsafe = append(d.unsafe, e.Evaluation)
	}
}

// Unsafe reports whether a value came for an evaluation that is not safely kept yet.
func (d *Driver) Unsafe(evaluation int) bool { return slices.Contains(d.unsafe, evaluation) }

// has reports whether a value is known already, and kept.
func (d *Driver) has(told loop.FeedbackArrived) bool {
	all := d.loop.Evaluations()
	if told.Evaluation < 1 || told.Evaluation > len(all) || d.Unsafe(told.Evaluation) {
		return false
	}
	e := all[told.Evaluation-1]
	return e.Repeats(told.Outcome)
}

// known adds an error when an answer named what does not exist.
func (d *Driver) known(r loop.Reaction, err error) (loop.Reaction, error) {
	if err != nil || r.Fate != loop.FateUnknown {
		return r, err
	}
	all := d.loop.Evaluations()
	if r.Evaluation < 1 || r.Evaluation > len(all) {
		return r, fmt.Errorf("%w: number %d: want 1 … %d", ErrUnknownEvaluation, r.Evaluation, len(all))
	}
	return r, fmt.Errorf("%w: attempt %d: want 1 … %d", ErrUnknownEvaluation, r.Attempt, all[r.Evaluation-1].Attempt)
}

// refused adds an error, which says what there may be, when an event was refused.
func refused(r loop.Reaction, err error, format string, args ...any) (loop.Reaction, error) {
	if err == nil && r.Fate == loop.FateRefused {
		err = fmt.Errorf(format, args...)
	}
	return r, err
}

func (d *Driver) offer(e loop.ContextArrived, take func(loop.Event) (loop.Reaction, error)) (loop.Reaction, error) {
	e.Context = d.config.Study.Space.ExactContext(e.Context) // a copy: the event is kept, and the caller may use the slice again
	if err := d.config.Study.Space.ContainsContext(e.Context); err != nil {
		return loop.Reaction{Fate: loop.FateRefused}, err
	}
	r, err := take(e)
	return refused(r, err, "%d contexts wait for their queries: want no more for now", loop.MaxContexts)
}

func (d *Driver) observe(e loop.ObservationArrived, take func(loop.Event) (loop.Reaction, error)) (loop.Reaction, error) {
	e.X = d.config.Study.Space.Meant(e.X)
	err := observable(d.config.Study, e)
	e.Constraints = slices.Clone(e.Constraints)
	if err != nil {
		return loop.Reaction{Fate: loop.FateRefused}, err
	}
	r, err := take(e)
	return refused(d.numbered(r), err, "observations of this study: want at most %d, and %d while a query is being chosen", loop.MaxForeign, loop.MaxEnqueued)
}

// numbered adds the evaluation that an observation became to what became of its event; where it waits for an ask to close there is none.
func (d *Driver) numbered(r loop.Reaction) loop.Reaction {
	if number, admitted := d.loop.Admitted(r.Observation); admitted {
		r.Evaluation, r.Status = number, d.loop.Evaluations()[number-1].Status
	}
	return r
}

func (d *Driver) enqueue(e loop.QueryEnqueued, take func(loop.Event) (loop.Reaction, error)) (loop.Reaction, error) {
	e.X = d.config.Study.Space.Meant(e.X)
	err := d.config.Study.Space.Admits(e.X)
	if err == nil && d.loop.Finished() {
		err = ErrEnded
	}
	if err != nil {
		return loop.Reaction{Fate: loop.FateRefused}, err
	}
	r, err := take(e)
	return refused(r, err, "enqueue %v: want a point of the space, and at most %d that wait", e.X, loop.MaxEnqueued)
}

// Offer brings the context of the next query, in user units, one value for each context parameter of the space.
func (e *Engine) Offer(context space.Point) error {
	return e.say(loop.ContextArrived{Context: context})
}

// prepare brings what the study begins with: what is known, and what is to be queried first. Its loop was told how much that is, and does not end before.
func (d *Driver) prepare() error {
	take := func(e loop.Event) (loop.Reaction, error) { return d.Step(0, e) }
	for _, k := range d.config.Known {
		if _, err := d.Answer(k, take); err != nil {
			return err
		}
	}
	for _, x := range d.config.First {
		if _, err := d.Answer(loop.QueryEnqueued{X: x}, take); err != nil {
			return err
		}
	}
	return d.Sync()
}

// observable returns nil when an observation can be one of a study.
func observable(c loop.Config, o Observation) error {
	return errors.Join(c.ValidateOutcome(outcome.Outcome{Value: o.Value, Constraints: o.Constraints}), c.Space.Contains(o.X))
}
