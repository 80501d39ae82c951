package actors

import (
	"fmt"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/workers"
)

// Guest is a worker from the same process that is no actor. Its methods are called one after another, each must be quick, and none may
// wait for the study.
type Guest interface {
	// Evaluate begins an attempt. Whoever learns its answer brings it with Engine.Hear.
	Evaluate(workers.Task)
	// Cancel says that nobody waits for an attempt any longer. Where the study is Exclusive an answer that says Returned, or any
	// other, is wanted all the same: the end of the study waits for it, as long as Config.Grace.
	Cancel(evaluation, attempt int)
	// Ended says that the study has ended, then err wraps ErrEnded, or does not want the guest. Nothing follows. It is not called
	// after Seat.Leave.
	Ended(err error)
}

// Seat is the place of a guest at a study. Its methods are safe for concurrent use, and do not wait; after the end of the study they do
// nothing.
type Seat struct {
	engine *Engine
	pid    *actor.PID
}

// Join gives a guest a seat with slots for so many evaluations at once, and returns: its first attempt may come before. An error wraps
// ErrEnded, or names the slots.
func (e *Engine) Join(slots int, g Guest) (*Seat, error) {
	if slots < 1 || slots > loop.MaxSlots {
		return nil, &check.FieldError{Field: "slots", Value: slots, Want: fmt.Sprintf("1 ≤ slots ≤ %d", loop.MaxSlots)}
	}
	s := &Seat{engine: e}
	v := &visitor{coordinator: e.pid, slots: slots, guest: g, rise: func() { e.guests.rise(s) }, gone: e.guests.wait.Done}
	props := e.study.props(func() actor.Actor { return v }, actor.Unbounded()()).Configure(actor.WithGuardian(stops))
	if !e.study.gate.do(func() {
		e.guests.sit(s)
		s.pid = e.system.Root.SpawnPrefix(props, "guest-")
	}) {
		return nil, e.study.over()
	}
	return s, nil
}

// Resize says how many slots the guest has from now on, 0 … loop.MaxSlots. What it runs goes on; it gets nothing more before it runs
// less than that.
func (s *Seat) Resize(slots int) { s.say(Resize{slots}) }

// Leave gives the seat back. What the guest runs starts again elsewhere, and its answer counts all the same, late.
func (s *Seat) Leave(reason string) { s.say(Leave{reason}) }

func (s *Seat) say(message any) { s.engine.study.gate.send(s.engine.system.Root, s.pid, message) }

// Hear brings what the worker of an attempt says of it, whichever worker that was, and returns what became of it, but for the effects.
// The error is nil when it was taken or was known, after it was kept in the journal; it wraps ErrUnknownEvaluation, ErrContradiction,
// ErrEnded or ErrPaused.
func (e *Engine) Hear(a outcome.Answer) (loop.Reaction, error) {
	if reply, ok := e.request(Heard{a}).(Told); ok {
		return reply.Reaction, reply.Err
	}
	e.after.Lock()
	defer e.after.Unlock()
	return e.study.Hear(a, func(loop.Event) (loop.Reaction, error) { return loop.Reaction{}, e.study.over() })
}

// Evaluation returns the evaluation with a number as it stands, and false where there is none. Its X is in the unit cube.
func (e *Engine) Evaluation(number int) (loop.Evaluation, bool) {
	var found loop.Evaluation
	e.Look(func(*loop.Loop, time.Duration) { found = e.study.evaluation(number) })
	return found, found.Number > 0
}

// guests are the seats that are taken.
type guests struct {
	mutex sync.Mutex
	seats map[*Seat]struct{}
	wait  sync.WaitGroup
}

func (g *guests) sit(s *Seat) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.seats == nil {
		g.seats = map[*Seat]struct{}{}
	}
	g.seats[s] = struct{}{}
	g.wait.Add(1)
}

func (g *guests) rise(s *Seat) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	delete(g.seats, s)
}

// dismiss tells every guest of the end. It returns when they have heard, or when they had as long as objectives have to return.
func (e *Engine) dismiss() {
	e.guests.mutex.Lock()
	for s := range e.guests.seats {
		e.system.Root.Send(s.pid, dismissed{})
	}
	e.guests.mutex.Unlock()
	gone := make(chan struct{})
	go func() {
		e.guests.wait.Wait()
		close(gone)
	}()
	timer := time.NewTimer(e.study.config.Grace)
	defer timer.Stop()
	select {
	case <-gone:
	case <-timer.C:
	}
}

// visitor is the actor that sits for a guest.
type visitor struct {
	coordinator *actor.PID
	slots       int
	guest       Guest
	silent      bool   // the guest has left, or heard of the end
	rise        func() // the seat is about to be free
	gone        func() // it is
}

// Receive handles one message.
func (v *visitor) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		ctx.Request(v.coordinator, Join{v.slots})
	case Joined:
		if m.Err != nil {
			v.end(ctx, m.Err)
		}
	case Evaluate:
		if !v.silent {
			v.guest.Evaluate(m.Task)
		}
	case Cancel:
		if !v.silent {
			v.guest.Cancel(m.Evaluation, m.Attempt)
		}
	case Resize:
		ctx.Request(v.coordinator, m)
	case Leave:
		v.silent = true
		ctx.Request(v.coordinator, m)
	case Left:
		v.rise()
		ctx.Stop(ctx.Self())
	case dismissed:
		v.end(ctx, ErrEnded)
	case *actor.Stopped:
		v.rise()
		v.gone()
	}
}

// end tells the guest why nothing follows.
func (v *visitor) end(ctx actor.Context, why error) {
	if !v.silent {
		v.silent = true
		v.guest.Ended(why)
	}
	v.rise()
	ctx.Stop(ctx.Self())
}
