package tuning

import (
	"fmt"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// course is the course of a study so far: a fold over its events, and all that frames, tables and pictures know of it.
type course struct {
	spans []span        // by number of the evaluation, from 1 at index 0
	lanes []int         // by worker, from 1 at index 0: the evaluation that it is busy with, 0 for none
	best  []int         // the evaluations that were incumbents, in the order of time
	at    time.Duration // of the last event, since the study started
	blind int           // queries that are uniform because the policy failed
}

// span is the time in which an evaluation kept a worker busy. Worker 0 says that it never did.
type span struct {
	worker       int
	x            space.Point // user units
	began, ended time.Duration
	status       tarry.Status
	value        float64
}

func newCourse(workers int) course { return course{lanes: make([]int, workers)} }

// apply takes the next event.
func (c *course) apply(e tarry.Event) {
	c.at, c.blind = e.At, e.Counters.Fallbacks
	c.settle(e.Evaluation)
	for _, effect := range e.Reaction.Effects {
		switch effect := effect.(type) {
		case loop.Dispatch:
			c.dispatch(effect, e.At)
		case loop.Cancel:
			c.cancel(effect, e)
		case loop.Finish:
			for _, v := range effect.Result.Evaluations {
				c.settle(v)
			}
		}
	}
	if e.Improved {
		c.best = append(c.best, e.Evaluation.Number)
	}
}

// dispatch begins the span of an evaluation, or begins it anew when it is tried again.
func (c *course) dispatch(d loop.Dispatch, at time.Duration) {
	for len(c.spans) < d.Evaluation {
		c.spans = append(c.spans, span{})
	}
	for len(c.lanes) < d.Worker {
		c.lanes = append(c.lanes, 0)
	}
	c.spans[d.Evaluation-1] = span{worker: d.Worker, x: d.X, began: at}
	c.lanes[d.Worker-1] = d.Evaluation
}

// settle takes over what became of an evaluation that kept a worker busy.
func (c *course) settle(e loop.Evaluation) {
	if e.Number < 1 || e.Number > len(c.spans) || e.Status == tarry.Pending {
		return
	}
	s := &c.spans[e.Number-1]
	s.status, s.value = e.Status, e.Value
	c.end(e.Number, e.Ended)
}

// cancel ends the span of an evaluation that took too long, or is given up because the study ends.
func (c *course) cancel(e loop.Cancel, because tarry.Event) {
	if s := &c.spans[e.Evaluation-1]; s.pending() {
		s.status = tarry.TimedOut
		if _, stop := because.Event.(loop.StopRequested); stop {
			s.status = tarry.Cancelled
		}
		c.end(e.Evaluation, because.At)
	}
}

// end frees the lane of an evaluation. It does nothing to one that has ended.
func (c *course) end(number int, at time.Duration) {
	s := &c.spans[number-1]
	if s.worker == 0 || s.ended > 0 {
		return
	}
	s.ended = at
	if c.lanes[s.worker-1] == number {
		c.lanes[s.worker-1] = 0
	}
}

func (s span) pending() bool { return s.worker > 0 && s.ended == 0 }

// length is how long the span is, or has been so far.
func (s span) length(now time.Duration) time.Duration {
	switch {
	case s.worker == 0:
		return 0
	case s.pending():
		return max(now-s.began, 0)
	}
	return s.ended - s.began
}

// tally counts spans by what became of them.
type tally struct{ finished, pending, failed, cancelled int }

// String returns the counts that matter while a study goes on.
func (t tally) String() string {
	return fmt.Sprintf("%d done, %d pending, %d failed", t.finished, t.pending, t.failed)
}

func (c course) tally() tally {
	var t tally
	for _, s := range c.spans {
		switch {
		case s.worker == 0:
		case s.pending():
			t.pending++
		case s.status.Valued():
			t.finished++
		case s.status == tarry.Cancelled:
			t.cancelled++
		default:
			t.failed++
		}
	}
	return t
}

// busy is the share of the workers' time in which they had an evaluation.
func (c course) busy(now time.Duration) float64 {
	if now <= 0 || len(c.lanes) == 0 {
		return 0
	}
	var sum time.Duration
	for _, s := range c.spans {
		sum += s.length(now)
	}
	return min(float64(sum)/float64(now)/float64(len(c.lanes)), 1)
}

// longest is the length of the longest span so far.
func (c course) longest(now time.Duration) time.Duration {
	var out time.Duration
	for _, s := range c.spans {
		out = max(out, s.length(now))
	}
	return out
}

// incumbent is the best evaluation so far: its number and span; 0 without any.
func (c course) incumbent() (int, span) {
	if len(c.best) == 0 {
		return 0, span{}
	}
	number := c.best[len(c.best)-1]
	return number, c.spans[number-1]
}
