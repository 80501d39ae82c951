package actors

import (
	"sync"

	"github.com/asynkron/protoactor-go/actor"
)

// part is what an actor is for.
type part int

const (
	coordinating part = iota
	choosing
	fitting
	working
	parts
)

// String returns the actors that play the part.
func (p part) String() string {
	return [...]string{"coordinator", "policy", "fitter", "workers"}[p]
}

// mailboxes are those of the actors of a study that live. A mailbox counts its messages anyway: to measure it costs
// nothing until somebody asks.
type mailboxes struct {
	mutex sync.Mutex
	open  map[*resident]struct{}
}

func newMailboxes() *mailboxes { return &mailboxes{open: map[*resident]struct{}{}} }

// resident is an actor that lives with its mailbox on the list, and is taken off when it has stopped: what is left in
// the mailbox then will never be read.
type resident struct {
	actor.Actor
	part    part
	mailbox actor.Mailbox
	list    *mailboxes
}

// Receive handles one message.
func (r *resident) Receive(ctx actor.Context) {
	r.Actor.Receive(ctx)
	if _, stopped := ctx.Message().(*actor.Stopped); stopped {
		r.list.mutex.Lock()
		delete(r.list.open, r)
		r.list.mutex.Unlock()
	}
}

// watch makes the one actor that is spawned from the props a resident.
func (m *mailboxes) watch(producer actor.Producer, mailbox actor.Mailbox) actor.PropsOption {
	r := &resident{list: m, mailbox: mailbox}
	produce := actor.WithProducer(func() actor.Actor {
		r.Actor = producer()
		r.part = partOf(r.Actor)
		m.mutex.Lock()
		m.open[r] = struct{}{}
		m.mutex.Unlock()
		return r
	})
	return func(p *actor.Props) { p.Configure(produce) }
}

func partOf(a actor.Actor) part {
	switch a.(type) {
	case *coordinator:
		return coordinating
	case policyActor:
		return choosing
	case fitter:
		return fitting
	}
	return working
}

// lengths returns how many messages wait, for each part that is played. The one that an actor is handling does not wait
// any more.
func (m *mailboxes) lengths() map[part]int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	n := map[part]int{}
	for r := range m.open {
		n[r.part] += max(r.mailbox.UserMessageCount(), 0) // for a moment it may count more taken than put
	}
	return n
}
