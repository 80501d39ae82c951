package hindsight_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// Of an enqueued point it is said which parameters were left open and drawn, whichever others wait with it.
func TestWhatWasDrawnOfAnEnqueuedPointIsNamed(t *testing.T) {
	p := must.Get(policies.Parse("random"))(t)
	open := math.NaN()
	d := drive(t, loop.Config{Space: twoParameters(t), Traits: p.Traits(), Budget: 20, Initial: 1, Lease: 10, Pending: 9})
	for _, x := range []space.Point{{0.5, open, 1}, {0.5, 3, 1}, {open, open, open}, {0.5, open, 1}, {7, 3, 1}, {open, 3, 0}} { // one is outside
		d.step(loop.QueryEnqueued{X: x})
	}
	d.step(loop.WorkerJoined{Worker: 1, Slots: 1})
	for number := range 4 {
		d.step(loop.AnswerFollows{Evaluation: number + 1, Attempt: 1})
	}
	d.value(5, nil) // #6, the initial design being over, is the policy's
	for number, want := range []string{"layers", "", "lr, layers, kind", "layers", "lr"} {
		e := must.Get(hindsight.Explain(d.store, number+1))(t)
		said, words := strings.CutPrefix(e.Words, "it was enqueued by the user, who left open, to be drawn at random: ")
		if e.How != hindsight.Enqueued || strings.Join(e.Drawn, ", ") != want || words != (want != "") || words && said != want {
			t.Errorf("#%d: %v, %q: drawn %q, want %q", number+1, e.How, e.Words, e.Drawn, want)
		}
	}
	if e := must.Get(hindsight.Explain(d.store, 6))(t); e.How == hindsight.Enqueued || e.Drawn != nil {
		t.Errorf("%+v", e)
	}
}

// What was lost takes nothing away from those that were enqueued after it, what is inactive was not drawn, and neither were a fidelity and a
// parameter of one value.
func TestWhatWasDrawnAmongTheLostAndTheInactive(t *testing.T) {
	p := must.Get(policies.Parse("random"))(t)
	where := must.Get(space.New(space.Categorical("kind", "adam", "sgd"), space.Float("momentum", 0, 1).When("kind", "sgd"), space.Float("lr", 0, 1),
		space.Float("fixed", 2, 2), space.Float("hour", 0, 24).AsContext(), space.Ordered("epochs", 1, 9).AsFidelity(1, 9)))(t)
	d := drive(t, loop.Config{Space: where, Traits: p.Traits(), Budget: 20, Initial: 1, Lease: 10, Pending: 9})
	open := math.NaN()
	for _, x := range []space.Point{{0, open, open, open, open, open}, {open, 0.5, 0.25, open}, {0, open, open, 2, 5, 1}} {
		d.step(loop.QueryEnqueued{X: x})
	}
	context := loop.ContextArrived{Context: []float64{3}}
	d.step(context)
	d.step(loop.WorkerJoined{Worker: 1, Slots: 1})
	_, _, first := d.steps.Step(5, loop.AnswerFollows{Evaluation: 1, Attempt: 1, Retire: true})
	_, _, lost := d.steps.Step(20, loop.Woke{}) // its lease has ended
	_, _, later := d.steps.Step(20, loop.WorkerJoined{Worker: 1, Slots: 9})
	_, _, second := d.steps.Step(20, context)
	_, _, third := d.steps.Step(20, context)
	if err := errors.Join(first, lost, later, second, third); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"enqueued lr", "again ", "enqueued kind", "enqueued lr"} {
		e := must.Get(hindsight.Explain(d.store, i+1))(t)
		if got := string(e.How) + " " + strings.Join(e.Drawn, ", "); got != want {
			t.Errorf("#%d: %q, want %q", i+1, got, want)
		}
	}
}
