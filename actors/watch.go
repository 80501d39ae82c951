package actors

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/loop"
)

// A study stands still when the loop waits for something that nobody is about to bring. No sequence of events should lead
// there. If one does, the study ends with ErrStalled, which says what it waits for: an error can be reported and resumed from,
// a wait without end cannot.
const (
	lookEvery  = 10 * time.Second // so often the watch compares what the loop waits for with what is under way,
	mostQuiet  = 20               // and half as often after each look at which nothing was amiss and nothing had happened
	looksAlike = 3                // so many times something must be missing: a message may be on its way for once
)

// watch compares, now and then, what the loop waits for with what is under way. It sleeps while the loop waits for the world
// alone.
type watch struct {
	timer   *time.Timer // nil while it sleeps
	missing []loop.Wait // at the last look
	since   int         // looks at which these were missing
	quiet   int         // looks since the last event at which nothing was
	ask     int         // the last Ask that the policy was sent
	fit     int         // the last Fit that the fitter was sent
}

// wake lets the watch look again, if it sleeps.
func (w *watch) wake(c *coordinator) {
	if w.timer == nil {
		w.timer = time.AfterFunc(lookEvery<<min(w.quiet, mostQuiet), func() { c.gate.send(c.root, c.self, look{}) })
	}
}

func (w *watch) stop() {
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}

// look ends a study that stands still.
func (c *coordinator) look() {
	c.flush() // what is held is not missing
	if c.watch.stop(); c.ending != nil {
		return
	}
	if c.paused != nil { // then nothing new is performed
		c.watch.since = 0
		return
	}
	waits := slices.DeleteFunc(c.loop.Waits(), c.outside)
	sleeps := len(waits) == 0
	missing := slices.DeleteFunc(waits, c.underWay)
	switch {
	case len(missing) == 0:
		c.watch.since = 0
		c.watch.quiet++
	case c.watch.since > 0 && slices.Equal(missing, c.watch.missing):
		c.watch.since++
	default:
		c.watch.since, c.watch.quiet = 1, 0
	}
	if c.watch.missing = missing; c.watch.since == looksAlike {
		c.abort(c.stalled(missing))
	} else if !sleeps {
		c.watch.wake(c)
	}
}

// outside reports whether something that the loop waits for is to come from outside of the engine.
func (c *coordinator) outside(w loop.Wait) bool {
	switch w.For {
	case loop.AwaitsAsk, loop.AwaitsFit:
		return false
	case loop.AwaitsAttempt, loop.AwaitsReturn:
		m, known := c.crew.byNumber[w.Worker]
		return known && !m.own
	case loop.AwaitsWorker:
		return c.config.Workers == 0
	}
	return true
}

// underWay reports whether something that the loop waits for was set going and has not come back.
func (c *coordinator) underWay(w loop.Wait) bool {
	switch w.For {
	case loop.AwaitsAsk:
		return c.watch.ask == w.ID
	case loop.AwaitsFit:
		return c.watch.fit == w.ID
	}
	return c.attempts.Has(w.Evaluation, w.Attempt)
}

// stalled is the error of a study that stands still.
func (c *coordinator) stalled(missing []loop.Wait) error {
	var words []string
	for _, w := range missing {
		words = append(words, w.String())
	}
	seq, at := c.loop.Now()
	return fmt.Errorf("%w: since event %d, after %v, it waits for %s, which nobody is about to bring (%d evaluations chosen, %d pending): please report this",
		ErrStalled, seq, at.Round(time.Millisecond), strings.Join(words, ", "), len(c.loop.Evaluations()), c.loop.Pending())
}
