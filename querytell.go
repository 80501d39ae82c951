package tarry

import (
	"errors"
	"fmt"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// Tell is Run.Tell, or Study.Tell, for the query's own attempt. After ErrAnswerFollows it brings the value, from any goroutine; it may
// be called as soon as the objective has the query, before Start has returned its Run:
//
//	go func() {
//		err := q.Tell(measure(q)) // hours later
//	}()
//	return 0, tarry.ErrAnswerFollows
//
// After the end of its Run the query does not reach the one that resumes the study: the error wraps ErrEnded, or, where the study was
// only paused, ErrPaused, and the value is to be told to that one, by Run.Tell with Query.ID.
//
// A query that is part of a result belongs to no study, and the error wraps ErrUnknownEvaluation. One that is evaluated in another
// process than its study is told there, by Run.Tell: the error wraps errors.ErrUnsupported.
func (q Query) Tell(value float64) error { return said(q.answer(told(q.ID, outcome.Of(value)))) }

// TellOutcome is Tell for more than a value.
func (q Query) TellOutcome(o Outcome) error { return said(q.answer(told(q.ID, o))) }

// Fail is Run.Fail, or Study.Fail, for the query's own attempt; errors are those of Tell.
func (q Query) Fail(reason error) error { return said(q.answer(failed(q.ID, reason))) }

// Renew is Run.Renew, or Study.Renew, for the query's own attempt; errors are those of Tell.
func (q Query) Renew() error { return said(q.answer(renewed(q.ID))) }

// answer brings an event to the study of the query.
func (q Query) answer(e loop.Event) (loop.Reaction, error) {
	if q.study == nil {
		return loop.Reaction{}, named(e, ErrUnknownEvaluation)
	}
	return q.study.Answer(e)
}

// answered is a study that a query belongs to.
type answered interface {
	Answer(loop.Event) (loop.Reaction, error)
}

// elsewhere brings reports to a study of another process.
type elsewhere func(step, value float64) error

// Answer calls the function.
func (f elsewhere) Answer(e loop.Event) (loop.Reaction, error) {
	if r, is := e.(loop.Reported); is {
		return loop.Reaction{}, f(r.Step, r.Value)
	}
	return loop.Reaction{}, named(e, errElsewhere)
}

var errElsewhere = fmt.Errorf("its study is in another process: want Run.Tell there, with Query.ID: %w", errors.ErrUnsupported)

// begun is a study whose engine may not be there yet when its first query is evaluated.
type begun struct {
	run   *Run
	ready chan struct{} // closed when run is set, or there will be none
}

// Answer waits for the engine, and answers.
func (b *begun) Answer(e loop.Event) (loop.Reaction, error) {
	<-b.ready
	if b.run == nil {
		return loop.Reaction{}, named(e, ErrEnded)
	}
	return b.run.Answer(e)
}
