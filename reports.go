package tarry

import (
	"errors"

	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/loop"
)

// Report brings a value of an evaluation from the way to its end, at a step: a loss by epoch, the conversions after one day. Steps grow.
// It returns nil where the evaluation goes on, and an error that wraps ErrCancelled where nobody waits for its value any more, also
// because Options.StopEarly ended it just now: whoever evaluates it should give up, and bring no value. A report that is repeated, or of
// an earlier step than one that came before, changes nothing and is no error. Otherwise the error wraps ErrUnknownEvaluation,
// ErrContradiction for another value at the greatest step, or ErrInvalidOption for numbers that are not finite.
func (s *Study) Report(id EvaluationID, step, value float64) error {
	return reported(s.Answer(onTheWay(id, step, value)))
}

// Report is Study.Report for a study that goes on by itself; after its end the error wraps ErrCancelled too.
func (r *Run) Report(id EvaluationID, step, value float64) error {
	return reported(r.Answer(onTheWay(id, step, value)))
}

// Report is Study.Report for the query's own attempt. An objective may end with its error:
//
//	if err := q.Report(float64(epoch), loss); err != nil {
//		return 0, err
//	}
//
// The value of an interval that is the last is no report: the objective returns it. A query that is part of a result reports nothing,
// and the error wraps ErrUnknownEvaluation.
func (q Query) Report(step, value float64) error {
	return reported(q.answer(onTheWay(q.ID, step, value)))
}

func onTheWay(id EvaluationID, step, value float64) loop.Event {
	return loop.OnTheWay(id.Evaluation, id.Attempt, step, value)
}

// reported is the error of a report.
func reported(r loop.Reaction, err error) error {
	switch {
	case errors.Is(err, actors.ErrEnded):
		return errors.Join(err, ErrCancelled)
	case err == nil && (r.Fate == loop.FateEnded || r.Status == loop.Stopped):
		return named(onTheWay(EvaluationID{r.Evaluation, r.Attempt}, 0, 0), ErrCancelled)
	}
	return err
}
