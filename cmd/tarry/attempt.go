package main

import (
	"context"
	"errors"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/command"
	"github.com/tarry-bo/tarry/outcome"
)

// verdict is what a command said of its attempt: one of the package's errors, in the command's words.
type verdict struct {
	kind error
	text string
}

func (v verdict) Error() string        { return v.text }
func (v verdict) Is(target error) bool { return target == v.kind }

// evaluate runs the command once.
func (l live) evaluate(ctx context.Context, q tarry.Query) (tarry.Outcome, error) {
	<-l.begun.known
	report := func(step, value float64) {
		_ = q.Report(step, value) // of what is wrong with it the study keeps count, and the context ends where it is to stop
	}
	found, err := l.runner.RunReporting(ctx, q.ID.Evaluation, q.ID.Attempt, q.X, report)
	if err != nil {
		return tarry.Outcome{}, l.judge(ctx, q, err)
	}
	return brought(found)
}

// brought is what the study is to hear of a command that said something of its point.
func brought(found command.Report) (tarry.Outcome, error) {
	var err error
	if found.Infeasible && !found.HasValue {
		found.Outcome, err = tarry.Outcome{}, verdict{tarry.ErrInfeasible, found.Reason}
	}
	if found.Adopted {
		return tarry.Outcome{}, outcome.Found{Outcome: found.Outcome, Err: err}
	}
	return found.Outcome, err
}

// judge returns what the study is to hear of an attempt without an outcome. Where the command was never started, that says
// nothing of the point: the study is paused, and the attempt waits for that, so that nothing is kept of it.
func (l live) judge(ctx context.Context, q tarry.Query, err error) error {
	var failed *command.Error
	if ctx.Err() != nil || !errors.As(err, &failed) {
		return err
	}
	switch failed.Kind {
	case command.NotStarted:
		l.stop(failed)
		<-ctx.Done()
	case command.Lost:
		pause(ctx, backoff(q))
		return verdict{tarry.ErrLost, "preempted: " + failed.Reason}
	}
	return err
}

// stop asks for the end of the study, unless that was asked for already.
func (l live) stop(cause error) {
	select {
	case l.stops <- cause:
	default:
	}
}

// Bounds of the time before an attempt that was lost is tried again.
const (
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = time.Minute
)

// backoff is the time before an attempt that was lost is tried again. It doubles, and leaves the attempt the half of what is
// left until its deadline, at which it would have taken too long.
func backoff(q tarry.Query) time.Duration {
	wait := maxBackoff
	if n := q.ID.Attempt - 1; n < 10 {
		wait = min(firstBackoff<<n, maxBackoff)
	}
	if !q.Deadline.IsZero() {
		wait = min(wait, max(time.Until(q.Deadline)/2, 0))
	}
	return wait
}

// pause waits, unless the context ends before.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
