package actors

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/workers"
)

// company are guests that do what workers of an engine's own do. Nothing happens before all are there, as when an engine begins.
type company struct {
	outcomes workers.OutcomeFunc
	attempts workers.Attempts
	here     chan struct{} // closed when all are
}

// regular is a guest of a company.
type regular struct {
	company *company
	runner  *workers.Runner
}

// come lets guests join, one after another.
func (c *company) come(t *testing.T, e *Engine, n int) {
	t.Helper()
	for range n {
		answer := func(a outcome.Answer) { e.Hear(a) }
		g := &regular{c, workers.NewRunner(t.Context(), c.outcomes, answer, &c.attempts)}
		g.runner.Returned = func(evaluation, attempt int) {
			answer(outcome.Answer{Evaluation: evaluation, Attempt: attempt, Returned: true})
		}
		if _, err := e.Join(1, g); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
	}
	close(c.here)
}

func (g *regular) Evaluate(t workers.Task) {
	<-g.company.here
	g.runner.Start(t)
}

func (g *regular) Cancel(evaluation, attempt int) { g.runner.Cancel(evaluation, attempt) }
func (g *regular) Ended(error)                    { g.runner.Stop() }

// patient is a policy that thinks when all are here.
func (c *company) patient(p policies.Policy) policies.Policy { return waiting{p, c.here} }

// fitting is a fit that begins when all are here.
func (c *company) fitting(run func(loop.Fit) loop.Event) func(loop.Fit) loop.Event {
	return func(f loop.Fit) loop.Event {
		<-c.here
		return run(f)
	}
}

type waiting struct {
	policies.Policy
	here <-chan struct{}
}

func (w waiting) Propose(v policies.View, count int, stream *rand.Rand) ([]policies.Proposal, error) {
	<-w.here
	return w.Policy.Propose(v, count, stream)
}
