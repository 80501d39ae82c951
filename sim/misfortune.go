package sim

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// adversaryStream is what happens to a dispatch; its index counts evaluations and attempts.
const adversaryStream rng.Name = "soak answers"

// attemptsApart keeps the streams of the attempts of one evaluation apart.
const attemptsApart = loop.MaxRetries + loop.MaxLost + 2

// evaluate decides what becomes of a dispatch.
func (s *Siege) evaluate(d loop.Dispatch) {
	a := s.adversary
	stream := rng.New(a.Seed, adversaryStream, uint64(d.Evaluation)*attemptsApart+uint64(d.Attempt))
	s.dispatched++
	if d.Attempt == 1 {
		s.meanwhile(stream, d)
	}
	delay := exponential(stream)
	if chance(stream, a.Late) {
		delay += AdversaryTimeout
	}
	if chance(stream, a.Fail) {
		s.twice(stream, delay, loop.EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "it was to fail"}})
		return
	}
	value := a.Value(d.Evaluation, s.dispatched-1, s.Loop.Evaluations()[d.Evaluation-1].X)
	if chance(stream, a.Follow) {
		s.twice(stream, delay/2, loop.AnswerFollows{Evaluation: d.Evaluation, Attempt: d.Attempt, Retire: chance(stream, 0.1)})
	}
	s.twice(stream, delay, loop.FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(value)})
	if chance(stream, a.Contradict) {
		other := oneOf(stream, []float64{value + 1, -value, 0, math.NaN(), math.Inf(1)})
		s.after(delay+exponential(stream), loop.FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(other)})
	}
}

// twice puts an event in the queue, and now and then a second time.
func (s *Siege) twice(stream *rand.Rand, delay time.Duration, e loop.Event) {
	s.after(delay, e)
	if chance(stream, s.adversary.Repeat) {
		s.after(delay+exponential(stream), e)
	}
}

// meanwhile is what else happens about the time of a dispatch.
func (s *Siege) meanwhile(stream *rand.Rand, d loop.Dispatch) {
	a := s.adversary
	s.offerContext()
	if chance(stream, a.Outside) {
		s.after(0, loop.ContextArrived{Context: a.BadContext(d.Evaluation)})
	}
	if chance(stream, a.Leave) {
		pause := exponential(stream)
		s.after(pause, loop.WorkerLeft{Worker: d.Worker, Reason: "it was to leave"})
		s.after(pause+exponential(stream), loop.WorkerJoined{Worker: d.Worker, Slots: a.Slots[d.Worker-1]})
	}
	if chance(stream, a.Stray) {
		s.after(exponential(stream), stray(stream))
	}
}

func (s *Siege) offerContext() {
	if len(s.adversary.Config.Space.Contexts()) == 0 {
		return
	}
	s.contexts++
	s.after(0, loop.ContextArrived{Context: s.adversary.Context(s.contexts)})
}

// stray is an event that belongs to nothing.
func stray(stream *rand.Rand) loop.Event {
	nobody := oneOf(stream, []int{0, -1, math.MinInt, math.MaxInt, loop.MaxBudget + 1})
	return oneOf(stream, []loop.Event{
		loop.FeedbackArrived{Evaluation: nobody, Attempt: 1, Outcome: outcome.Of(1e300)},
		loop.FeedbackArrived{Evaluation: 1, Attempt: nobody, Outcome: outcome.Of(1)},
		loop.EvaluationFailed{Evaluation: nobody, Attempt: nobody},
		loop.Reported{Evaluation: nobody, Attempt: 1, Step: 1, Value: math.NaN()},
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

func oneOf[T any](stream *rand.Rand, from []T) T { return from[stream.IntN(len(from))] }

func chance(stream *rand.Rand, p float64) bool { return stream.Float64() < p }

// exponential is a random time about as long as an answer takes.
func exponential(stream *rand.Rand) time.Duration {
	return time.Duration(stream.ExpFloat64() * float64(adversaryDelay))
}
