package workers

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"
)

// ErrAnswerFollows is what an objective returns when the value of its query will come later, from elsewhere: the worker
// is free again at once, and whoever learns the value tells the study.
var ErrAnswerFollows = errors.New("workers: answer follows")

// ErrCancelled is why the context of an attempt ends for which nobody waits any longer: it took too long, its value came
// another way, or the study ended.
var ErrCancelled = errors.New("workers: attempt cancelled")

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

// Answer is what came of an attempt: a value, a failure, or word that the value will come later, from elsewhere.
type Answer struct {
	Evaluation, Attempt int
	Value               float64
	Failed              string // why there is no value; empty with one
	Follows             bool
}

// hasValue reports whether the answer is a value.
func (a Answer) hasValue() bool { return a.Failed == "" && !a.Follows }

// maxFailed bounds the text of a failure, in bytes. A stack fits.
const maxFailed = 16 << 10

// failed is the answer of an attempt that failed.
func (t Task) failed(why string) Answer {
	if len(why) > maxFailed {
		why = strings.ToValidUTF8(why[:maxFailed], "")
	}
	if why == "" {
		why = "failed"
	}
	return Answer{Evaluation: t.Evaluation, Attempt: t.Attempt, Failed: why}
}

// evaluate calls the objective once. Whatever foreign code can do, short of ending its goroutine, becomes an answer: also
// an error that panics when it is looked at.
func evaluate(ctx context.Context, t Task, f Objective) (a Answer) {
	defer func() {
		if r := recover(); r != nil {
			a = t.failed(fmt.Sprintf("objective panicked: %v\n%s", r, debug.Stack()))
		}
	}()
	value, err := f(ctx, t)
	switch {
	case err == nil:
		return Answer{Evaluation: t.Evaluation, Attempt: t.Attempt, Value: value}
	case errors.Is(err, ErrAnswerFollows):
		return Answer{Evaluation: t.Evaluation, Attempt: t.Attempt, Follows: true}
	}
	return t.failed(fmt.Sprint(err))
}

// deadlineContext says when an attempt will be given up, and leaves the giving up to the study: one clock decides.
type deadlineContext struct {
	context.Context
	deadline time.Time
}

// Deadline returns when the attempt is given up.
func (c deadlineContext) Deadline() (time.Time, bool) { return c.deadline, true }
