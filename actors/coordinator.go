package actors

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/workers"
)

// coordinator owns the loop. For each event it stamps, journals and steps, in this order and from its mailbox only; it
// performs what the loop wants when the journal has it. Everything else it does is to start and to end.
type coordinator struct {
	*Driver
	base context.Context // its end stops the study; its values reach the objectives
	gate *gate

	self  *actor.PID
	root  *actor.RootContext
	start time.Time

	policy, fitter *actor.PID
	crew           crew
	timer          alarm
	watch          watch
	mailbox        actor.Mailbox    // its own
	held           []held           // what waits until every event is kept
	unnumbered     []unnumbered     // observations that are kept and wait for an ask to close
	paused         *Pause           // no more queries are started; nil: they are
	pausing        atomic.Bool      // a Pause is in the mailbox: one that an event led to comes before what that event starts
	begun          map[int]int      // attempt by evaluation: what was started, some of it over
	attempts       workers.Attempts // of the coordinator's own workers
	owed           owed             // by workers from outside
	threads        threads          // of all actors of the study

	cause    error // of the stop that was asked for
	ending   *Ended
	stopping bool // the actor stops, or is about to: its children go with it
	draining bool // every worker of its own is gone; their attempts may not be
	settled  bool // the ending was announced
	idle     bool // the study had ended before it began here
	heeded   bool // the study ends, or ended, since the logger failed
	heard    bool // a value came after the end, and the result of the ending is not up to date
	unwatch  func() bool
	limit    *time.Timer   // of Config.MaxTime; nil: none
	overdue  *time.Timer   // announces the ending of a coordinator that cannot stop
	waiting  []*actor.PID  // who wants to know how it ends
	onEnd    func(Ended)   // the engine, in the same case; nil: none
	stopped  chan struct{} // closed when the actor has stopped
}

// Receive handles one message. A panic here is a bug: it ends the study, with the stack. So does a reader of notices that
// ends the goroutine.
func (c *coordinator) Receive(ctx actor.Context) {
	returned := false
	defer func() {
		switch r := recover(); {
		case r != nil:
			c.panicked(ctx, r)
		case !returned:
			c.exited(ctx)
		}
	}()
	c.handle(ctx)
	c.commit(ctx)
	returned = true
}

func (c *coordinator) handle(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		c.begin(ctx)
	case *actor.Stopping:
		c.interrupt()
	case *actor.Stopped:
		c.gone()
	case *actor.Terminated:
		c.terminated(ctx, m.Who)
	case computed:
		c.take(m.event)
	case outcome.Answer:
		c.answered(m)
	case woke:
		if m.timer == c.timer.set {
			c.take(loop.Woke{})
		}
	case look:
		c.look()
	case Join, Resize, Leave:
		c.visit(ctx, m)
	case Stop:
		c.stop(m)
	case Pause:
		c.pause(m)
	case Await:
		c.await(ctx.Sender())
	case drained:
		c.announce(m.left)
	case request:
		c.reply(m.message, func(answer any) { m.reply <- answer })
	case loop.Event, Heard, Inspect, Look, Predict, Recommend:
		who := ctx.Sender()
		c.reply(m, func(answer any) {
			if who != nil {
				c.root.Send(who, answer)
			}
		})
	}
}

// answered takes what a worker says of an attempt. That it has returned is heard where it is waited for.
func (c *coordinator) answered(a outcome.Answer) {
	if !a.Returned || c.ending == nil && c.loop.Overdue(a.Evaluation, a.Attempt) {
		c.take(loop.Answered(a, false))
	}
	c.owed.returned(a.Evaluation, a.Attempt)
}

// take stamps an event, keeps it, and steps the loop; what the loop wants is performed by commit. It returns ErrEnded or
// ErrPaused after the end.
func (c *coordinator) take(e loop.Event) (loop.Reaction, error) {
	if c.ending != nil {
		return c.hearOut(e)
	}
	reaction, err := c.Step(time.Since(c.start), e)
	if err != nil {
		c.flush() // what happened before is kept, and has its effects
		c.abort(err)
		return reaction, err
	}
	for _, effect := range reaction.Effects {
		c.held = append(c.held, held{do: func() { c.perform(effect) }})
	}
	if stop, reached := c.Reached(); reached {
		_, err := c.take(stop)
		return reaction, err
	}
	if c.loop.Finished() {
		return reaction, c.flush()
	}
	c.watch.quiet = 0
	c.watch.wake(c)
	return reaction, nil
}

// perform does what the loop wants. It sends messages and nothing else.
func (c *coordinator) perform(effect loop.Effect) {
	if c.paused != nil || c.pausing.Load() {
		switch effect.(type) {
		case loop.Ask, loop.Fit, loop.Dispatch:
			return // whoever resumes the study performs it
		}
	}
	switch e := effect.(type) {
	case loop.Ask:
		if !c.loop.Asks(e) {
			return // its policy was replaced meanwhile
		}
		c.watch.ask = e.ID
		c.root.RequestWithCustomSender(c.policy, &propose{e, c.loop.Task()}, c.self)
	case loop.Fit:
		c.watch.fit = e.ID
		c.root.RequestWithCustomSender(c.fitter, fit{e}, c.self)
	case loop.Dispatch:
		c.begun[e.Evaluation] = e.Attempt
		c.crew.dispatch(c, e)
	case loop.Cancel:
		c.cancelled(e.Worker, e.Evaluation, e.Attempt)
		c.crew.send(c, e.Worker, Cancel{e.Evaluation, e.Attempt})
	case loop.WakeAt:
		c.timer.at(c, e.At)
	case loop.Finish:
		c.end(Ended{Result: e.Result, Err: c.cause})
	}
}

// alarm is the one timer of a study.
type alarm struct {
	timer *time.Timer
	set   int // counts settings: what an older one sends is not wanted any more
}

func (a *alarm) at(c *coordinator, at time.Duration) {
	a.stop()
	a.set++
	message := woke{a.set}
	a.timer = time.AfterFunc(at-time.Since(c.start), func() { c.gate.send(c.root, c.self, message) })
}

func (a *alarm) stop() {
	if a.timer != nil {
		a.timer.Stop()
	}
}
