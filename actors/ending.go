package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/tarry-bo/tarry/loop"
)

// begin starts the study: the policy, the fitter, and the workers in the order of their numbers.
func (c *coordinator) begin(ctx actor.Context) {
	c.self, c.root, c.start = ctx.Self(), ctx.ActorSystem().Root, time.Now()
	c.spawnPolicy(ctx)
	c.spawnFitter(ctx)
	c.logStart()
	if c.base.Err() != nil {
		c.stop(c.baseEnded())
		return
	}
	c.unwatch = context.AfterFunc(c.base, func() { c.gate.send(c.root, c.self, c.baseEnded()) })
	for k := 1; k <= c.config.Workers && c.ending == nil; k++ {
		c.hire(ctx, k)
	}
}

// baseEnded is the message that the end of the context amounts to.
func (c *coordinator) baseEnded() Stop {
	err, cause := c.base.Err(), context.Cause(c.base)
	if !errors.Is(cause, err) {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	return Stop{Reason: err.Error(), cause: err}
}

func (c *coordinator) stop(m Stop) {
	if c.ending == nil {
		c.cause = m.cause
		c.take(loop.StopRequested{Reason: m.Reason})
	}
}

// end is the end of all stepping. The workers finish what is in their mailboxes, cancel what runs, and go.
func (c *coordinator) end(e Ended) {
	if c.ending != nil {
		return
	}
	e.At = c.chronicle.at
	c.ending = &e
	c.timer.stop()
	if c.unwatch != nil {
		c.unwatch()
	}
	for k := 1; k <= c.config.Workers && !c.stopping; k++ {
		if m, ok := c.crew.byNumber[k]; ok && m.own {
			c.root.Poison(m.pid)
		}
	}
	c.drain()
}

// abort ends the study with an error and what is known so far. Nobody waits for what is pending.
func (c *coordinator) abort(err error) {
	if c.ending != nil {
		return
	}
	for _, e := range c.loop.Evaluations() {
		if e.Holds {
			c.crew.send(c, e.Worker, Cancel{e.Number, e.Attempt})
		}
	}
	c.end(Ended{Result: c.salvage(), Err: err})
}

// salvage is the result so far, or an empty one if even that is broken.
func (c *coordinator) salvage() (result loop.Result) {
	defer func() {
		if r := recover(); r != nil {
			result = loop.Result{Counters: c.loop.Counters()}
		}
	}()
	return c.loop.Result()
}

// drain waits, once every own worker is gone, for their attempts to return.
func (c *coordinator) drain() {
	if c.draining || c.crew.own() > 0 {
		return
	}
	c.draining = true
	go func() { c.gate.send(c.root, c.self, drained{c.left()}) }()
}

// left is how many attempts do not return. They are waited for, but not for ever: an objective may ignore its context.
func (c *coordinator) left() int {
	returned := make(chan struct{})
	go func() {
		c.attempts.Wait()
		close(returned)
	}()
	timer := time.NewTimer(c.config.Grace)
	defer timer.Stop()
	select {
	case <-returned:
	case <-timer.C:
	}
	return c.attempts.Running()
}

// announce tells everybody who waits how the study ended. So many attempts have not returned.
func (c *coordinator) announce(left int) {
	if c.settled {
		return
	}
	c.settled = true
	c.Close()
	c.logEnd(left)
	for _, who := range c.waiting {
		c.root.Send(who, *c.ending)
	}
	c.waiting = nil
	if c.onEnd != nil {
		c.onEnd(*c.ending)
	}
}

func (c *coordinator) await(who *actor.PID) {
	switch {
	case who == nil:
	case c.settled:
		c.root.Send(who, *c.ending)
	default:
		c.waiting = append(c.waiting, who)
	}
}

// interrupt ends a study whose actor is being stopped. It has stopped when its children have; a policy that hangs does
// not keep anybody waiting.
func (c *coordinator) interrupt() {
	const reason = "the coordinator was stopped"
	c.stopping = true
	if c.ending == nil {
		c.stop(Stop{Reason: reason, cause: fmt.Errorf("%w: %s", ErrEnded, reason)})
	}
	c.gate.close()
	if !c.settled {
		c.overdue = time.AfterFunc(c.config.Grace, func() { c.root.Send(c.self, drained{c.attempts.Running()}) })
	}
}

// gone announces the ending of a coordinator that was stopped before it could. No message comes any more.
func (c *coordinator) gone() {
	close(c.stopped)
	if !c.settled {
		c.overdue.Stop()
		go func() { c.announce(c.left()) }()
	}
}
