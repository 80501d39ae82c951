package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/workers"
)

// worker is one of the coordinator's own: it hosts a runner. Its mailbox never waits for an objective.
type worker struct {
	study       *coordinator // only what does not change: gate, objective, base
	coordinator *actor.PID
	number      int
	runner      *workers.Runner
}

// Receive handles one message.
func (w *worker) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		root := ctx.ActorSystem().Root
		answer := func(a outcome.Answer) { w.study.gate.send(root, w.coordinator, a) }
		w.runner = workers.NewRunner(w.study.base, w.study.config.Outcomes, answer, &w.study.attempts)
		if w.study.config.Study.Exclusive {
			w.runner.Returned = func(evaluation, attempt int) {
				answer(outcome.Answer{Evaluation: evaluation, Attempt: attempt, Returned: true})
			}
		}
	case Evaluate:
		w.runner.Start(m.Task)
	case Cancel:
		w.runner.Cancel(m.Evaluation, m.Attempt)
	case *actor.Stopping:
		w.runner.Stop()
	}
}
