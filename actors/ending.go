package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// begin starts the study: the policy, the fitter, and the workers in the order of their numbers.
func (c *coordinator) begin(ctx actor.Context) {
	c.self, c.root, c.start = ctx.Self(), ctx.ActorSystem().Root, time.Now()
	tell := func() { c.gate.send(c.root, c.self, unlogged{}) }
	c.guard.tell.Store(&tell)
	c.spawnPolicy(ctx)
	c.spawnFitter(ctx)
	if c.config.Resume {
		c.resume()
	} else if c.loop.Finished() { // what is known says everything
		c.idle = true
		c.end(Ended{Result: c.loop.Result()})
	}
	if stop, reached := c.Reached(); reached && c.ending == nil {
		c.take(stop)
	}
	if c.base.Err() != nil {
		c.handleEnd(c.baseEnded())
		return
	}
	if c.ending != nil {
		return
	}
	if c.config.MaxTime > 0 {
		c.limit = time.AfterFunc(c.config.MaxTime, func() { c.gate.send(c.root, c.self, Pause{reason: ReasonTime}) })
	}
	c.unwatch = context.AfterFunc(c.base, func() { c.gate.send(c.root, c.self, c.baseEnded()) })
	for k := 1; k <= c.config.Workers && c.ending == nil; k++ {
		c.hire(ctx, k)
		if k%hiredTogether == 0 {
			c.flush()
		}
	}
	c.flush()
}

// hiredTogether is how many workers come in one transaction of the journal: where each of a thousand had its own, the first answers would wait, and
// timely ones be late, until the last had come.
const hiredTogether = 64

