package tarry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/workers"
)

// Run is a study that goes on by itself, on in-process workers or those of Options.Remote. All methods are safe for concurrent use.
type Run struct {
	engine  *actors.Engine
	space   Space
	options Options
	policy  string
}

// Start starts a study and returns while it goes on. The objective may be nil with Options.Remote. It stops when ctx ends. An error lists every violation of space
// and options; then nothing was started.
func Start(ctx context.Context, s Space, f Objective, o Options) (*Run, error) {
	if f == nil {
		return StartOutcomes(ctx, s, nil, o)
	}
	if err := valuesAlone(o.Constraints, "StartOutcomes"); err != nil {
		return nil, errors.Join(err, o.startable(ctx, s, true))
	}
	return StartOutcomes(ctx, s, valued(f), o)
}

// valuesAlone is an error where a study names constraints, of which an objective of values alone says nothing.
func valuesAlone(named []Constraint, instead string) error {
	if len(named) == 0 {
		return nil
	}
	return &check.FieldError{Field: "Options.Constraints", Value: named, Want: "none with an objective that returns a value alone: want " + instead}
}

// StartOutcomes is Start for an objective with outcomes.
func StartOutcomes(ctx context.Context, s Space, f OutcomeFunc, o Options) (*Run, error) {
	if err := o.evaluable(ctx, f != nil); err != nil {
		return nil, errors.Join(err, o.Validate(s))
	}
	c, err := o.config(s)
	if err != nil {
		return nil, err
	}
	return start(ctx, c, o, f)
}

// startable lists every violation of what Start is given.
func (o Options) startable(ctx context.Context, s Space, objective bool) error {
	return errors.Join(o.evaluable(ctx, objective), o.Validate(s))
}

func start(ctx context.Context, c actors.Config, o Options, f OutcomeFunc) (*Run, error) {
	s, study := c.Study.Space, &begun{ready: make(chan struct{})}
	defer close(study.ready)
	if f == nil {
		c.Workers = 0 // those of Options.Remote evaluate
	} else {
		c.Outcomes = func(ctx context.Context, t workers.Task) (Outcome, error) {
			return f(ctx, Query{EvaluationID{t.Evaluation, t.Attempt}, t.X, t.Deadline, s, study})
		}
	}
	engine, err := actors.Start(ctx, c)
	if err != nil {
		return nil, renamed(err)
	}
	study.run = &Run{engine, s, o, c.Study.Traits.Name}
	if err := o.attach(engine, c); err != nil {
		return nil, err
	}
	return study.run, nil
}

// Stop ends the study: what is pending is cancelled. It does not wait.
func (r *Run) Stop() { r.engine.Stop("stopped by the caller") }

// Pause stops the study so that Resume can go on with it: no more queries are started, and Wait returns, with ReasonPaused in
// the result, once those under way have an outcome. With now they are left at once, and start again when the study is resumed.
// It does not wait. What is told to this Run afterwards is refused with ErrPaused: it is for the one that resumes the study. Without a
// store what is pending then is lost with the process.
func (r *Run) Pause(now bool) { r.engine.Pause(now) }

// Done is closed when the study has ended and Wait returns at once.
func (r *Run) Done() <-chan struct{} { return r.engine.Ended() }

// Wait returns the result when the study has ended and nothing of it runs any more, except objectives that ignored their
// context for Options.Grace. Errors are those of Maximize; a stop that was wanted, by Stop or by Pause, is none.
func (r *Run) Wait() (*Result, error) {
	end := r.engine.Wait()
	result := newResult(r.space, r.options, r.policy, end.Result, end.At)
	switch {
	case end.Err != nil:
		return result, fmt.Errorf("tarry: after %s: %w", result.extent(), end.Err)
	case strings.HasPrefix(result.Reason, ReasonSeed):
		return result, fmt.Errorf("%w: %s", ErrUnsafeSeed, result.Reason)
	case result.Best == nil && slices.Contains([]string{ReasonBudget, ReasonPatience, ReasonPoints, ReasonFunds, ReasonNone, ReasonTime}, result.Reason):
		return result, noValue(result)
	}
	return result, nil
}

// Snapshot returns what is known now. Cost O(n²) for n evaluations where the policy keeps a model. Like Predict, Feasible and Recommend it is answered by the goroutine
// of the study, which does nothing else meanwhile: an answer waits as long as they take.
func (r *Run) Snapshot() *Result {
	s := r.engine.Snapshot()
	return newResult(r.space, r.options, r.policy, s.Result, s.At)
}

// Look calls f with the loop of the study, to be read, and the time since it began, while nothing else happens in the study: f must be
// quick, steps no loop, keeps nothing of it, and calls no method of the Run. It may see what is not kept yet.
func (r *Run) Look(f func(l *loop.Loop, elapsed time.Duration)) {
	if f != nil {
		r.engine.Look(f)
	}
}

// noValue says why a study has nothing to show.
func noValue(r *Result) error {
	none, below := ErrNoValue, 0
	for _, e := range r.Evaluations {
		if e.Below && e.Status.Valued() {
			below++
		}
	}
	if below > 0 {
		none = fmt.Errorf("%w at the greatest fidelity, and %d at lower ones", none, below)
	}
	for i := len(r.Evaluations) - 1; i >= 0; i-- {
		if e := r.Evaluations[i]; e.Reason != "" {
			return fmt.Errorf("%w: evaluation %d %v: %w", none, e.ID.Evaluation, e.Status, errors.New(firstLine(e.Reason)))
		}
	}
	return none
}
