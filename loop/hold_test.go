package loop

import (
	"testing"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// floods plays a study whose answers all follow: as many queries as may be are chosen before any answer comes, and from then on
// one for each answer, and what else its answers allow. It returns how many were unanswered at most, and when.
func floods(t *testing.T, c Config) (first int, most []int) {
	t.Helper()
	d := drive(t, c)
	d.step(0, WorkerJoined{1, 2})
	ask := 0
	choose := func() {
		for before := -1; before != len(d.l.Evaluations()); {
			before = len(d.l.Evaluations())
			for _, e := range d.l.Evaluations() {
				if e.Holds {
					d.step(0, AnswerFollows{Evaluation: e.Number, Attempt: e.Attempt})
				}
			}
			for d.l.plan.ask.ID > ask {
				ask = d.l.plan.ask.ID
				d.step(0, Propose(d.l.plan.ask, d.l.View(), policies.Uniform{}, 1))
			}
		}
	}
	choose()
	first = d.l.Pending()
	for !d.l.Finished() {
		d.step(0, FeedbackArrived{Evaluation: d.l.ledger.pending[0], Attempt: 1, Outcome: outcome.Of(1)})
		choose()
		most = append(most, d.l.Pending())
	}
	return first, most
}

func TestNotTheWholeBudgetIsChosenBeforeAnAnswerComes(t *testing.T) {
	box, err := space.New(space.Float("x", 0, 1), space.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		config      Config
		first, most int
	}{
		{Config{Budget: 200}, 20, 56},              // 20 + 144/4, and no more are left
		{Config{Budget: 12}, 6, 7},                 // half of the budget, and one more after four answers
		{Config{Budget: 200, Initial: 50}, 50, 56}, // the initial design needs no answers
		{Config{Budget: 60, Pending: 3}, 3, 3},
		{Config{Budget: 60, Pending: 60}, 60, 60},
		{Config{Budget: 100, Barrier: 30, Initial: 1}, 1, 30},
	} {
		c.config.Space = box
		first, after := floods(t, c.config)
		most := first
		for _, n := range after {
			most = max(most, n)
		}
		if first != c.first || most != c.most {
			t.Errorf("budget %d, pending %d, initial %d: %d queries before the first answer, then at most %d unanswered, want %d and %d",
				c.config.Budget, c.config.Pending, c.config.Initial, first, most, c.first, c.most)
		}
	}
}

// Slots are never idle because of the default, and the limit that was asked for holds for slots too.
func TestWorkersAndTheLimit(t *testing.T) {
	box, err := space.New(space.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	for pending, want := range map[int]int{0: 64, 10: 10, 100: 64} {
		d := drive(t, Config{Space: box, Budget: 500, Initial: 500, Pending: pending})
		if pending == 0 {
			d = drive(t, Config{Space: box, Budget: 500, Initial: 1, Traits: policies.Traits{Name: "random"}})
		}
		d.step(0, WorkerJoined{1, 64})
		for k := 1; d.l.plan.ask.ID == k; k++ {
			d.step(0, Propose(d.l.plan.ask, d.l.View(), policies.Uniform{}, 1))
		}
		if got := d.l.Pending(); got != want {
			t.Errorf("limit %d: %d queries run on 64 slots, want %d", pending, got, want)
		}
		if pending == 10 && d.l.Held() != HoldPending {
			t.Errorf("held by %v", d.l.Held())
		}
	}
}

// Contexts are the world's, which sets the pace: whoever brings one gets a query.
func TestContextsSetThePace(t *testing.T) {
	s, err := space.New(space.Float("x", 0, 1), space.Float("hour", 0, 24).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, Config{Space: s, Budget: 100, Initial: 100})
	d.step(0, WorkerJoined{1, 100})
	for range 60 {
		d.step(0, ContextArrived{[]float64{7}})
	}
	if got := d.l.Pending(); got != 60 {
		t.Errorf("%d queries for 60 contexts", got)
	}
}
