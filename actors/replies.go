package actors

import (
	"time"

	"github.com/tarry-bo/tarry/loop"
)

// Snapshot is how a study stands.
type Snapshot struct {
	At     time.Duration // since it started
	Result loop.Result   // so far
	Open   int           // attempts of the coordinator's own workers that have not returned
	Ended  bool
}

// reply handles a message that wants an answer.
func (c *coordinator) reply(message any) any {
	if _, ok := message.(Inspect); ok {
		return Inspected{c.snapshot()}
	}
	return Told{c.Answer(message, c.take)}
}

func (c *coordinator) snapshot() Snapshot {
	if c.ending != nil {
		return Snapshot{At: c.ending.At, Result: c.ending.Result, Open: c.attempts.Running(), Ended: true}
	}
	return Snapshot{At: time.Since(c.start), Result: c.loop.Result(), Open: c.attempts.Running()}
}
