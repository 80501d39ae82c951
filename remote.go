package tarry

import (
	"context"
	"fmt"
	"time"

	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// Remote takes studies to workers of other processes. *remote.Hub of package remote is one.
type Remote interface {
	// Attach is called once for each study, when it has started. Its workers come and go by RemoteStudy.Join, until
	// RemoteStudy.Done is closed. After an error nothing of the study goes on.
	Attach(s *RemoteStudy) error
}

// RemoteStudy is a study as a Remote sees it. All methods are safe for concurrent use.
type RemoteStudy struct {
	engine *actors.Engine
	name   string
	config loop.Config
}

// Name returns the name of the study.
func (s *RemoteStudy) Name() string { return s.name }

// Config returns what decides the study besides its events: the space, the constraints, timeouts and the rest. It is to be read.
func (s *RemoteStudy) Config() loop.Config { return s.config }

// Begun is when the study began, by the clock on the wall. It stays what it was when the study is resumed, and tells it from another of its
// name; it is the zero time where the journal has no method Created.
func (s *RemoteStudy) Begun() time.Time { return s.engine.Begun() }

// Join gives a worker a seat with slots for so many evaluations at once. The error wraps ErrEnded or ErrInvalidOption.
func (s *RemoteStudy) Join(slots int, g actors.Guest) (*actors.Seat, error) {
	return s.engine.Join(slots, g)
}

// Answer brings what a worker says of an attempt, whether the worker is still known or not, and returns what became of it, after the
// journal has it. The error wraps ErrUnknownEvaluation, ErrContradiction or ErrEnded.
func (s *RemoteStudy) Answer(a outcome.Answer) (loop.Reaction, error) {
	reaction, err := s.engine.Hear(a)
	return reaction, named(loop.Answered(a, false), err)
}

// Report is Run.Report: it brings a value from the way to the end of an attempt, and its error wraps ErrCancelled where nobody waits for
// the attempt any more.
func (s *RemoteStudy) Report(id EvaluationID, step, value float64) error {
	e := onTheWay(id, step, value)
	reaction, err := s.engine.Answer(e)
	return reported(reaction, named(e, err))
}

// Evaluation returns the evaluation with a number as it stands, and false where there is none. Its X is in the unit cube.
func (s *RemoteStudy) Evaluation(number int) (loop.Evaluation, bool) {
	return s.engine.Evaluation(number)
}

// Done is closed when the study has ended.
func (s *RemoteStudy) Done() <-chan struct{} { return s.engine.Ended() }

// evaluable lists why nobody would evaluate the queries of a study.
func (o Options) evaluable(ctx context.Context, objective bool) error {
	var l check.List
	l.Require(ctx != nil, "ctx", nil, "a context")
	l.Require(objective || o.Remote != nil, "objective", nil, "a function, or Options.Remote")
	l.Require(objective || o.Remote == nil || o.Workers == 0, "Options.Workers", o.Workers, "0 without an objective: those of Options.Remote evaluate")
	return l.Err()
}

// asked lists the options that would be of no effect on a study that is asked and told, in silence.
func (o Options) asked() error {
	var l check.List
	l.Require(o.Remote == nil, "Options.Remote", fmt.Sprintf("%T", o.Remote), "nil: a Study has no workers; want Start")
	l.Require(o.MaxTime == 0, "Options.MaxTime", o.MaxTime, "0: a Study chooses a query whenever it is asked; want Start, or ask no more")
	return l.Err()
}

// attach takes a study to its workers elsewhere. Where that cannot be it is paused, so that it can be resumed from its store.
func (o Options) attach(engine *actors.Engine, c actors.Config) error {
	if o.Remote == nil {
		return nil
	}
	name := c.Name
	if name == "" {
		name = "study"
	}
	if err := o.Remote.Attach(&RemoteStudy{engine, name, c.Study}); err != nil {
		engine.Pause(true)
		<-engine.Ended()
		return fmt.Errorf("tarry: Options.Remote: %w", err)
	}
	return nil
}
