package main

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"time"

	"github.com/tarry-bo/tarry/internal/hostile"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// attemptsApart keeps the streams of the attempts of one evaluation apart.
const attemptsApart = loop.MaxRetries + loop.MaxLost + 2

// evaluate decides what becomes of a dispatch.
func (w *soakWorld) evaluate(d loop.Dispatch) {
	stream := rng.New(w.seed, worldStream, uint64(d.Evaluation)*attemptsApart+uint64(d.Attempt))
	w.dispatched++
	if d.Attempt == 1 {
		w.world(stream, d)
	}
	delay := exponential(stream, soakDelay)
	if chance(stream, w.late) {
		delay += soakTimeout
	}
	if chance(stream, w.fail) {
		w.twice(stream, delay, loop.EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "it was to fail"}})
		return
	}
	value := w.kind.Value(hostile.Query{Seed: w.seed, Number: d.Evaluation, Order: w.dispatched - 1, X: w.loop.Evaluations()[d.Evaluation-1].X})
	if chance(stream, w.follow) {
		w.twice(stream, delay/2, loop.AnswerFollows{Evaluation: d.Evaluation, Attempt: d.Attempt, Retire: chance(stream, 0.1)})
	}
	w.twice(stream, delay, loop.FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(value)})
	if chance(stream, w.contradict) {
		other := pick(stream, []float64{value + 1, -value, 0, math.NaN(), math.Inf(1)})
		w.after(delay+exponential(stream, soakDelay), loop.FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(other)})
	}
}

// twice puts an event in the queue, and now and then a second time.
func (w *soakWorld) twice(stream *rand.Rand, delay time.Duration, e loop.Event) {
	w.after(delay, e)
	if chance(stream, w.repeat) {
		w.after(delay+exponential(stream, soakDelay), e)
	}
}

// world is what else happens about the time of a dispatch.
func (w *soakWorld) world(stream *rand.Rand, d loop.Dispatch) {
	w.offerContext()
	if chance(stream, w.badContext) {
		w.after(0, loop.ContextArrived{Context: hostile.BadContext(w.config.Space, w.seed, d.Evaluation)})
	}
	if chance(stream, w.leave) {
		pause := exponential(stream, soakDelay)
		w.after(pause, loop.WorkerLeft{Worker: d.Worker, Reason: "it was to leave"})
		w.after(pause+exponential(stream, soakDelay), loop.WorkerJoined{Worker: d.Worker, Slots: w.slots[d.Worker-1]})
	}
	if chance(stream, w.stray) {
		w.after(exponential(stream, soakDelay), stray(stream))
	}
}

// stray is an event that belongs to nothing.
func stray(stream *rand.Rand) loop.Event {
	nobody := pick(stream, []int{0, -1, math.MinInt, math.MaxInt, loop.MaxBudget + 1})
	return pick(stream, []loop.Event{
		loop.FeedbackArrived{Evaluation: nobody, Attempt: 1, Outcome: outcome.Of(1e300)},
		loop.FeedbackArrived{Evaluation: 1, Attempt: nobody, Outcome: outcome.Of(1)},
		loop.EvaluationFailed{Evaluation: nobody, Attempt: nobody},
		loop.AnswerFollows{Evaluation: nobody, Attempt: 1, Retire: true},
		loop.Proposed{Ask: nobody, Proposals: []policies.Proposal{{X: []float64{math.NaN()}}}},
		loop.ProposeFailed{Ask: nobody},
		loop.Fitted{Fit: nobody, Hyper: []float64{-1}, Noise: math.NaN()},
		loop.FitFailed{Fit: nobody},
		loop.WorkerLeft{Worker: nobody},
		loop.WorkerJoined{Worker: nobody, Slots: 0},
		loop.Woke{},
	})
}

// exponential is a random time of the given mean.
func exponential(stream *rand.Rand, mean time.Duration) time.Duration {
	return time.Duration(stream.ExpFloat64() * float64(mean))
}

// unit is a number in [0, 1) that belongs to a round.
func (w *soakWorld) unit(round int) float64 {
	return rng.New(w.seed, worldStream, uint64(round)*attemptsApart).Float64()
}

// pause is how long the n-th computation takes: no time in most cases, so that much arrives at once, and much time in some.
func (w *soakWorld) pause(n int) time.Duration {
	if u := w.unit(n); u > 0.8 {
		return time.Duration(10 * (u - 0.8) * float64(soakDelay))
	}
	return 0
}

// soakEvent is an event that will happen.
type soakEvent struct {
	at    time.Duration
	order int
	event loop.Event
	wake  int // which WakeAt wanted it; 0 for what comes anyway
}

// soakQueue is a heap of events by time; equal times come out first in, first out.
type soakQueue struct {
	events []soakEvent
	count  int
}

func (q *soakQueue) add(e soakEvent) {
	q.count++
	e.order = q.count
	heap.Push(q, e)
}

// Len, Less, Swap, Push and Pop are for the heap.
func (q *soakQueue) Len() int { return len(q.events) }
func (q *soakQueue) Less(i, j int) bool {
	a, b := q.events[i], q.events[j]
	return a.at < b.at || a.at == b.at && a.order < b.order
}
func (q *soakQueue) Swap(i, j int) { q.events[i], q.events[j] = q.events[j], q.events[i] }
func (q *soakQueue) Push(x any)    { q.events = append(q.events, x.(soakEvent)) }
func (q *soakQueue) Pop() any {
	last := len(q.events) - 1
	e := q.events[last]
	q.events = q.events[:last]
	return e
}
