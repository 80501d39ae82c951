package main

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/internal/hostile"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// soakWorld is a study under way, in virtual time.
type soakWorld struct {
	soakStudy
	loop       *loop.Loop
	steps      *journal.Recorder
	store      *journal.Memory // nil for a study that is not replayed
	queue      soakQueue
	now        time.Duration
	dispatched int // attempts so far
	contexts   int // offered so far
	wake       int // the last WakeAt: only its event is still wanted
	rescued    [2]int
	told       int
	tell       func(n int) // hears of outcomes as they come
	worst      time.Duration
	result     *loop.Result
}

// play runs a study to its end and beyond, until nothing is under way any more. The error says which rule was broken; it
// is ctx's when the study was told to stop. A panic is an error too.
func (t soakStudy) play(ctx context.Context, tell func(n int)) (w *soakWorld, err error) {
	w = &soakWorld{soakStudy: t, tell: tell, rescued: [2]int{-1, -1}}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	if w.loop, err = loop.New(t.config); err != nil {
		return w, fmt.Errorf("configuration: %w", err)
	}
	var keep journal.Appender
	if t.replay {
		w.store = &journal.Memory{}
		keep = w.store
	}
	if w.steps, err = journal.NewRecorder(w.loop, keep); err != nil {
		return w, err
	}
	if err := w.run(ctx); err != nil {
		return w, err
	}
	if err := w.judge(); err != nil || !t.replay {
		return w, err
	}
	return w, w.again()
}

// run feeds events until nothing more can happen.
func (w *soakWorld) run(ctx context.Context) error {
	for k, n := range w.slots {
		w.after(0, loop.WorkerJoined{Worker: k + 1, Slots: n})
	}
	for w.result == nil || w.queue.Len() > 0 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if w.queue.Len() == 0 && !w.rescue() {
			return fmt.Errorf("the study stands still after %d evaluations, %d of them pending", len(w.loop.Evaluations()), w.loop.Pending())
		}
		next := heap.Pop(&w.queue).(soakEvent)
		if next.wake > 0 && next.wake < w.wake {
			continue
		}
		w.now = next.at
		_, reaction, err := w.steps.Step(w.now, next.event)
		if err != nil {
			return fmt.Errorf("step: %w", err)
		}
		for _, e := range reaction.Effects {
			if err := w.perform(e); err != nil {
				return err
			}
		}
		w.count()
	}
	return nil
}

// rescue brings what a study without any event under way may wait for: a context and a worker. It reports false when that
// did not help the last time.
func (w *soakWorld) rescue() bool {
	state := [2]int{len(w.loop.Evaluations()), w.loop.Pending()}
	if state == w.rescued {
		return false
	}
	w.rescued = state
	w.offerContext()
	w.after(0, loop.WorkerJoined{Worker: 1, Slots: 1})
	return true
}

// count passes on how many evaluations have an outcome that had none.
func (w *soakWorld) count() {
	if n := len(w.loop.Evaluations()) - w.loop.Pending(); n > w.told {
		w.tell(n - w.told)
		w.told = n
	}
}

// perform does what the loop asked for and puts what comes of it in the queue.
func (w *soakWorld) perform(effect loop.Effect) error {
	switch e := effect.(type) {
	case loop.Ask:
		return w.answer(e)
	case loop.Fit:
		fitted := e.Run()
		w.after(w.pause(e.ID), fitted)
		return unbroken(fitted)
	case loop.Dispatch:
		if err := w.config.Space.Contains(e.X); err != nil {
			return fmt.Errorf("evaluation %d: %w", e.Evaluation, err)
		}
		w.evaluate(e)
	case loop.WakeAt:
		w.wake++
		w.queue.add(soakEvent{at: max(e.At, w.now), event: loop.Woke{}, wake: w.wake})
	case loop.Finish:
		w.result = &e.Result
	}
	return nil
}

// answer calls the policy, judges what it says, and now and then puts a forced point in its place.
func (w *soakWorld) answer(ask loop.Ask) error {
	begin := time.Now()
	view, trouble := w.loop.Task().View()
	event := loop.Propose(ask, view, w.policy, w.seed)
	w.worst = max(w.worst, time.Since(begin))
	if err := inspect(ask, view, event); err != nil {
		return fmt.Errorf("round %d: %w", ask.Round, err)
	}
	answer := event.(loop.Proposed) // inspect has seen it
	answer.Trouble = trouble
	if w.unit(ask.Round) < w.forced {
		x := w.points.At(w.seed, ask.Round, w.config.Space.Dim())
		answer.Proposals = slices.Repeat([]policies.Proposal{{X: x}}, ask.Count)
	}
	w.after(w.pause(ask.Round), answer)
	return nil
}

func (w *soakWorld) offerContext() {
	s := w.config.Space
	if len(s.Contexts()) == 0 {
		return
	}
	w.contexts++
	w.after(0, loop.ContextArrived{Context: hostile.Context(s, w.seed, w.contexts)})
}

// after puts an event in the queue.
func (w *soakWorld) after(d time.Duration, e loop.Event) {
	w.queue.add(soakEvent{at: w.now + d, event: e})
}

// again plays the study from its journal.
func (w *soakWorld) again() error {
	l, open, err := journal.Replay(w.store)
	switch {
	case err != nil:
		return fmt.Errorf("replay: %w", err)
	case l.Digest() != w.loop.Digest():
		return fmt.Errorf("replay: digest %016x, was %016x", l.Digest(), w.loop.Digest())
	case len(open) > 0:
		return errors.New("replay: the finished study has effects without an answer")
	}
	return nil
}
