// Package study drives a study by hand, for measurements: its points are chosen without a model, as an optimizer would gather
// them, so that it has any number of answers at once, and then a policy or a fit does its work on it.
package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"time"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// Setting is what the studies of a measurement have in common: values of Hartmann-6 or of Levy's function with noise.
type Setting struct {
	Problem sim.Problem
	Policy  policies.Policy
	best    []space.Unit // maximizers, unit cube
	noise   float64      // standard deviation, in the problem's units
	slots   int          // queries under way at any time
}

// NoiseShare is the standard deviation of the noise as a share of that of the values.
const NoiseShare = 0.01

// NewSetting returns the setting of a policy in so many dimensions: hartmann6 in 6, otherwise levy.
func NewSetting(policy policies.Policy, dim, slots int) (Setting, error) {
	name := "levy:" + strconv.Itoa(dim)
	if dim == 6 {
		name = "hartmann6"
	}
	problem, err := sim.NewProblem(name, 0)
	if err != nil {
		return Setting{}, fmt.Errorf("problem %s: %w", name, err)
	}
	w := Setting{Problem: problem, Policy: policy, noise: NoiseShare * problem.Spread().Stddev, slots: slots}
	for _, x := range problem.Maximizers {
		u, err := problem.Space.Unit(x)
		if err != nil {
			return w, fmt.Errorf("problem %s: %w", name, err)
		}
		w.best = append(w.best, u)
	}
	return w, nil
}

// Study is a study that is driven by hand: nothing is computed in it unless somebody wants it computed.
type Study struct {
	Setting
	size             int // answers it is made for
	Seed             uint64
	Loop             *loop.Loop
	seq              uint64
	Ask              loop.Ask  // the open one; ID 0 means none
	Fit              *loop.Fit // the open one, which stays so: no other fit begins beside it
	Pending          []loop.Dispatch
	Answers          int
	Fate             loop.Fate // of the last event
	points, arrivals *rand.Rand
}

// NewStudy returns a study for so many answers, with its queries pending and no answers yet. Another seed makes another one.
func (w Setting) NewStudy(size int, seed uint64) (*Study, error) {
	return w.Open(loop.Config{Budget: loop.MaxBudget, Initial: 1}, size, seed)
}

// Config completes a configuration by what all studies of a setting have in common.
func (w Setting) Config(c loop.Config, seed uint64) loop.Config {
	c.Space, c.Traits, c.Seed, c.FitBeside, c.FitOnce = w.Problem.Space, w.Policy.Traits(), seed, true, true
	return c
}

// Open starts a study for so many answers.
func (w Setting) Open(c loop.Config, size int, seed uint64) (*Study, error) {
	l, err := loop.New(w.Config(c, seed))
	if err != nil {
		return nil, err
	}
	s := &Study{
		Setting: w, size: size, Seed: seed, Loop: l,
		points: rng.New(seed, rng.Problem, uint64(size)), arrivals: rng.New(seed, rng.Delay, uint64(size)),
	}
	return s, s.Step(loop.WorkerJoined{Worker: 1, Slots: w.slots})
}

// Step feeds an event to the loop and notes what the loop wants.
func (s *Study) Step(e loop.Event) error {
	s.seq++
	reaction, err := s.Loop.Step(loop.Stamped{Seq: s.seq, Event: e})
	s.Fate = reaction.Fate
	for _, effect := range reaction.Effects {
		switch effect := effect.(type) {
		case loop.Ask:
			s.Ask = effect
		case loop.Fit:
			s.Fit = &effect
		case loop.Dispatch:
			s.Pending = append(s.Pending, effect)
		}
	}
	return err
}

// Arrival takes one of the pending queries at random and returns its answer.
func (s *Study) Arrival() loop.FeedbackArrived {
	last := len(s.Pending) - 1
	i := s.arrivals.IntN(last + 1)
	q := s.Pending[i]
	s.Pending[i], s.Pending = s.Pending[last], s.Pending[:last]
	s.Answers++
	value := s.Problem.Value(q.X) + s.noise*rng.New(s.Seed, rng.Noise, uint64(q.Evaluation)).NormFloat64()
	return loop.FeedbackArrived{Evaluation: q.Evaluation, Attempt: q.Attempt, Outcome: outcome.Of(value)}
}

