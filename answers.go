package tarry

import (
	"fmt"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// Tell brings the value of a query, in the objective's units; any time. It returns nil when the value was taken or was
// known already, after the journal has it, also when the study has ended. Otherwise nothing was changed, and the error
// wraps ErrUnknownEvaluation, ErrContradiction, or ErrInvalidOption for a value that is not finite; or ErrNotKept, see there.
func (s *Study) Tell(id EvaluationID, value float64) error {
	return said(s.Answer(told(id, outcome.Of(value))))
}

// TellOutcome is Tell for more than a value.
func (s *Study) TellOutcome(id EvaluationID, o Outcome) error { return said(s.Answer(told(id, o))) }

// Fail says that an attempt ended without a value. Ask may return the query again, as Options.Retries says; a reason that
// wraps ErrInfeasible or ErrLost means what it does when an objective returns it. An evaluation that has an outcome keeps it, which is no error. Errors are those of Tell.
func (s *Study) Fail(id EvaluationID, reason error) error { return said(s.Answer(failed(id, reason))) }

// Cancel ends a pending evaluation. It costs no budget, and a value that comes all the same is late. An evaluation that
// has an outcome keeps it. An error wraps ErrUnknownEvaluation.
func (s *Study) Cancel(evaluation int, reason string) error {
	return said(s.Answer(cancelled(evaluation, reason)))
}

// Renew says that the answer to a query is still to be expected: its lease, where Options.Lease gives it one, begins anew. Of an
// attempt that is over, since its lease has ended for one, nothing begins anew, which is no error: a value that it brings is late, and counts. An error wraps ErrUnknownEvaluation or ErrEnded.
func (s *Study) Renew(id EvaluationID) error { return said(s.Answer(renewed(id))) }

// Enqueue names the point of the next query, in user units, with contexts or without; the world sets those. What is NaN
// is left open and drawn at random; but a fidelity that is left out is the greatest.
func (s *Study) Enqueue(x Point) error { return said(s.Answer(enqueued(x))) }

// Answer takes an event of package loop that somebody brings from outside, and returns what became of it; Tell, Fail, Cancel,
// Renew, Observe and Enqueue are short for it, and have its errors. Those events are loop.FeedbackArrived, EvaluationFailed,
// CancelRequested, LeaseRenewed, ObservationArrived, QueryEnqueued and ContextArrived; of what a study decides by itself, such
// as whether a value suffices, they are not believed. Of an observation the reaction names the evaluation that it is.
func (s *Study) Answer(e loop.Event) (loop.Reaction, error) {
	r, kept, err := s.AnswerAhead(e)
	if lost := kept.Wait(); err == nil {
		err = named(e, lost)
	}
	return r, err
}

// Tell brings the value of an evaluation, in the objective's units; any time, from anywhere. It returns nil when the value
// was taken or was known already, after the journal has it. Otherwise nothing was changed, and the error wraps
// ErrUnknownEvaluation, ErrContradiction, ErrEnded, ErrPaused, or ErrInvalidOption for a value that is not finite; or ErrNotKept, see there.
// Once the study has ended values are taken while it waits for its objectives to return, and none by a Run of a study that had ended
// before: such a value is brought by ResumeStudy and Study.Tell.
func (r *Run) Tell(id EvaluationID, value float64) error {
	return said(r.Answer(told(id, outcome.Of(value))))
}

// TellOutcome is Tell for more than a value.
func (r *Run) TellOutcome(id EvaluationID, o Outcome) error { return said(r.Answer(told(id, o))) }

// Fail says that an attempt ended without a value. It may be tried again, as Options.Retries says; a reason that wraps
// ErrInfeasible or ErrLost means what it does when an objective returns it. Errors are those of Tell.
func (r *Run) Fail(id EvaluationID, reason error) error { return said(r.Answer(failed(id, reason))) }

// Cancel ends a pending evaluation. It costs no budget, and a value that comes all the same is late. Errors wrap
// ErrUnknownEvaluation or ErrEnded; an evaluation that has an outcome keeps it.
func (r *Run) Cancel(evaluation int, reason string) error {
	return said(r.Answer(cancelled(evaluation, reason)))
}

// Renew says that an answer that follows is still to be expected: its lease begins anew.
func (r *Run) Renew(id EvaluationID) error { return said(r.Answer(renewed(id))) }

// Observe brings a value that was measured elsewhere, at x in user units, contexts included. It enters the model as an
// evaluation of its own, and costs no budget. What was rounded on its way counts as the value that it means (package space,
// Parameter.Exact), and a fidelity that is NaN, or has no coordinate, is the greatest. While the policy chooses a query, whose number comes first, it
// waits for that: a policy or a reader of events must not call it. Which evaluation it is, Answer says.
func (r *Run) Observe(x Point, value float64) error {
	return said(r.Answer(Observation{X: x, Value: value}))
}

// ObserveOutcome is Observe for a study that names constraints.
func (r *Run) ObserveOutcome(x Point, o Outcome) error {
	return said(r.Answer(Observation{X: x, Value: o.Value, Constraints: o.Constraints}))
}

// Enqueue names the point of the next query, in user units, with contexts or without; the world sets those. What is NaN
// is left open and drawn at random; but a fidelity that is left out is the greatest.
func (r *Run) Enqueue(x Point) error { return said(r.Answer(enqueued(x))) }

// Offer brings the context of the next query, one value for each context parameter of the space, in their order. A query
// is chosen only when a context is there.
func (r *Run) Offer(context ...float64) error { return r.engine.Offer(context) }

// Answer is Study.Answer for a study that goes on by itself. Of an observation that is kept, the reaction names no evaluation where the study was
// paused while a query was being chosen: it has a number once the study is resumed.
func (r *Run) Answer(e loop.Event) (loop.Reaction, error) {
	reaction, err := r.engine.Answer(e)
	return reaction, named(e, err)
}

func told(id EvaluationID, o Outcome) loop.Event {
	return loop.Answered(outcome.Answer{Evaluation: id.Evaluation, Attempt: id.Attempt, Outcome: o}, true)
}

func failed(id EvaluationID, reason error) loop.Event {
	return loop.Answered(outcome.Answer{Evaluation: id.Evaluation, Attempt: id.Attempt, Failure: outcome.FailureOf(reason)}, true)
}

func cancelled(evaluation int, reason string) loop.Event {
	return loop.CancelRequested{Evaluation: evaluation, Reason: reason}
}

func renewed(id EvaluationID) loop.Event {
	return loop.Renewal(id.Evaluation, id.Attempt)
}

func enqueued(x Point) loop.Event { return loop.QueryEnqueued{X: x} }

// said is the error of an answer.
func said(_ loop.Reaction, err error) error { return err }

// named adds the evaluation that an event names to an error.
func named(e loop.Event, err error) error {
	evaluation, attempt, names := loop.About(e)
	if err == nil || !names {
		return err
	}
	if _, all := e.(loop.CancelRequested); all {
		attempt = 1
	}
	return fmt.Errorf("tarry: evaluation %v: %w", EvaluationID{evaluation, attempt}, err)
}

// Evaluation returns one evaluation as it stands, and false when there is none with this number.
func (s *Study) Evaluation(number int) (Evaluation, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.look()
	if s.driver.Unsafe(number) {
		s.sync() // an error is said by whatever comes next
	}
	all := s.driver.Loop().Evaluations()
	if number < 1 || number > len(all) {
		return Evaluation{}, false
	}
	return newEvaluation(s.space, all[number-1]), true
}

// Best returns the evaluation with the best value that came, as Result.Best does, and false where there is none. It asks no model. Cost O(n) for n evaluations.
func (s *Study) Best() (Evaluation, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.look()
	best := s.driver.Loop().Best()
	if best != nil && s.driver.Unsafe(best.Number) {
		s.sync() // an error is said by whatever comes next
		best = s.driver.Loop().Best()
	}
	if best == nil {
		return Evaluation{}, false
	}
	return newEvaluation(s.space, *best), true
}

// Evaluations is how many there are.
func (s *Study) Evaluations() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.driver.Loop().Evaluations())
}
