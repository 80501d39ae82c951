// Package workers runs one evaluation: an objective in a goroutine of its own, with panics caught, contexts that end and
// answers that follow. Simulated adds to it what package delay draws, on the wall clock.
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
var ErrAnswerFollows = errors.New("answer follows")

// ErrInfeasible is what an objective returns, wrapped in what it has to say, when its point cannot be evaluated: it is not
// tried again, and the policy keeps away from there.
var ErrInfeasible = errors.New("infeasible")

// ErrLost is what an objective returns, wrapped in what it has to say, when the attempt came to nothing through no fault
// of its point, such as a machine that was taken away: it is tried again and says nothing of the point.
var ErrLost = errors.New("attempt lost")

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

// Outcome is what an evaluation found.
type Outcome struct {
	Value       float64
	Cost        float64   // of the evaluation, in units of the user's; 0 where nobody asks
	Constraints []float64 // each holds where it is ≤ 0; nil without any
	Infeasible  bool      // the value does not count, also where every constraint holds
}

// OutcomeFunc is an Objective that has more to say than a value.
type OutcomeFunc func(ctx context.Context, t Task) (Outcome, error)

// Outcomes returns the objective as one whose outcomes are values only.
func (f Objective) Outcomes() OutcomeFunc {
	return func(ctx context.Context, t Task) (Outcome, error) {
		value, err := f(ctx, t)
		return Outcome{Value: value}, err
	}
}

// Answer is what came of an attempt: an outcome, a failure, or word that the value will come later, from elsewhere.
type Answer struct {
	Evaluation, Attempt int
	Outcome
	Failed  string // why there is no value; empty with one
	Lost    bool   // with Failed: the point is not to blame
	Follows bool
}

// counts reports whether the answer is heard also when nobody waits for its attempt any more: a value, or that the point cannot
// be evaluated.
func (a Answer) counts() bool { return a.Failed == "" && !a.Follows || a.Infeasible }

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
func evaluate(ctx context.Context, t Task, f OutcomeFunc) (a Answer) {
	defer func() {
		if r := recover(); r != nil {
			a = t.failed(fmt.Sprintf("objective panicked: %v\n%s", r, debug.Stack()))
		}
	}()
	outcome, err := f(ctx, t)
	switch {
	case err == nil:
		return Answer{Evaluation: t.Evaluation, Attempt: t.Attempt, Outcome: outcome}
	case errors.Is(err, ErrAnswerFollows):
		return Answer{Evaluation: t.Evaluation, Attempt: t.Attempt, Follows: true}
	}
	a = t.failed(fmt.Sprint(err))
	a.Infeasible, a.Lost = errors.Is(err, ErrInfeasible), errors.Is(err, ErrLost)
	return a
}

// deadlineContext says when an attempt will be given up, and leaves the giving up to the study: one clock decides.
type deadlineContext struct {
	context.Context
	deadline time.Time
}

// Deadline returns when the attempt is given up.
func (c deadlineContext) Deadline() (time.Time, bool) { return c.deadline, true }
