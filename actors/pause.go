package actors

import (
	"cmp"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// paused is the error of what comes to a study that goes on elsewhere.
type paused struct{}

func (paused) Error() string {
	return "the study is paused, and has not ended: want the run that resumes it, and for an answer the ID of its query"
}

// Is says that it is an ErrEnded, though the study has none.
func (paused) Is(target error) bool { return target == ErrEnded }

// over is the error of what comes to a study in which nothing happens any more.
func (d *Driver) over() error {
	if _, readable := d.config.Journal.(journal.Store); readable && !d.loop.Finished() {
		return ErrPaused
	}
	return ErrEnded
}

// pause ends the study without an event: whoever resumes it from its journal goes on where it was.
func (c *coordinator) pause(m Pause) {
	if c.ending != nil || c.paused != nil && c.paused.Now {
		return
	}
	c.paused = &m
}

// rest ends a paused study when nothing that was started is under way any more.
func (c *coordinator) rest() {
	if c.paused == nil || c.ending != nil || !c.paused.Now && c.started() > 0 {
		return
	}
	for _, e := range c.loop.Evaluations() {
		if e.Holds && c.begun[e.Number] == e.Attempt { // with Now; whoever resumes the study starts it again
			c.crew.send(c, e.Worker, Cancel{e.Number, e.Attempt})
		}
	}
	if c.paused.reason == ReasonTime && !c.config.Resumable {
		c.stop(Stop{Reason: ReasonTime}) // nobody can go on with it
		return
	}
	end := Ended{Result: c.loop.Result(), Err: c.paused.cause}
	end.Result.Reason = cmp.Or(c.paused.reason, ReasonPaused)
	c.end(end)
}

// started counts the attempts that were started and hold a slot, and forgets the others.
func (c *coordinator) started() int {
	all := c.loop.Evaluations()
	for number, attempt := range c.begun {
		if e := all[number-1]; !e.Holds || e.Attempt != attempt {
			delete(c.begun, number)
		}
	}
	return len(c.begun)
}

// resume takes up a study from its journal: time goes on from its last event, what its workers were doing starts again,
// and so do an open ask and an open fit.
func (c *coordinator) resume() {
	c.start = time.Now().Add(-c.Elapsed())
	events, reopens := c.Resumption()
	ended := c.loop.Finished()
	if ended && !reopens {
		c.idle = true
		c.end(Ended{Result: c.loop.Result()})
		return
	}
	for _, e := range events {
		c.take(e)
	}
	if ended && c.loop.Finished() { // the other budget is spent too
		c.idle = true
		c.held = append(c.held, held{do: func() { c.end(Ended{Result: c.loop.Result()}) }})
	}
	for _, effect := range c.loop.Outstanding() {
		switch effect.(type) {
		case loop.Ask, loop.Fit:
			c.held = append(c.held, held{do: func() { c.perform(effect) }})
		}
	}
}
