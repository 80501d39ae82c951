package actors

import (
	"runtime"

	"github.com/asynkron/protoactor-go/actor"
)

// held is something that waits until every event so far is kept.
type held struct {
	do     func()
	refuse func(error) // called in its place when they cannot be kept; nil: nothing is
}

// maxHeld bounds what waits: under load a transaction of the journal has about so many events.
const maxHeld = 1024

// commit keeps what happened and does what waited for that, unless the mailbox has more: the events of one drained mailbox
// share the cost. Without a journal nothing waits.
func (c *coordinator) commit(ctx actor.Context) {
	if _, stopped := ctx.Message().(*actor.Stopped); stopped {
		return // everything is done, and others may look at it now
	}
	_, stopping := ctx.Message().(*actor.Stopping)
	if c.config.Journal != nil && !stopping && c.mailbox.UserMessageCount() <= 0 {
		runtime.Gosched() // whoever is about to send does, so that more share the cost
	}
	if c.config.Journal == nil || stopping || len(c.held) >= maxHeld || c.mailbox.UserMessageCount() <= 0 {
		c.flush()
	}
	c.heed()
}

// flush keeps what happened, now, and does what waited for that. After an error nothing is kept any more; what is said then
// depends on nothing new.
func (c *coordinator) flush() error {
	if err := c.Sync(); err != nil && c.ending == nil {
		waiting := c.held
		c.held = nil
		for _, h := range waiting {
			if h.refuse != nil {
				h.refuse(err)
			}
		}
		c.abort(err)
		return err
	}
	for len(c.held) > 0 {
		h := c.held[0]
		c.held = c.held[1:]
		h.do()
	}
	c.rest()
	c.number()
	return nil
}