// The points of a study gather around the best one, as an optimizer's do: the widths of their normal law, in sides of
// the cube, fall geometrically.
const (
	uniformShare          = 1. / 3
	firstWidth, lastWidth = 0.3, 0.02
)

// point is a query as an optimizer might have chosen it.
func (s *Study) point() space.Unit {
	if s.points.Float64() < uniformShare {
		return s.Problem.Space.Random(s.points)
	}
	width := firstWidth * math.Pow(lastWidth/firstWidth, min(float64(s.Answers)/float64(s.size), 1))
	center := s.best[s.points.IntN(len(s.best))]
	u := make([]float64, len(center))
	for j, c := range center {
		u[j] = min(max(c+width*s.points.NormFloat64(), 0), 1)
	}
	return u
}

// reach goes on without policy and model until there are count answers and every slot is taken.
func (s *Study) reach(ctx context.Context, count int) error {
	for s.Answers < count || s.Ask.ID != 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		var event loop.Event
		if s.Ask.ID != 0 {
			event = loop.Proposed{Ask: s.Ask.ID, Proposals: []policies.Proposal{{X: s.point()}}}
			s.Ask = loop.Ask{}
		} else {
			event = s.Arrival()
		}
		if err := s.Step(event); err != nil {
			return err
		}
	}
	return nil
}

// ReachFit is reach, at the end of which the loop has asked for a fit of all count answers. The fit that is open before
// gets these hyperparameters as its result, or has failed without any.
func (s *Study) ReachFit(ctx context.Context, count int, hyper *loop.Fitted) error {
	if err := s.reach(ctx, count-1); err != nil {
		return err
	}
	if err := s.closeFit(hyper); err != nil {
		return err
	}
	if err := s.reach(ctx, count); err != nil {
		return err
	}
	if s.Policy.Traits().Model && s.Fit == nil {
		return errors.New("the loop asks for no fit")
	}
	return nil
}

// closeFit answers the open fit, if there is one: with the hyperparameters, or that it failed.
func (s *Study) closeFit(hyper *loop.Fitted) error {
	if s.Fit == nil {
		return nil
	}
	var event loop.Event = loop.FitFailed{Fit: s.Fit.ID, Reason: "not wanted"}
	if hyper != nil {
		h := *hyper
		h.Fit = s.Fit.ID
		event = h
	}
	s.Fit = nil
	return s.Step(event)
}

// Suggestion is a query that the policy chose, with what that cost.
type Suggestion struct {
	Total         time.Duration // from the arrival of an answer until the next query is sent out
	Model, Search time.Duration // of that: the posterior, and the policy
	Allocated     uint64        // bytes, by the whole process
	InUse         uint64        // bytes of the heap afterwards, garbage included
	View          policies.View
	X             space.Unit // unit cube
}

// Suggest lets an answer arrive and the policy choose the next query.
func (s *Study) Suggest() (Suggestion, error) {
	answer := s.Arrival()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)

	begin := time.Now()
	err := s.Step(answer)
	asked := time.Now()
	if err != nil || s.Ask.ID == 0 {
		return Suggestion{}, errors.Join(err, errors.New("the loop does not ask for the next query"))
	}
	view := s.Loop.View()
	seen := time.Now()
	event := loop.Propose(s.Ask, view, s.Policy, s.Seed)
	chosen := time.Now()
	s.Ask = loop.Ask{}
	err = s.Step(event)
	end := time.Now()

	runtime.ReadMemStats(&after)
	out := Suggestion{
		Total: end.Sub(begin), Model: seen.Sub(asked), Search: chosen.Sub(seen),
		Allocated: after.TotalAlloc - before.TotalAlloc, InUse: after.HeapInuse, View: view,
	}
	switch event := event.(type) {
	case loop.ProposeFailed:
		return out, errors.New(event.Reason)
	case loop.Proposed:
		out.X = event.Proposals[0].X
	}
	return out, err
}
