package tarry

import (
	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/outcome"
)

// Tell brings the value of a query, in the objective's units; any time. It returns nil when the value was taken or was
// known already, after the journal has it, also when the study has ended. Otherwise nothing was changed, and the error
// wraps ErrUnknownEvaluation, ErrContradiction, or ErrInvalidOption for a value that is not finite.
func (s *Study) Tell(id EvaluationID, value float64) error {
	return named(id, s.answer(actors.Tell{Evaluation: id.Evaluation, Attempt: id.Attempt, Outcome: outcome.Of(value)}))
}

// TellOutcome is Tell for more than a value.
func (s *Study) TellOutcome(id EvaluationID, outcome Outcome) error {
	return named(id, s.answer(tellOf(id, outcome)))
}

// Fail says that an attempt ended without a value. Ask may return the query again, as Options.Retries says; a reason that
// wraps ErrInfeasible or ErrLost means what it does when an objective returns it. Errors are those of Tell.
func (s *Study) Fail(id EvaluationID, reason error) error {
	return named(id, s.answer(failOf(id, reason)))
}

// Cancel gives up a pending evaluation. It costs no budget, and a value that comes all the same is late. An evaluation that
// has an outcome keeps it. An error wraps ErrUnknownEvaluation.
func (s *Study) Cancel(evaluation int, reason string) error {
	return named(EvaluationID{evaluation, 1}, s.answer(actors.GiveUp{Evaluation: evaluation, Reason: reason}))
}

// Renew says that the answer to a query is still to be expected: its lease, where Options.Lease gives it one, begins anew.
func (s *Study) Renew(id EvaluationID) error {
	return named(id, s.answer(actors.Renew{Evaluation: id.Evaluation, Attempt: id.Attempt}))
}

// Observe brings a value that was measured elsewhere, at x in user units, contexts included. It enters the model as an
// evaluation of its own, and costs no budget. What was rounded on its way counts as the value that it means (package space,
// Parameter.Exact). While an Ask is under way it waits for its end.
func (s *Study) Observe(x []float64, value float64) error {
	s.asking.Lock()
	defer s.asking.Unlock()
	return s.answer(actors.Observe{X: x, Value: value})
}

// Enqueue names the point of the next query, in user units, with contexts or without; the world sets those. What is NaN
// is left open and drawn at random.
func (s *Study) Enqueue(x []float64) error { return s.answer(actors.Request{X: x}) }

func (s *Study) answer(message any) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.broken != nil {
		return s.driver.Answer(message, s.step) // what is known is known
	}
	err := s.driver.Answer(message, s.step)
	if lost := s.sync(); err == nil {
		return lost
	}
	return err
}

// Evaluation returns one evaluation as it stands, and false when there is none with this number.
func (s *Study) Evaluation(number int) (Evaluation, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.look()
	all := s.driver.Loop().Evaluations()
	if number < 1 || number > len(all) {
		return Evaluation{}, false
	}
	return newEvaluation(s.space, all[number-1]), true
}

// Evaluations is how many there are.
func (s *Study) Evaluations() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.driver.Loop().Evaluations())
}
