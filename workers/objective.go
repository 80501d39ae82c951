package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/outcome"
)

// ErrAnswerFollows is what an objective returns when the value of its query will come later, from elsewhere: the worker
// is free again at once, and whoever learns the value tells the study.
var ErrAnswerFollows = errors.New("answer follows")

// ErrCancelled is why the context of an attempt ends for which nobody waits any longer: it took too long, its value came
// another way, or the study ended.
var ErrCancelled = errors.New("attempt cancelled")

// Task is one attempt at an evaluation.
type Task struct {
	Evaluation int       // from 1
	Attempt    int       // from 1
	X          []float64 // the query in user units; the objective may keep and change it
	Deadline   time.Time // when the attempt is given up; zero means never
}

// Objective returns the value of the task's query. An error, a panic or a value that is not finite is a failed attempt;
// ErrAnswerFollows is none. The context ends when nobody waits for the attempt any longer. An objective that returns a
// value all the same is heard: its value is late. One that ignores its context goes on beside the next task of its
// worker.
type Objective func(ctx context.Context, t Task) (float64, error)

// OutcomeFunc is an Objective that has more to say than a value.
type OutcomeFunc func(ctx context.Context, t Task) (outcome.Outcome, error)

// Outcomes returns the objective as one whose outcomes are values only.
func (f Objective) Outcomes() OutcomeFunc {
	return func(ctx context.Context, t Task) (outcome.Outcome, error) {
		value, err := f(ctx, t)
		return outcome.Of(value), err
	}
}

// maxFailed bounds the text of a failure, in bytes. A stack fits.
const maxFailed = 16 << 10

// answer is the answer of an attempt, but for what came of it.
func (t Task) answer() outcome.Answer {
	return outcome.Answer{Evaluation: t.Evaluation, Attempt: t.Attempt}
}

// failed is the answer of an attempt that failed.
func (t Task) failed(why outcome.Failure) outcome.Answer {
	if len(why.Reason) > maxFailed {
		why.Reason = cmp.Or(strings.ToValidUTF8(why.Reason[:maxFailed], ""), "failed")
	}
	a := t.answer()
	a.Failure = why
	return a
}

// evaluate calls the objective once. Whatever foreign code can do, short of ending its goroutine, becomes an answer: also
// an error that panics when it is looked at.
func evaluate(ctx context.Context, t Task, f OutcomeFunc) (a outcome.Answer) {
	defer func() {
		if r := recover(); r != nil {
			a = t.failed(outcome.Failure{Reason: fmt.Sprintf("objective panicked: %v\n%s", r, debug.Stack())})
		}
	}()
	found, err := f(ctx, t)
	a = t.answer()
	switch {
	case err == nil:
		a.Outcome = found
	case errors.Is(err, ErrAnswerFollows):
		a.Follows = true
	default:
		return t.failed(outcome.FailureOf(err))
	}
	return a
}

// deadlineContext says when an attempt will be given up, and leaves the giving up to the study: one clock decides.
type deadlineContext struct {
	context.Context
	deadline time.Time
}

// Deadline returns when the attempt is given up.
func (c deadlineContext) Deadline() (time.Time, bool) { return c.deadline, true }
