package sim

import (
	"context"
	"fmt"
	"time"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// Adversary is a world that breaks the promises of an engine: it answers late, twice and with contradictory values, tells
// of evaluations that do not exist, and lets workers leave. Its time is virtual, and all it does follows from its fields.
// It shows what a study must withstand; the caller checks the study.
type Adversary struct {
	Config loop.Config
	Seed   uint64
	Slots  []int // of each worker
	Misfortunes

	// Value returns the value of an evaluation at x, in the unit cube; order is how many values were asked for before.
	Value func(evaluation, order int, x space.Unit) float64
	// Context and BadContext return the n-th context that the loop takes, and one that it refuses. For spaces with contexts.
	Context, BadContext func(n int) space.Point
	// Answer answers an ask, and Fit a fit. An error ends the siege.
	Answer func(l *loop.Loop, ask loop.Ask) (loop.Event, error)
	Fit    func(f loop.Fit) (loop.Event, error)
	// Told hears how many evaluations more have an outcome.
	Told func(n int)
}

// Misfortunes holds the probabilities, each in [0, 1], of what may go wrong with a dispatch.
type Misfortunes struct {
	Fail       float64 // it fails
	Late       float64 // its answer comes after AdversaryTimeout
	Repeat     float64 // what is said is said once more, later
	Contradict float64 // another value comes after the first
	Follow     float64 // that the answer follows is said before it
	Stray      float64 // something is told that belongs to nothing
	Leave      float64 // its worker leaves, and comes back later
	Outside    float64 // a context is offered that the space does not have
}

// Times of an adversary.
const (
	adversaryDelay   = time.Second // mean delay of an answer
	AdversaryTimeout = 6 * time.Second
)

// Siege is a study that an adversary drives.
type Siege struct {
	Loop   *loop.Loop
	Result *loop.Result // nil before the study ended
	Tells  int          // evaluations with an outcome

	adversary  Adversary
	steps      *journal.Recorder
	queue      queue
	now        time.Duration
	dispatched int // attempts so far
	contexts   int // offered so far
	wake       int // the last WakeAt: only its event is still wanted
	rescued    [2]int
}

// Besiege begins a study. The appender keeps every event before the loop sees it; nil keeps none. The error is that of
// the configuration or of the appender.
func (a Adversary) Besiege(keep journal.Appender) (*Siege, error) {
	l, err := loop.New(a.Config)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	s := &Siege{Loop: l, adversary: a, rescued: [2]int{-1, -1}}
	if s.steps, err = journal.NewRecorder(l, keep); err != nil {
		return nil, err
	}
	for k, n := range a.Slots {
		s.after(0, loop.WorkerJoined{Worker: k + 1, Slots: n})
	}
	return s, nil
}

// Run feeds events until the study has ended and nothing is under way. The error says which event the loop refused or
// that the study stands still, or is that of a function of the adversary or of the context.
func (s *Siege) Run(ctx context.Context) error {
	for s.Result == nil || !s.queue.empty() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if s.queue.empty() && !s.rescue() {
			return fmt.Errorf("the study stands still after %d evaluations, %d of them pending", len(s.Loop.Evaluations()), s.Loop.Pending())
		}
		next := s.queue.pop()
		if next.wake > 0 && next.wake < s.wake {
			continue
		}
		s.now = next.at
		_, reaction, err := s.steps.Step(s.now, next.event)
		if err != nil {
			return fmt.Errorf("step: %w", err)
		}
		for _, e := range reaction.Effects {
			if err := s.perform(e); err != nil {
				return err
			}
		}
		s.count()
	}
	return nil
}

// rescue brings what a study without any event under way may wait for: a context and a worker. It reports false when that
// did not help the last time.
func (s *Siege) rescue() bool {
	state := [2]int{len(s.Loop.Evaluations()), s.Loop.Pending()}
	if state == s.rescued {
		return false
	}
	s.rescued = state
	s.offerContext()
	s.after(0, loop.WorkerJoined{Worker: 1, Slots: 1})
	return true
}

// count passes on how many evaluations have an outcome that had none.
func (s *Siege) count() {
	if n := len(s.Loop.Evaluations()) - s.Loop.Pending(); n > s.Tells {
		s.adversary.Told(n - s.Tells)
		s.Tells = n
	}
}

// perform does what the loop asked for and puts what comes of it in the queue.
func (s *Siege) perform(effect loop.Effect) error {
	switch e := effect.(type) {
	case loop.Ask:
		answer, err := s.adversary.Answer(s.Loop, e)
		if err != nil {
			return fmt.Errorf("round %d: %w", e.Round, err)
		}
		s.after(s.pause(e.Round), answer)
	case loop.Fit:
		fitted, err := s.adversary.Fit(e)
		s.after(s.pause(e.ID), fitted)
		return err
	case loop.Dispatch:
		if err := s.adversary.Config.Space.Contains(e.X); err != nil {
			return fmt.Errorf("evaluation %d: %w", e.Evaluation, err)
		}
		s.evaluate(e)
	case loop.WakeAt:
		s.wake++
		s.queue.add(due{at: max(e.At, s.now), event: loop.Woke{}, wake: s.wake})
	case loop.Finish:
		s.Result = &e.Result
	}
	return nil
}

// after puts an event in the queue.
func (s *Siege) after(d time.Duration, e loop.Event) { s.queue.push(s.now+d, e) }

// Unit returns a number in [0, 1) that belongs to a round.
func (a Adversary) Unit(round int) float64 {
	return rng.New(a.Seed, adversaryStream, uint64(round)*attemptsApart).Float64()
}

// pause is how long the n-th computation takes: no time in most cases, so that much arrives at once, and much time in some.
func (s *Siege) pause(n int) time.Duration {
	if u := s.adversary.Unit(n); u > 0.8 {
		return time.Duration(10 * (u - 0.8) * float64(adversaryDelay))
	}
	return 0
}
