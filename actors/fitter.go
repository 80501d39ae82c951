package actors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/tarry-bo/tarry/loop"
)

// fitter computes hyperparameter fits off the coordinator's mailbox. It has no state.
type fitter struct {
	compute func(loop.Fit) loop.Event
	threads *threads
}

// Receive computes one fit; there is one at a time.
func (f fitter) Receive(ctx actor.Context) {
	if m, ok := ctx.Message().(fit); ok {
		ctx.Respond(computed{thought(f.threads.Schedule,
			func() loop.Event { return f.run(m.work) }, m.work.Failed("fit ended its goroutine (runtime.Goexit)"),
		)})
	}
}

// run is the fit, or its failure when the computation panics or answers something else: the hyperparameters stay as they
// are.
func (f fitter) run(work loop.Fit) (event loop.Event) {
	defer func() {
		if r := recover(); r != nil {
			event = work.Failed(fmt.Sprintf("fit panicked: %v", r))
		}
	}()
	answer := f.compute(work)
	if !work.Answers(answer) {
		return work.Failed(fmt.Sprintf("answered by %T: want Fitted or FitFailed of fit %d", answer, work.ID))
	}
	return answer
}
