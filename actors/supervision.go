package actors

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"
)

// stops is the one strategy of the room. Nothing is ever restarted behind the coordinator's back: an actor that panicked
// stops, the coordinator hears of it, tells the loop, and starts another. A coordinator that panicked ends its study:
// started anew it would go on with an empty posterior.
var stops = actor.NewOneForOneStrategy(0, 0, func(any) actor.Directive { return actor.StopDirective })

// New returns the props of a coordinator, to be spawned once in an actor system of the caller's. The study begins with
// the actor. It stops when ctx is done, at a Stop message, or when the actor is stopped; Await says when it has ended.
// The coordinator then stays to answer Inspect until its actor is stopped. An error lists every violation.
func New(ctx context.Context, config Config) (*actor.Props, error) {
	c, err := newCoordinator(ctx, config)
	if err != nil {
		return nil, err
	}
	return c.rootProps(), nil
}

// newCoordinator is a coordinator whose study has begun. A journal that panics there broke the study, as it does later.
func newCoordinator(ctx context.Context, config Config) (c *coordinator, err error) {
	defer func() {
		if r := recover(); r != nil {
			c, err = nil, fmt.Errorf("%w: %v\n%s", ErrBroken, r, debug.Stack())
		}
	}()
	d, err := NewDriver(config)
	if err != nil {
		return nil, err
	}
	return &coordinator{
		Driver: d, base: ctx, gate: &gate{}, stopped: make(chan struct{}), mailbox: actor.Unbounded()(), begun: map[int]int{},
		crew: crew{byNumber: map[int]member{}, byPID: map[string]int{}},
	}, nil
}

// rootProps are the props of the coordinator itself. A second spawn of the same props is a bug of the caller's.
func (c *coordinator) rootProps() *actor.Props {
	var spawned atomic.Bool
	return c.props(func() actor.Actor {
		if spawned.Swap(true) {
			panic("actors: the props of a coordinator can be spawned once")
		}
		return c
	}, c.mailbox).Configure(actor.WithGuardian(stops), actor.WithDispatcher(enduring{&c.threads}))
}

// props are those of every actor of a study.
func (c *coordinator) props(producer actor.Producer, mailbox actor.Mailbox) *actor.Props {
	props := actor.PropsFromProducer(producer, actor.WithSupervisor(stops), actor.WithMailbox(func() actor.Mailbox { return mailbox }), actor.WithDispatcher(&c.threads))
	if c.metrics != nil {
		props.Configure(c.metrics.mailboxes.watch(producer, mailbox))
	}
	return props
}

func (c *coordinator) spawnPolicy(ctx actor.Context) {
	c.policy = ctx.SpawnPrefix(c.props(func() actor.Actor { return policyActor{c.config.Policy, &c.threads} }, actor.Unbounded()()), "policy-")
}

func (c *coordinator) spawnFitter(ctx actor.Context) {
	c.fitter = ctx.SpawnPrefix(c.props(func() actor.Actor { return fitter{c.config.Fit, &c.threads} }, actor.Unbounded()()), "fitter-")
}

// gate lets messages through from goroutines that are no actors, until the coordinator is about to stop. What comes
// later would be a dead letter.
type gate struct {
	mutex  sync.RWMutex
	closed bool
}

// send reports whether the message went through.
func (g *gate) send(root *actor.RootContext, to *actor.PID, message any) bool {
	return g.do(func() { root.Send(to, message) })
}

// do does something unless the gate is closed, and reports whether it did.
func (g *gate) do(what func()) bool {
	g.mutex.RLock()
	defer g.mutex.RUnlock()
	if g.closed {
		return false
	}
	what()
	return true
}

func (g *gate) close() {
	g.mutex.Lock()
	g.closed = true
	g.mutex.Unlock()
}
