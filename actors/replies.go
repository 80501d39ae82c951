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

// reply handles a message that wants an answer, which says that something was taken when it is kept.
func (c *coordinator) reply(message any, answer func(any)) {
	if _, ok := message.(Inspect); ok {
		answer(Inspected{c.snapshot()})
		return
	}
	err := c.Answer(message, c.hear)
	c.held = append(c.held, held{
		do:     func() { answer(Told{err}) },
		refuse: func(lost error) { answer(Told{lost}) },
	})
}

// hear takes what somebody else than its worker says of an attempt. A worker that is still at it need not go on.
func (c *coordinator) hear(e loop.Event) error {
	attempt, running := c.running(e)
	err := c.take(e)
	if err == nil && running {
		c.held = append(c.held, held{do: func() { c.crew.send(c, attempt.Worker, Cancel{attempt.Evaluation, attempt.Attempt}) }})
	}
	return err
}

// running returns the attempt that an event is about, and whether a worker is at it.
func (c *coordinator) running(e loop.Event) (loop.Cancel, bool) {
	var a loop.Cancel
	switch e := e.(type) {
	case loop.FeedbackArrived:
		a.Evaluation, a.Attempt = e.Evaluation, e.Attempt
	case loop.EvaluationFailed:
		a.Evaluation, a.Attempt = e.Evaluation, e.Attempt
	}
	all := c.loop.Evaluations()
	if a.Evaluation < 1 || a.Evaluation > len(all) {
		return a, false
	}
	at := all[a.Evaluation-1]
	a.Worker = at.Worker
	return a, at.Holds && at.Attempt == a.Attempt
}

func (c *coordinator) snapshot() Snapshot {
	if c.ending != nil {
		end := c.final()
		return Snapshot{At: end.At, Result: end.Result, Open: c.attempts.Running(), Ended: true}
	}
	return Snapshot{At: time.Since(c.start), Result: c.loop.Result(), Open: c.attempts.Running()}
}
