package workers

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
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

// PanicError says that an objective panicked.
type PanicError struct {
	Value any
	Stack string
}

// Error returns what the objective panicked with, and below it the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("objective panicked: %v\n%s", e.Value, e.Stack)
}

// errGoexit is a failed attempt like a panic.
var errGoexit = errors.New("objective ended its goroutine (runtime.Goexit)")

// Evaluate calls the objective once. A panic becomes a *PanicError. An objective that ends its goroutine takes the
// caller's with it: then ended is called, and Evaluate does not return.
func Evaluate(ctx context.Context, t Task, f Objective, ended func(error)) (value float64, err error) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if r := recover(); r != nil {
			err = &PanicError{Value: r, Stack: string(debug.Stack())}
			return
		}
		ended(errGoexit)
	}()
	value, err = f(ctx, t)
	returned = true
	return value, err
}

// deadlineContext says when an attempt will be given up, and leaves the giving up to the study: one clock decides.
type deadlineContext struct {
	context.Context
	deadline time.Time
}

// Deadline returns when the attempt is given up.
func (c deadlineContext) Deadline() (time.Time, bool) { return c.deadline, true }
