package actors

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// Engine is a study that runs in an actor system of its own. All methods are safe for concurrent use.
type Engine struct {
	study  *coordinator
	system *actor.ActorSystem
	pid    *actor.PID
	ended  chan struct{} // closed when everything has ended
	ending Ended
	after  sync.Mutex // of questions that come later
	guests guests
}

// Start starts a study, or returns every violation of its configuration. The study stops when ctx is done.
func Start(ctx context.Context, config Config) (*Engine, error) {
	c, err := newCoordinator(ctx, config)
	if err != nil {
		return nil, err
	}
	e := &Engine{study: c, ended: make(chan struct{})}
	e.system = actor.NewActorSystem(actor.WithLoggerFactory(SlogLogger(c.config.Logger)))
	settled := make(chan Ended, 1)
	c.onEnd = func(end Ended) { settled <- end }
	e.pid = e.system.Root.SpawnPrefix(c.rootProps(), "coordinator-")
	go e.finish(settled)
	return e, nil
}

// finish takes everything down once the study has ended. An actor that hangs, because its policy does, is left behind.
func (e *Engine) finish(settled <-chan Ended) {
	e.ending = <-settled
	e.study.gate.close()
	e.dismiss() // before the coordinator, which watches them
	select {
	case <-e.study.stopped: // it broke down
	default:
		e.system.Root.Poison(e.pid)
	}
	timer := time.NewTimer(e.study.config.Grace)
	defer timer.Stop()
	select {
	case <-e.study.stopped:
	case <-timer.C:
	}
	e.system.Shutdown()
	close(e.ended)
}

// Wait returns the ending once the study has ended and nothing of it runs any more, except objectives and policies that
// cannot be interrupted.
func (e *Engine) Wait() Ended {
	<-e.ended
	return e.ending
}

// Ended is closed when Wait returns at once.
func (e *Engine) Ended() <-chan struct{} { return e.ended }

// Stop ends the study, if it has not ended. It does not wait.
func (e *Engine) Stop(reason string) { e.study.gate.send(e.system.Root, e.pid, Stop{Reason: reason}) }

// Pause stops a study that is to be resumed from its journal: no more queries are started, and it ends with ReasonPaused once
// those under way have an outcome; with now, at once. It does not wait. Without a journal that can be read again, what is
// pending is lost with the process.
func (e *Engine) Pause(now bool) {
	e.study.pausing.Store(true)
	e.study.gate.send(e.system.Root, e.pid, Pause{Now: now})
}

// Tell brings the value of an evaluation, in the user's units. It returns nil when the value was taken or was known
// already, after it was kept in the journal; otherwise an error that wraps ErrUnknownEvaluation, ErrContradiction or
// ErrEnded or ErrPaused, or names a value that is not finite.
func (e *Engine) Tell(evaluation, attempt int, value float64) error {
	return e.say(loop.Answered(outcome.Answer{Evaluation: evaluation, Attempt: attempt, Outcome: outcome.Of(value)}, true))
}

// Fail says that an attempt ended without a value. Errors are those of Tell.
func (e *Engine) Fail(evaluation, attempt int, reason string) error {
	failure := outcome.Failure{Reason: cmp.Or(reason, "failed")}
	return e.say(loop.Answered(outcome.Answer{Evaluation: evaluation, Attempt: attempt, Failure: failure}, true))
}

func (e *Engine) say(event loop.Event) error {
	_, err := e.Answer(event)
	return err
}

// Snapshot returns how the study stands. Cost O(n²) for n evaluations where a model is kept.
func (e *Engine) Snapshot() Snapshot {
	if reply, ok := e.request(Inspect{}).(Inspected); ok {
		return reply.Snapshot
	}
	<-e.ended
	return Snapshot{At: e.ending.At, Result: e.ending.Result, Open: e.study.attempts.Running(), Ended: true}
}

// Begun is that of the driver.
func (e *Engine) Begun() time.Time { return e.study.Begun() }

// Look calls see as the message Look does, and returns when it has returned.
func (e *Engine) Look(see func(l *loop.Loop, elapsed time.Duration)) {
	if _, seen := e.request(Look{see}).(Looked); seen {
		return
	}
	<-e.ended // nothing happens any more, and whoever looks does so one after the other
	e.after.Lock()
	defer e.after.Unlock()
	see(e.study.loop, e.ending.At)
}

// Predict returns what the model says at a point in user units, and Recommend the point of which it expects the best at a
// context: the answers to these messages. They cost no budget.
func (e *Engine) Predict(message any) Predicted {
	if reply, ok := e.request(message).(Predicted); ok {
		return reply
	}
	e.after.Lock() // whoever asks after the end asks the study itself
	defer e.after.Unlock()
	return e.study.Driver.Predict(message)
}

// Answer gives the study an event that somebody brings from outside, as Driver.Answer takes them, and returns what became of it,
// but for the effects. The error is nil when it was taken, after it was kept in the journal.
func (e *Engine) Answer(event loop.Event) (loop.Reaction, error) {
	if reply, ok := e.request(event).(Told); ok {
		return reply.Reaction, reply.Err
	}
	return e.study.Answer(event, func(loop.Event) (loop.Reaction, error) { return loop.Reaction{}, e.study.over() }) // no event happens any more
}

// request returns the coordinator's answer, nil when it gives none any more. A caller has one request open at a time, so
// the mailbox holds no more of them than there are callers.
func (e *Engine) request(message any) any {
	reply := make(chan any, 1)
	if !e.study.gate.send(e.system.Root, e.pid, request{message, reply}) {
		return nil
	}
	select {
	case answer := <-reply:
		return answer
	case <-e.study.stopped:
	case <-e.ended:
	}
	select {
	case answer := <-reply:
		return answer
	default:
		return nil
	}
}
