// Package sim is the simulated world: it drives the loop in virtual time through the same effects and events as a live
// study, with delays, faults and noise drawn from the seed of the scenario.
//
//	problem, err := sim.NewProblem("branin", 1)
//	policy, err := policies.Parse("gp-bucb")
//	run, err := sim.Run(ctx, sim.Scenario{Problem: problem, Policy: policy, Delay: delay.Poisson{Lambda: 10}, Rounds: 100, Seed: 1})
//	fmt.Println(run.SimpleRegret[99])
//
// The same scenario gives the same run, to the bit, whatever else the machine does. Runs share nothing and may go on in
// parallel.
package sim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tarry-bo/tarry/loop"
)

// Run simulates the scenario to its end, or until ctx is done; then it returns the performance so far with ctx's error.
func Run(ctx context.Context, s Scenario, observers ...Observer) (Performance, error) {
	err := s.Validate()
	if s.Policy != nil && s.Problem.Value != nil {
		err = errors.Join(err, s.Config().Validate())
	}
	if err != nil {
		return Performance{}, err
	}
	if s.Contextual {
		if s.Problem, err = s.Problem.contextual(); err != nil {
			return Performance{}, err
		}
	}
	l, err := loop.New(s.Config())
	if err != nil {
		return Performance{}, err
	}
	w := newWorld(s, l, observers...)
	if err := w.run(ctx); err != nil && ctx.Err() == nil {
		return Performance{}, err
	}
	return w.performance(), ctx.Err()
}

// Observer sees the loop after each event. It must not change it.
type Observer func(l *loop.Loop, e loop.Stamped, effects []loop.Effect) error

// Dispatches returns an observer that calls step for each evaluation when it is sent out for the first time.
func Dispatches(step func()) Observer {
	return func(_ *loop.Loop, _ loop.Stamped, effects []loop.Effect) error {
		for _, e := range effects {
			if d, ok := e.(loop.Dispatch); ok && d.Attempt == 1 {
				step()
			}
		}
		return nil
	}
}

// world is one simulation under way.
type world struct {
	scenario  Scenario
	loop      *loop.Loop
	observers []Observer
	queue     queue
	now       time.Duration
	seq       uint64
	wake      int              // the last WakeAt: only its event is still wanted
	cancelled map[attempt]bool // attempts for which nobody waits: only their values are still heard
	silent    map[attempt]bool // attempts that never answer
	quit      map[attempt]bool // attempts that were ended early, and gave up
	result    *loop.Result
	truths    map[int]float64 // noise-free value of each evaluation that was dispatched
	closed    time.Duration   // when one more query would have been chosen after the last, where isClosed
	isClosed  bool
}

func newWorld(s Scenario, l *loop.Loop, observers ...Observer) *world {
	return &world{
		scenario: s, loop: l, observers: observers, truths: map[int]float64{}, cancelled: map[attempt]bool{}, silent: map[attempt]bool{}, quit: map[attempt]bool{},
	}
}

const onlyWorker = 1 // of the pace in rounds

func (w *world) run(ctx context.Context) error {
	w.offerContext(1)
	if w.scenario.Workers == 0 {
		w.queue.push(0, loop.WorkerJoined{Worker: onlyWorker, Slots: max(w.scenario.barrier(), 1)})
	}
	for k := range w.scenario.Workers {
		w.queue.push(0, loop.WorkerJoined{Worker: k + 1, Slots: 1})
	}
	for w.result == nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if w.queue.empty() && w.scenario.Workers > 0 {
			return fmt.Errorf("nothing more can happen, and the study waits for %v", w.loop.Waits())
		}
		if w.queue.empty() {
			w.stop(w.now, "nothing more can arrive")
		}
		next := w.queue.pop()
		if next.wake > 0 && next.wake < w.wake || !w.heard(&next) {
			continue
		}
		w.now = next.at
		w.seq++
		if err := w.step(loop.Stamped{Seq: w.seq, At: w.now, Event: next.event}); err != nil {
			return err
		}
	}
	return nil
}

// stop ends the study at a time.
func (w *world) stop(at time.Duration, reason string) {
	w.queue.push(at, loop.StopRequested{Reason: reason})
}

func (w *world) step(e loop.Stamped) error {
	reaction, err := w.loop.Step(e)
	if err != nil {
		return err
	}
	for _, o := range w.observers {
		if err := o(w.loop, e, reaction.Effects); err != nil {
			return err
		}
	}
	for _, effect := range reaction.Effects {
		w.perform(effect)
	}
	if reaction.Status == loop.Stopped {
		w.giveUp(attempt{reaction.Evaluation, reaction.Attempt})
	}
	w.close()
	return nil
}

// close notes the moment at which one more query would have been chosen: when the last one was sent out and a slot is
// free again. What arrives later is not part of the regret after the last query.
func (w *world) close() {
	evaluations := w.loop.Evaluations()
	if w.isClosed || w.scenario.Workers == 0 || w.scenario.barrier() > 1 || len(evaluations) < w.loop.Config().Budget {
		return
	}
	busy := 0
	for i := range evaluations {
		if evaluations[i].Holds {
			busy++
		}
	}
	if busy < w.scenario.Workers && evaluations[len(evaluations)-1].Attempt > 0 {
		w.closed, w.isClosed = w.now, true
	}
}

// perform does what the loop asked for and puts the answer in the queue.
func (w *world) perform(effect loop.Effect) {
	switch e := effect.(type) {
	case loop.Ask:
		w.queue.push(w.now+taken(w.scenario.AskTime, e.Round), w.loop.Task().Run(w.scenario.Policy))
	case loop.Fit:
		w.queue.push(w.now+taken(w.scenario.FitTime, e.ID), e.Run())
	case loop.Dispatch:
		w.evaluate(e)
	case loop.Cancel:
		w.cancel(attempt{e.Evaluation, e.Attempt})
	case loop.WakeAt:
		w.wake++
		w.queue.add(due{at: max(e.At, w.now), event: loop.Woke{}, wake: w.wake})
	case loop.Finish:
		w.result = &e.Result
	}
}

// taken is how long the n-th computation takes in virtual time.
func taken(f func(n int) time.Duration, n int) time.Duration {
	if f == nil {
		return 0
	}
	return max(f(n), 0)
}

// offerContext tells the loop the context of the given round.
func (w *world) offerContext(round int) {
	s := w.scenario.Problem.Space
	if len(s.Contexts()) == 0 || round > w.loop.Config().Budget {
		return
	}
	w.queue.push(w.now, loop.ContextArrived{Context: w.scenario.Problem.contextOf(w.scenario.Seed, round)})
}
