package remote

import (
	"context"
	"errors"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// Job is one attempt that a worker is to evaluate.
type Job struct {
	Study      *Study
	Evaluation int         // from 1
	Attempt    int         // from 1
	X          space.Point // in user units; NaN what is inactive
	Deadline   time.Time   // when the attempt is given up; zero: never

	report func(step, value float64) error
}

// Query returns the job as an objective takes it.
func (j *Job) Query() tarry.Query {
	return tarry.NewQuery(j.Study.Space, tarry.EvaluationID{Evaluation: j.Evaluation, Attempt: j.Attempt}, j.X, j.Deadline, j.report)
}

// Report brings a value from the way to the end, at a step. The error wraps tarry.ErrCancelled where nobody waits for the attempt any
// more, or says why it was refused. A report that does not reach the study within a heartbeat is lost, which is no error: the next one may.
func (j *Job) Report(step, value float64) error { return j.report(step, value) }

// declined is the error of a study that a worker cannot serve.
type declined struct{ reason string }

// Error returns the reason.
func (d declined) Error() string { return d.reason }

// Decline returns the error with which Evaluate says that it cannot serve the study of its job at all. The evaluation starts elsewhere,
// and this worker gets no more of the study.
func Decline(reason string) error { return declined{reason} }

// message is what a worker says of an answer.
func message(i id, a outcome.Answer, refused *declined) resultMessage {
	m := resultMessage{id: i, Found: a.Found}
	switch flaw := a.Flaw(); {
	case refused != nil:
		m.Failure = &failedMessage{kindDeclined, clip(refused.reason)}
	case a.Returned:
		m.Returned = true
	case a.Follows:
		m.Follows = true
	case a.Failed():
		m.Failure = &failedMessage{kindOf(a.Verdict), clip(a.Reason)}
	case a.Infeasible && !outcome.Finite(a.Value):
		m.Failure = &failedMessage{kindInfeasible, kindInfeasible}
	case flaw != "":
		m.Failure = &failedMessage{kindFailed, flaw}
	default:
		m.Outcome = &foundMessage{&a.Value, a.Cost, a.Constraints, a.Infeasible}
	}
	return m
}

// lasts reports whether a result counts whenever it comes: it has a value, or a verdict on the point.
func (m *resultMessage) lasts() bool {
	return m.Outcome != nil || m.Failure != nil && m.Failure.Kind == kindInfeasible
}

func kindOf(v outcome.Verdict) string {
	for kind, is := range verdicts {
		if is == v {
			return kind
		}
	}
	return kindFailed
}

// asDeclined returns the error of Decline in an error; nil where there is none.
func asDeclined(err error) *declined {
	var d declined
	if errors.As(err, &d) {
		return &d
	}
	return nil
}

// valued is an objective as one with outcomes.
func valued(f tarry.Objective) func(context.Context, *Job) (tarry.Outcome, error) {
	return func(ctx context.Context, j *Job) (tarry.Outcome, error) {
		value, err := f(ctx, j.Query())
		return outcome.Of(value), err
	}
}
