// Package workers runs one evaluation: an objective in a goroutine of its own, with panics caught, contexts that end and
// answers that follow. Simulated adds to it what package delay draws, on the wall clock.
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
	"github.com/tarry-bo/tarry/space"
)

// ErrAnswerFollows is the error that an objective returns when the value of its query will come later, from elsewhere.
// The worker is free at once, and whoever learns the value tells the study.
var ErrAnswerFollows = errors.New("answer follows")

// ErrCancelled is the cause with which the context of an attempt ends when its answer is no longer wanted: the attempt
// took too long, its value came another way, or the study ended.
var ErrCancelled = errors.New("attempt cancelled")

// Task is one attempt at an evaluation.
type Task struct {
	Evaluation int         // from 1
	Attempt    int         // from 1
	X          space.Point // the query in user units; the objective may keep and change it
	Deadline   time.Time   // when the attempt is given up; zero means never
}

// Objective returns the value of the task's query. An error, a panic or a value that is not finite is a failed attempt;
// the error ErrAnswerFollows is not. The context ends when the answer is no longer wanted. A value that an objective
// returns after that still counts as a late one. An objective that ignores its context runs on beside the next task of
// its worker.
type Objective func(ctx context.Context, t Task) (float64, error)

// OutcomeFunc is an Objective that returns a whole outcome: a value with its cost and constraints.
type OutcomeFunc func(ctx context.Context, t Task) (outcome.Outcome, error)

// Outcomes returns the objective as an OutcomeFunc whose outcomes have values only.
func (f Objective) Outcomes() OutcomeFunc {
	return func(ctx context.Context, t Task) (outcome.Outcome, error) {
		value, err := f(ctx, t)
		return outcome.Of(value), err
	}
}

// maxFailed bounds the text of a failure, in bytes. A stack fits.
const maxFailed = 16 << 10

// failed makes an answer a failure and nothing else.
func failed(a *outcome.Answer, why outcome.Failure) {
	if len(why.Reason) > maxFailed {
		why.Reason = cmp.Or(strings.ToValidUTF8(why.Reason[:maxFailed], ""), "failed")
	}
	a.Outcome, a.Failure, a.Follows = outcome.Outcome{}, why, false
}

// evaluate calls the objective once and fills in the answer. Whatever foreign code can do, short of ending its goroutine, becomes
// an answer: also an error that panics when it is looked at. The answer is written in place, and what is rare is done elsewhere:
// below the objective the stack of the goroutine has little room.
func evaluate(ctx context.Context, t Task, f OutcomeFunc, a *outcome.Answer) {
	defer func() {
		if r := recover(); r != nil {
			failed(a, outcome.Failure{Reason: fmt.Sprintf("objective panicked: %v\n%s", r, debug.Stack())})
		}
	}()
	found, err := f(ctx, t)
	if err != nil {
		without(a, err)
		return
	}
	a.Outcome, a.Failure = found, outcome.Failure{}
}

// without fills in the answer of an objective that returned an error.
func without(a *outcome.Answer, err error) {
	if left, found := errors.AsType[outcome.Found](err); found {
		a.Found = true
		if left.Err == nil {
			a.Outcome, a.Failure = left.Outcome, outcome.Failure{}
			return
		}
	}
	if errors.Is(err, ErrAnswerFollows) {
		a.Failure, a.Follows = outcome.Failure{}, true
		return
	}
	failed(a, outcome.FailureOf(err))
}

// deadlineContext says when an attempt will be given up, and leaves the giving up to the study: one clock decides.
type deadlineContext struct {
	context.Context
	deadline time.Time
}

// Deadline returns when the attempt is given up.
func (c deadlineContext) Deadline() (time.Time, bool) { return c.deadline, true }