// baseEnded is the message that the end of the context amounts to: a study that can be resumed is left as it is.
func (c *coordinator) baseEnded() any {
	err, cause := c.base.Err(), context.Cause(c.base)
	if !errors.Is(cause, err) {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	if c.config.Resumable {
		return Pause{Now: true, reason: err.Error(), cause: err}
	}
	return Stop{Reason: err.Error(), cause: err}
}

func (c *coordinator) handleEnd(message any) {
	switch m := message.(type) {
	case Stop:
		c.stop(m)
	case Pause:
		c.pause(m)
	}
}

func (c *coordinator) stop(m Stop) {
	if c.ending == nil {
		c.cause = m.cause
		c.take(loop.StopRequested{Reason: m.Reason})
	}
}

// Reached returns the event with which a study stops that has a value as good as its target, and goes on: it was measured
// elsewhere, or there is another target since.
func (d *Driver) Reached() (loop.Event, bool) {
	return loop.StopRequested{Reason: loop.ReasonTarget}, d.reached && !d.loop.Finished()
}

// end is the end of the study: from here on nothing but values is heard. The workers finish what is in their mailboxes,
// cancel what runs, and go.
func (c *coordinator) end(e Ended) {
	if c.ending != nil {
		return
	}
	e.At = c.chronicle.at
	c.ending = &e
	c.number()
	c.timer.stop()
	c.watch.stop()
	if c.limit != nil {
		c.limit.Stop()
	}
	if c.unwatch != nil {
		c.unwatch()
	}
	for k := 1; k <= c.config.Workers && !c.stopping; k++ {
		if m, ok := c.crew.byNumber[k]; ok && m.own {
			c.root.Poison(m.pid)
		}
	}
	if c.paused != nil || !c.loop.Finished() {
		c.owed.forgive() // whoever resumes the study hears it
	}
	c.drain()
}

// abort ends the study with an error and what is known so far. Nobody waits for what is pending.
func (c *coordinator) abort(err error) {
	if c.ending != nil {
		if !c.settled {
			c.ending.Err = errors.Join(c.ending.Err, err)
		}
		return
	}
	for _, e := range c.loop.Evaluations() {
		if e.Holds {
			c.crew.send(c, e.Worker, Cancel{e.Number, e.Attempt})
		}
	}
	c.end(Ended{Result: c.salvage(err), Err: err})
}

// salvage is the result so far of a study that broke off, or an empty one if even that is broken.
func (c *coordinator) salvage(why error) (result loop.Result) {
	reason, _, _ := strings.Cut(why.Error(), "\n")
	defer func() {
		if r := recover(); r != nil {
			result = loop.Result{Reason: reason, Counters: c.loop.Counters(), Coverage: c.loop.Coverage()}
		}
	}()
	result = c.kept(why)
	result.Reason = reason
	for i := range result.Evaluations {
		if e := &result.Evaluations[i]; e.Status == loop.Pending {
			e.Status, e.Ended, e.Running, e.Holds = loop.Cancelled, c.chronicle.at, false, false
		}
	}
	return result
}

// kept is the result so far; where the last events were not kept, that of the journal.
func (c *coordinator) kept(why error) loop.Result {
	if store, readable := c.config.Journal.(journal.Store); readable && errors.Is(why, journal.ErrNotKept) {
		if l, _, err := journal.Replay(store); err == nil {
			return l.Result()
		}
	}
	return c.loop.Result()
}

// unlogged is the message that the logger has failed: wherever that was, the coordinator heeds it after any message.
type unlogged struct{}

// heed ends the study where its logger has failed.
func (c *coordinator) heed() {
	if err := c.Broken(); err != nil && !c.heeded {
		c.heeded = true
		c.abort(err)
	}
}

// panicked ends the study and lets its actor be stopped.
func (c *coordinator) panicked(ctx actor.Context, with any) {
	c.stopping, c.held, c.untold = true, nil, nil
	c.abort(fmt.Errorf("%w: %v\n%s", ErrBroken, with, debug.Stack()))
	if _, stopping := ctx.Message().(*actor.Stopping); !stopping {
		panic(with)
	}
	c.interrupt()
}

// exited is panicked for a goroutine that was ended; its mailbox goes on in another one (enduring). Where the actor is being stopped
// already, what would have stopped its children is gone.
func (c *coordinator) exited(ctx actor.Context) {
	c.panicked(ctx, "its goroutine was ended (runtime.Goexit)")
	for _, child := range ctx.Children() {
		ctx.Stop(child)
	}
}

// hearOut takes a value, or the verdict that a point cannot be evaluated, that comes while an ended study waits for its
// objectives to return: a measurement is never thrown away. Anything else comes too late. One that had ended before it was resumed waits for
// nothing, and hears nothing: otherwise it would be chance what of several values comes before the end is announced.
func (c *coordinator) hearOut(e loop.Event) (loop.Reaction, error) {
	if !loop.Lasts(e) || c.settled || c.idle || !c.loop.Finished() && c.paused == nil || errors.Is(c.ending.Err, journal.ErrNotKept) {
		return loop.Reaction{}, c.over()
	}
	c.heard = true // also when a reader of its notice panics: the loop has it
	reaction, err := c.Step(time.Since(c.start), e)
	if err == nil {
		err = c.Sync()
	}
	if err != nil {
		c.abort(err)
	}
	return reaction, err
}

// final is the ending with what was heard since.
func (c *coordinator) final() *Ended {
	if c.heard {
		reason := c.ending.Result.Reason
		c.ending.Result, c.ending.At, c.heard = c.loop.Result(), c.chronicle.at, false
		c.ending.Result.Reason = cmp.Or(c.ending.Result.Reason, reason) // of a pause the loop knows nothing
	}
	return c.ending
}

// drain waits, once every own worker is gone, for their attempts to return, and for those that others were told to cancel.
func (c *coordinator) drain() {
	if c.draining || c.crew.own() > 0 {
		return
	}
	c.draining = true
	settled := c.owed.settled()
	go func() { c.gate.send(c.root, c.self, drained{c.left(settled)}) }()
}

// left is how many attempts of the own workers do not return. They are waited for, and then until the others are settled, but not for ever: an
// objective may ignore its context.
func (c *coordinator) left(settled <-chan struct{}) int {
	returned := make(chan struct{})
	go func() {
		c.attempts.Wait()
		close(returned)
	}()
	timer := time.NewTimer(c.config.Grace)
	defer timer.Stop()
	for _, all := range []<-chan struct{}{returned, settled} {
		select {
		case <-all:
		case <-timer.C:
			return c.attempts.Running()
		}
	}
	return c.attempts.Running()
}

// announce tells everybody who waits how the study ended. So many attempts have not returned.
func (c *coordinator) announce(left int) {
	if c.settled {
		return
	}
	c.final()
	c.logEnd(left)
	c.heed() // before it is settled
	c.settled = true
	end := *c.ending
	c.Close()
	c.threads.close()
	for _, who := range c.waiting {
		c.root.Send(who, end)
	}
	c.waiting = nil
	if c.onEnd != nil {
		c.onEnd(end)
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
	cause := fmt.Errorf("%w: %s", ErrEnded, reason)
	switch {
	case c.ending != nil:
	case c.config.Resumable:
		c.pause(Pause{Now: true, reason: reason, cause: cause})
	default:
		c.stop(Stop{Reason: reason, cause: cause})
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
		c.owed.forgive() // nobody hears it any more
		settled := c.owed.settled()
		go func() { c.announce(c.left(settled)) }()
	}
}
