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

// reply handles a message that wants an answer, which says that something was taken when it is kept. Who only looks sees what is kept, and lets nothing
// wait that is held: many who look all the time would keep the mailbox from ever being empty.
func (c *coordinator) reply(message any, answer func(any)) {
	switch message.(type) {
	case Inspect, Look, Predict, Recommend:
		c.flush()
	}
	switch m := message.(type) {
	case Inspect:
		answer(Inspected{c.snapshot()})
		return
	case Look:
		m.See(c.loop, max(time.Since(c.start), c.At()))
		answer(Looked{})
		return
	case Predict, Recommend:
		answer(c.Driver.Predict(message))
		return
	}
	var told loop.Reaction
	var err error
	switch m := message.(type) {
	case Heard:
		told, err = c.Hear(m.Answer, c.take)
		c.owed.returned(m.Answer.Evaluation, m.Answer.Attempt)
	default:
		event, _ := message.(loop.Event)
		told, err = c.Answer(event, c.take)
	}
	told.Effects = nil // they are the coordinator's
	c.held = append(c.held, held{
		do:     func() { c.tell(unnumbered{told, answer}, err) },
		refuse: func(lost error) { answer(Told{Err: lost}) },
	})
}

// unnumbered is an observation that waits for an ask to close, so that it has no number yet, and who brought it.
type unnumbered struct {
	told   loop.Reaction
	answer func(any)
}

// tell answers who brought an event that is kept. An observation that waits for an ask is answered once it has a number; where the study ends here
// before it has one, without.
func (c *coordinator) tell(u unnumbered, err error) {
	u.told = c.numbered(u.told) // it may have got one since
	if err == nil && u.told.Observation > 0 && u.told.Evaluation == 0 && c.ending == nil && c.paused == nil {
		c.unnumbered = append(c.unnumbered, u)
		return
	}
	u.answer(Told{u.told, err})
}

// number answers who brought observations, if they have numbers by now: they get them together.
func (c *coordinator) number() {
	waiting := c.unnumbered
	c.unnumbered = nil
	for _, u := range waiting {
		c.tell(u, nil)
	}
}

// evaluation is the one with a number; the zero value where there is none.
func (d *Driver) evaluation(number int) loop.Evaluation {
	if all := d.loop.Evaluations(); number >= 1 && number <= len(all) {
		return all[number-1]
	}
	return loop.Evaluation{}
}

func (c *coordinator) snapshot() Snapshot {
	if c.ending != nil {
		end := c.final()
		return Snapshot{At: end.At, Result: end.Result, Open: c.attempts.Running(), Ended: true}
	}
	return Snapshot{At: time.Since(c.start), Result: c.loop.Result(), Open: c.attempts.Running()}
}
