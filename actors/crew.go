package actors

import (
	"errors"
	"fmt"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/workers"
)

// crew is the workers by number. No mailbox of a worker can overflow: the loop dispatches to a worker only as many
// evaluations as it has offered slots.
type crew struct {
	byNumber map[int]member
	byPID    map[string]int
	last     int // the greatest number given so far
}

type member struct {
	pid *actor.PID
	own bool // a child of the coordinator
}

func (w *crew) add(number int, m member) {
	w.byNumber[number] = m
	w.byPID[m.pid.String()] = number
	w.last = max(w.last, number)
}

// remove forgets a worker and returns its number, 0 if it is none.
func (w *crew) remove(pid *actor.PID) (int, member) {
	number := w.byPID[pid.String()]
	m := w.byNumber[number]
	delete(w.byPID, pid.String())
	delete(w.byNumber, number)
	return number, m
}

// own counts the coordinator's own workers.
func (w *crew) own() int {
	n := 0
	for _, m := range w.byNumber {
		if m.own {
			n++
		}
	}
	return n
}

// send gives a worker a message. One of the coordinator's own hears nothing after the end: it is about to go.
func (w *crew) send(c *coordinator, number int, message any) {
	if m, ok := w.byNumber[number]; ok && !(m.own && c.ending != nil) {
		c.root.RequestWithCustomSender(m.pid, message, c.self)
	}
}

func (w *crew) dispatch(c *coordinator, d loop.Dispatch) {
	t := workers.Task{Evaluation: d.Evaluation, Attempt: d.Attempt, X: slices.Clone(d.X)}
	if d.Deadline > 0 {
		t.Deadline = c.start.Add(d.Deadline)
	}
	w.send(c, d.Worker, Evaluate{t})
}

// hire starts a worker of the coordinator's own.
func (c *coordinator) hire(ctx actor.Context, number int) {
	pid := ctx.SpawnPrefix(c.props(func() actor.Actor { return &worker{coordinator: c.self, study: c, number: number} }, actor.Unbounded()()), fmt.Sprintf("worker-%d-", number))
	c.crew.add(number, member{pid, true})
	c.take(loop.WorkerJoined{Worker: number, Slots: 1})
}

// visit lets a worker from outside come or go.
func (c *coordinator) visit(ctx actor.Context, message any) {
	who := ctx.Sender()
	if who == nil {
		return
	}
	switch m := message.(type) {
	case Join:
		number, known := c.crew.byPID[who.String()]
		switch {
		case c.ending != nil:
			ctx.Respond(Joined{Err: ErrEnded})
			return
		case m.Slots < 1 || m.Slots > loop.MaxSlots:
			ctx.Respond(Joined{Err: fmt.Errorf("Join.Slots = %d: want 1 ≤ Slots ≤ %d", m.Slots, loop.MaxSlots)})
			return
		case !known && len(c.crew.byNumber) >= loop.MaxWorkers:
			ctx.Respond(Joined{Err: errors.New("the study has as many workers as it can have")})
			return
		case !known:
			number = c.crew.last + 1
		}
		ctx.Respond(Joined{Worker: number})
		if !known {
			who = actor.NewPID(who.Address, who.Id) // looked up anew: a future that has its answer is gone
			c.crew.add(number, member{who, false})
			ctx.Watch(who)
		}
		c.take(loop.WorkerJoined{Worker: number, Slots: m.Slots})
	case Resize:
		if number := c.crew.byPID[who.String()]; number > 0 {
			c.take(loop.WorkerResized{Worker: number, Slots: m.Slots})
		}
	case Leave:
		if number, _ := c.crew.remove(who); number > 0 {
			ctx.Unwatch(who)
			c.owed.left(number)
			c.take(loop.WorkerLeft{Worker: number, Reason: m.Reason})
		}
		ctx.Respond(Left{})
	}
}

// terminated says what became of an actor that is gone: the loop is told, and the coordinator's own get a successor.
func (c *coordinator) terminated(ctx actor.Context, who *actor.PID) {
	switch {
	case who.Equal(c.policy):
		c.replacePolicy(ctx)
	case who.Equal(c.fitter):
		c.replaceFitter(ctx)
	default:
		c.replaceWorker(ctx, who)
	}
}

// terminatedReason is what the loop is told about work that went down with its actor.
const terminatedReason = "its actor terminated"

func (c *coordinator) replaceWorker(ctx actor.Context, who *actor.PID) {
	number, m := c.crew.remove(who)
	c.owed.left(number)
	switch {
	case number == 0:
		return
	case c.ending != nil:
		c.drain()
		return
	}
	c.take(loop.WorkerLeft{Worker: number, Reason: terminatedReason})
	if m.own && c.ending == nil {
		c.hire(ctx, number)
	}
}

func (c *coordinator) replacePolicy(ctx actor.Context) {
	if c.ending != nil {
		return
	}
	c.spawnPolicy(ctx)
	for _, effect := range c.loop.Outstanding() {
		if ask, ok := effect.(loop.Ask); ok {
			c.take(ask.Failed("policy: " + terminatedReason))
		}
	}
}

func (c *coordinator) replaceFitter(ctx actor.Context) {
	if c.ending != nil {
		return
	}
	c.spawnFitter(ctx)
	for _, effect := range c.loop.Outstanding() {
		if fit, ok := effect.(loop.Fit); ok {
			c.take(fit.Failed("fitter: " + terminatedReason))
		}
	}
}
