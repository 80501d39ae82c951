package sim

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// attempt names one attempt at an evaluation.
type attempt struct{ evaluation, number int }

// heard reports whether what is due happens. A worker that was told that nobody waits for its attempt keeps an answer
// that does not last to itself; where that is of interest it says that it has returned. In rounds there are no workers who
// could be told.
func (w *world) heard(d *due) bool {
	a := d.answer
	switch {
	case w.quit[d.again]:
		return false
	case d.report != attempt{}:
		return !w.quit[d.report] && (w.scenario.Workers == 0 || !w.cancelled[d.report])
	case a != nil && w.quit[attempt{a.Evaluation, a.Attempt}]:
		return a.Returned && w.loop.Overdue(a.Evaluation, a.Attempt)
	}
	if w.scenario.Workers == 0 || a == nil || a.Lasts() || !w.cancelled[attempt{a.Evaluation, a.Attempt}] {
		return true
	}
	d.event = loop.Answered(outcome.Answer{Evaluation: a.Evaluation, Attempt: a.Attempt, Returned: true}, false)
	return w.loop.Overdue(a.Evaluation, a.Attempt)
}

// cancel tells a worker that nobody waits for its attempt any longer. One that would never answer returns then.
func (w *world) cancel(a attempt) {
	w.cancelled[a] = true
	if w.silent[a] {
		at := w.now + delay.Staggered(0, Tick, a.evaluation, a.number)
		w.queue.answer(at, outcome.Answer{Evaluation: a.evaluation, Attempt: a.number, Returned: true})
	}
}

// evaluate decides what will come back from a dispatch, and when.
func (w *world) evaluate(d loop.Dispatch) {
	s := w.scenario
	truth, known := w.truths[d.Evaluation]
	if !known {
		truth = s.Problem.Value(d.X)
		w.truths[d.Evaluation] = truth
	}
	c := s.Chances().Draw(d.Evaluation, d.Attempt, delay.Case{X: w.loop.Evaluations()[d.Evaluation-1].X, Level: s.Level(truth)})
	at := w.arrival(d, c.Delay)

	answer := outcome.Answer{Evaluation: d.Evaluation, Attempt: d.Attempt}
	value := outcome.Of(w.observed(d, truth+c.Noise))
	value.Constraints = w.gauged(d)
	if c.Fault != delay.Stall && c.Arrives && c.Fault != delay.Drop {
		w.report(d, at)
	}
	switch {
	case c.Fault == delay.Stall || !c.Arrives: // in the pace of workers the slot stays busy until the timeout
		w.silent[attempt{d.Evaluation, d.Attempt}] = true
	case c.Fault == delay.Fail:
		answer.Failure = outcome.FailureOf(delay.ErrInjected)
		w.queue.answer(at, answer)
	case c.Fault == delay.Drop:
		answer.Follows = true // and never does
		w.queue.answer(at, answer)
	default:
		answer.Outcome = value
		w.queue.answer(at, answer)
		if c.Fault == delay.Duplicate {
			w.queue.add(due{at: at + Tick, event: loop.Answered(answer, true), again: attempt{d.Evaluation, d.Attempt}})
		}
	}
	if d.Attempt == 1 {
		w.offerContext(d.Evaluation + 1)
	}
	if s.Workers == 0 {
		w.nextRound(d)
	}
}

// report decides what an evaluation says on its way to an answer at a time.
func (w *world) report(d loop.Dispatch, at time.Duration) {
	p := w.scenario.Problem
	if p.Reports == nil {
		return
	}
	for _, i := range p.Reports(d.X, w.noise(d)) {
		event := loop.OnTheWay(d.Evaluation, d.Attempt, i.Step, i.Value)
		w.queue.add(due{at: w.now + i.After(at-w.now, d.Evaluation, d.Attempt), event: event, report: attempt{d.Evaluation, d.Attempt}})
	}
}

// giveUp lets the worker of an attempt that was ended early return at once, without a value.
func (w *world) giveUp(a attempt) {
	if w.quit[a] {
		return
	}
	w.quit[a] = true
	w.queue.answer(w.now, outcome.Answer{Evaluation: a.evaluation, Attempt: a.number, Returned: true})
}

// noise is the stream of the chances of an attempt.
func (w *world) noise(d loop.Dispatch) *rand.Rand {
	return rng.New(w.scenario.Seed, rng.Noise, uint64(d.Evaluation)+uint64(d.Attempt-1)<<32)
}

// observed is the value that an evaluation gives: the plain one unless the problem has noise of its own. Its stream is the
// one from which Gaussian noise would have come.
func (w *world) observed(d loop.Dispatch, plain float64) float64 {
	p := w.scenario.Problem
	if p.Observe == nil || math.IsNaN(plain) {
		return plain
	}
	return p.Observe(d.X, w.noise(d))
}

// gauged is what an evaluation measures of the constraints; nil without any.
func (w *world) gauged(d loop.Dispatch) []float64 {
	switch p := w.scenario.Problem; {
	case p.Gauge != nil:
		return p.Gauge(d.X, rng.New(w.scenario.Seed, rng.Gauge, uint64(d.Evaluation)+uint64(d.Attempt-1)<<32))
	case p.Measure != nil:
		return p.Measure(d.X)
	}
	return nil
}

// endOfTime bounds virtual time: what is due later never comes about within it.
const endOfTime = time.Duration(math.MaxInt64 / 4)

// arrival is when the answer to a dispatch comes. In rounds the answers of a tick come half a tick before its query is
// chosen; the answer of the query of the tick before, whose slot it would free too early, comes with the tick itself,
// just ahead of the query. With workers one nanosecond for each evaluation keeps equal delays apart.
func (w *world) arrival(d loop.Dispatch, wait float64) time.Duration {
	if w.scenario.Workers > 0 {
		return min(w.now+delay.Staggered(wait, Tick, d.Evaluation, d.Attempt), endOfTime)
	}
	ticks := max(math.Ceil(wait), 1)
	if ticks == 1 {
		return w.now + Tick
	}
	return min(w.now+time.Duration(ticks)*Tick-Tick/2, endOfTime)
}

// nextRound frees the slot for the next tick's query, whatever is pending. After the last query it ends the study when
// one more would have been chosen; behind a barrier that is when every answer has come.
func (w *world) nextRound(d loop.Dispatch) {
	w.queue.push(w.now+Tick, loop.Answered(outcome.Answer{Evaluation: d.Evaluation, Attempt: d.Attempt, Follows: true}, false))
	if d.Evaluation == w.loop.Config().Budget && d.Attempt == 1 && w.scenario.barrier() <= 1 {
		w.stop(w.now+Tick, "round limit")
	}
}
