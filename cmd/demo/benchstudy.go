package main

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// benchStudy is a study that is driven by hand: nothing is computed in it unless a benchmark wants it computed.
type benchStudy struct {
	benchmark
	size             int // answers it is made for
	seed             uint64
	loop             *loop.Loop
	seq              uint64
	ask              loop.Ask  // the open one; ID 0 means none
	fit              *loop.Fit // the open one, which stays so: no other fit begins beside it
	pending          []loop.Dispatch
	answers          int
	fate             loop.Fate // of the last event
	points, arrivals *rand.Rand
}

// newStudy returns a study with the pending queries of a benchmark and no answers. The index tells studies of one size
// apart.
func (b benchmark) newStudy(size, index int) (*benchStudy, error) {
	return b.open(loop.Config{Budget: loop.MaxBudget, Initial: 1}, size, b.seed+uint64(index))
}

// config completes a configuration by what all studies of a benchmark have in common.
func (b benchmark) config(c loop.Config, seed uint64) loop.Config {
	c.Space, c.Traits, c.Seed, c.FitBeside = b.problem.Space, b.policy.Traits(), seed, true
	return c
}

// open starts a study for so many answers.
func (b benchmark) open(c loop.Config, size int, seed uint64) (*benchStudy, error) {
	l, err := loop.New(b.config(c, seed))
	if err != nil {
		return nil, err
	}
	s := &benchStudy{
		benchmark: b, size: size, seed: seed, loop: l,
		points: rng.New(seed, rng.Problem, uint64(size)), arrivals: rng.New(seed, rng.Delay, uint64(size)),
	}
	return s, s.step(loop.WorkerJoined{Worker: 1, Slots: b.pending})
}

// step feeds an event to the loop and notes what the loop wants.
func (s *benchStudy) step(e loop.Event) error {
	s.seq++
	reaction, err := s.loop.Step(loop.Stamped{Seq: s.seq, Event: e})
	s.fate = reaction.Fate
	for _, effect := range reaction.Effects {
		switch effect := effect.(type) {
		case loop.Ask:
			s.ask = effect
		case loop.Fit:
			s.fit = &effect
		case loop.Dispatch:
			s.pending = append(s.pending, effect)
		}
	}
	return err
}

// arrival takes one of the pending queries at random and returns its answer.
func (s *benchStudy) arrival() loop.FeedbackArrived {
	last := len(s.pending) - 1
	i := s.arrivals.IntN(last + 1)
	q := s.pending[i]
	s.pending[i], s.pending = s.pending[last], s.pending[:last]
	s.answers++
	value := s.problem.Value(q.X) + s.noise*rng.New(s.seed, rng.Noise, uint64(q.Evaluation)).NormFloat64()
	return loop.FeedbackArrived{Evaluation: q.Evaluation, Attempt: q.Attempt, Outcome: outcome.Of(value)}
}

// The points of a study gather around the best one, as an optimizer's do: the widths of their normal law, in sides of
// the cube, fall geometrically.
const (
	uniformShare          = 1. / 3
	firstWidth, lastWidth = 0.3, 0.02
)

// point is a query as an optimizer might have chosen it.
func (s *benchStudy) point() []float64 {
	if s.points.Float64() < uniformShare {
		return s.problem.Space.Random(s.points)
	}
	width := firstWidth * math.Pow(lastWidth/firstWidth, min(float64(s.answers)/float64(s.size), 1))
	center := s.best[s.points.IntN(len(s.best))]
	u := make([]float64, len(center))
	for j, c := range center {
		u[j] = min(max(c+width*s.points.NormFloat64(), 0), 1)
	}
	return u
}

// reach goes on without policy and model until there are count answers and every slot is taken.
func (s *benchStudy) reach(ctx context.Context, count int) error {
	for s.answers < count || s.ask.ID != 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		var event loop.Event
		if s.ask.ID != 0 {
			event = loop.Proposed{Ask: s.ask.ID, Proposals: []policies.Proposal{{X: s.point()}}}
			s.ask = loop.Ask{}
		} else {
			event = s.arrival()
		}
		if err := s.step(event); err != nil {
			return err
		}
	}
	return nil
}

// reachFit is reach, at the end of which the loop has asked for a fit of all count answers. The fit that is open before
// gets these hyperparameters as its result, or has failed without any.
func (s *benchStudy) reachFit(ctx context.Context, count int, hyper *loop.Fitted) error {
	if err := s.reach(ctx, count-1); err != nil {
		return err
	}
	if err := s.closeFit(hyper); err != nil {
		return err
	}
	if err := s.reach(ctx, count); err != nil {
		return err
	}
	if s.policy.Traits().Model && s.fit == nil {
		return errors.New("the loop asks for no fit")
	}
	return nil
}

// closeFit answers the open fit, if there is one: with the hyperparameters, or that it failed.
func (s *benchStudy) closeFit(hyper *loop.Fitted) error {
	if s.fit == nil {
		return nil
	}
	var event loop.Event = loop.FitFailed{Fit: s.fit.ID, Reason: "not wanted"}
	if hyper != nil {
		h := *hyper
		h.Fit = s.fit.ID
		event = h
	}
	s.fit = nil
	return s.step(event)
}

// suggestion is a query that the policy chose, with what that cost.
type suggestion struct {
	total         time.Duration // from the arrival of an answer until the next query is sent out
	model, search time.Duration // of that: the posterior, and the policy
	allocated     uint64        // bytes, by the whole process
	inUse         uint64        // bytes of the heap afterwards, garbage included
	view          policies.View
	x             []float64 // unit cube
}

// suggest lets an answer arrive and the policy choose the next query.
func (s *benchStudy) suggest() (suggestion, error) {
	answer := s.arrival()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)

	begin := time.Now()
	err := s.step(answer)
	asked := time.Now()
	if err != nil || s.ask.ID == 0 {
		return suggestion{}, errors.Join(err, errors.New("the loop does not ask for the next query"))
	}
	view := s.loop.View()
	seen := time.Now()
	event := loop.Propose(s.ask, view, s.policy, s.seed)
	chosen := time.Now()
	s.ask = loop.Ask{}
	err = s.step(event)
	end := time.Now()

	runtime.ReadMemStats(&after)
	out := suggestion{
		total: end.Sub(begin), model: seen.Sub(asked), search: chosen.Sub(seen),
		allocated: after.TotalAlloc - before.TotalAlloc, inUse: after.HeapInuse, view: view,
	}
	switch event := event.(type) {
	case loop.ProposeFailed:
		return out, errors.New(event.Reason)
	case loop.Proposed:
		out.x = event.Proposals[0].X
	}
	return out, err
}
