package hindsight_test

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

func twoParameters(t *testing.T) tarry.Space {
	t.Helper()
	return must.Get(tarry.NewSpace(tarry.LogFloat("lr", 1e-5, 1), tarry.Int("layers", 1, 8), tarry.Categorical("kind", "adam", "sgd")))(t)
}

func bowl(q tarry.Query) float64 {
	v := 1 - math.Pow(math.Log10(q.Float("lr"))+2, 2)/4 - math.Pow(float64(q.Int("layers"))-5, 2)/20
	if q.Choice("kind") == "sgd" {
		v -= 0.1
	}
	return v
}

// played is the journal of a study whose answers come some queries late.
func played(t *testing.T, s tarry.Space, o tarry.Options, policy string, late int, value func(tarry.Query) float64) *journal.Memory {
	t.Helper()
	store := &journal.Memory{}
	o.Journal, o.Policy, o.Seed = store, must.Get(tarry.ParsePolicy(policy))(t), 4
	study := must.Get(tarry.NewStudy(s, o))(t)
	defer study.Close()
	var open []tarry.Query
	var contexts []float64
	if s.Dim() > 0 && len(s.Contexts()) > 0 {
		contexts = []float64{7.5}
	}
	for range o.Budget {
		q, err := study.Ask(contexts...)
		for err != nil && len(open) > 0 { // a batch is complete
			open = told(t, study, open, value)
			q, err = study.Ask(contexts...)
		}
		if err != nil {
			t.Fatal(err)
		}
		if open = append(open, q); len(open) > late {
			open = told(t, study, open, value)
		}
	}
	return store
}

// told are the open queries without the first, whose value is told.
func told(t *testing.T, study *tarry.Study, open []tarry.Query, value func(tarry.Query) float64) []tarry.Query {
	t.Helper()
	if err := study.Tell(open[0].ID, value(open[0])); err != nil {
		t.Fatal(err)
	}
	return open[1:]
}

// driven is a study driven by hand: its loop, its journal, and the next event.
type driven struct {
	t     *testing.T
	loop  *loop.Loop
	store *journal.Memory
	steps *journal.Recorder
}

func drive(t *testing.T, c loop.Config) *driven {
	t.Helper()
	d := &driven{t: t, store: &journal.Memory{}, loop: must.Get(loop.New(c))(t)}
	d.steps = must.Get(journal.NewRecorder(d.loop, d.store))(t)
	return d
}

func (d *driven) step(e loop.Event) loop.Reaction {
	d.t.Helper()
	_, reaction, err := d.steps.Step(0, e)
	if err != nil {
		d.t.Fatal(err)
	}
	return reaction
}

// value answers an evaluation, and the ask that is open or opened by it, by the policy or by a failure.
func (d *driven) value(number int, policy policies.Policy) {
	d.t.Helper()
	d.step(loop.FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Of(float64(number * number % 7))})
	d.answer(policy)
}

// answer brings what the loop waits for: fits, and then the answer of the policy.
func (d *driven) answer(policy policies.Policy) {
	d.t.Helper()
	for _, e := range d.loop.Outstanding() {
		switch e := e.(type) {
		case loop.Fit:
			d.step(e.Run())
			d.answer(policy)
			return
		case loop.Ask:
			if policy == nil {
				d.step(e.Failed("it was too tired"))
			} else {
				d.step(d.loop.Task().Run(policy))
			}
		}
	}
}

// shoved is a study of 20 queries whose policy wants the points of #8 again for #12, which has a value, and that of #15 for #16, which pends: the
// study moves both.
func shoved(t *testing.T, policy string) *journal.Memory {
	t.Helper()
	p := must.Get(policies.Parse(policy))(t)
	d := drive(t, loop.Config{Space: must.Get(tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("y", 0, 1)))(t), Traits: p.Traits(), Budget: 20, Initial: 5})
	d.step(loop.WorkerJoined{Worker: 1, Slots: 2})
	for number := 1; number <= 20; number++ {
		d.step(loop.FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Of(float64(number * number % 7))})
		for _, wait := range d.loop.Outstanding() {
			if fit, is := wait.(loop.Fit); is {
				d.step(fit.Run())
			}
		}
		for _, wait := range d.loop.Outstanding() {
			ask, is := wait.(loop.Ask)
			if !is {
				continue
			}
			e := d.loop.Task().Run(p).(loop.Proposed)
			if at := map[int]int{12: 8, 16: 15}[ask.Round]; at > 0 {
				e.Proposals[0].X = d.loop.Evaluations()[at-1].X
			}
			d.step(e)
		}
	}
	if n := len(d.loop.Evaluations()); n != 20 {
		t.Fatalf("%d queries", n)
	}
	return d.store
}

// everyPolicy names the policies, a few of each kind where the race detector watches.
func everyPolicy() []string {
	if raced {
		return []string{"random", "gp-bts", "locbo"}
	}
	return policies.General()
}
