package soak

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/hostile"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// world is a study in the hands of an adversary.
type world struct {
	study
	*sim.Siege                 // nil where it did not even begin
	store      *journal.Memory // nil for a study that is not replayed
	worst      time.Duration   // that a proposal took
}

// play runs a study to its end and beyond, until nothing is under way any more. The error says which rule was broken; it
// is ctx's when the study was told to stop. A panic is an error too.
func (t study) play(ctx context.Context, tell func(n int)) (w *world, err error) {
	w = &world{study: t}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	var keep journal.Appender
	if t.replay {
		w.store = &journal.Memory{}
		keep = w.store
	}
	if w.Siege, err = w.adversary(tell).Besiege(keep); err != nil {
		return w, err
	}
	if err := w.Run(ctx); err != nil {
		return w, err
	}
	if err := w.judge(); err != nil || !t.replay {
		return w, err
	}
	return w, w.again()
}

// adversary is who has the study in hand.
func (w *world) adversary(tell func(n int)) sim.Adversary {
	a := sim.Adversary{
		Config: w.config, Seed: w.seed, Slots: w.slots, Misfortunes: w.misfortunes, Told: tell,
		Value: func(evaluation, order int, x space.Unit) float64 {
			return w.kind.Value(hostile.Query{Seed: w.seed, Number: evaluation, Order: order, X: x})
		},
		Context:    func(n int) space.Point { return hostile.Context(w.config.Space, w.seed, n) },
		BadContext: func(n int) space.Point { return hostile.BadContext(w.config.Space, w.seed, n) },
		Fit: func(f loop.Fit) (loop.Event, error) {
			fitted := f.Run()
			return fitted, unbroken(fitted)
		},
	}
	a.Answer = func(l *loop.Loop, ask loop.Ask) (loop.Event, error) { return w.answer(l, ask, a.Unit(ask.Round)) }
	return a
}

// answer calls the policy, judges what it says, and now and then, as the number in [0, 1) has it, puts a forced point in its
// place.
func (w *world) answer(l *loop.Loop, ask loop.Ask, u float64) (loop.Event, error) {
	begin := time.Now()
	view, trouble := l.Task().View()
	event := loop.Propose(ask, view, w.policy, w.seed)
	w.worst = max(w.worst, time.Since(begin))
	if err := inspect(ask, view, event); err != nil {
		return nil, err
	}
	answer := event.(loop.Proposed) // inspect has seen it
	answer.Trouble = trouble
	if u < w.forced {
		x := w.points.At(w.seed, ask.Round, w.config.Space.Dim())
		answer.Proposals = slices.Repeat([]policies.Proposal{{X: x}}, ask.Count)
	}
	return answer, nil
}

// again plays the study from its journal.
func (w *world) again() error {
	l, open, err := journal.Replay(w.store)
	switch {
	case err != nil:
		return fmt.Errorf("replay: %w", err)
	case l.Digest() != w.Loop.Digest():
		return fmt.Errorf("replay: digest %016x, was %016x", l.Digest(), w.Loop.Digest())
	case len(open) > 0:
		return errors.New("replay: the finished study has effects without an answer")
	}
	return nil
}
