package loop

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// levelled is a study with fidelities that cost 1, 2 and 4, and a budget of 40 for all, of a policy that chooses them or does not.
func levelled(t *testing.T, chooses bool) Config {
	t.Helper()
	s := must.Get(space.New(space.Float("x", 0, 1), space.Float("y", 0, 1), space.Ordered("part", 10, 20, 40).AsFidelity(1, 2, 4)))(t)
	return Config{
		Space: s, Initial: 3, BudgetCost: 40, FitBeside: true,
		Traits: policies.Traits{Name: "levelled", Model: true, Pending: feedback.Hallucinate, Fidelities: chooses},
	}
}

// driven is a study that is driven by hand, with a policy that proposes a fidelity.
type driven struct {
	t    *testing.T
	loop *Loop
	seq  uint64
	ask  Ask
	sent []Dispatch
}

func byHand(t *testing.T, c Config, slots int) *driven {
	t.Helper()
	d := &driven{t: t, loop: must.Get(New(c))(t)}
	d.step(WorkerJoined{Worker: 1, Slots: slots})
	return d
}

func (d *driven) step(e Event) {
	d.t.Helper()
	d.seq++
	reaction := must.Get(d.loop.Step(Stamped{Seq: d.seq, At: time.Duration(d.seq), Event: e}))(d.t)
	for _, effect := range reaction.Effects {
		switch effect := effect.(type) {
		case Ask:
			d.ask = effect
		case Dispatch:
			d.sent = append(d.sent, effect)
		}
	}
	if err := d.loop.Check(); err != nil {
		d.t.Fatal(err)
	}
}

// propose answers the open ask with a point at a fidelity; it reports whether there was one.
func (d *driven) propose(level int) bool {
	if d.ask.ID == 0 {
		return false
	}
	ask, s := d.ask, d.loop.Config().Space
	d.ask = Ask{}
	d.step(Proposed{Ask: ask.ID, Proposals: []policies.Proposal{{X: space.Unit{0.3, float64(ask.ID%7) / 7, s.Parameter(2).Level(level)}}}})
	return true
}

func (d *driven) answer(value, cost float64) {
	next := d.sent[0]
	d.sent = d.sent[1:]
	d.step(FeedbackArrived{Evaluation: next.Evaluation, Attempt: next.Attempt, Outcome: outcome.Outcome{Value: value, Cost: cost}})
}

// parts are the fidelities of all evaluations, in the user's units.
func (d *driven) parts() (all []float64) {
	for _, e := range d.loop.Evaluations() {
		all = append(all, e.Point(d.loop.Config().Space)[2])
	}
	return all
}

func TestTheDesignIsSpreadOverTheFidelitiesOfAPolicyThatChoosesThem(t *testing.T) {
	for chooses, want := range map[bool][]float64{true: {40, 10, 20}, false: {40, 40, 40}} {
		if got := byHand(t, levelled(t, chooses), 3).parts(); !slices.Equal(got, want) {
			t.Errorf("chooses %v: %v, want %v", chooses, got, want)
		}
	}
}

// A query costs what its fidelity does, pending or answered, and no query is begun that what is left does not pay for.
func TestABudgetInCostIsKept(t *testing.T) {
	for _, chooses := range []bool{true, false} {
		d := byHand(t, levelled(t, chooses), 4)
		for turn := 0; !d.loop.Finished(); turn++ {
			if !d.propose(turn % 3) {
				d.answer(float64(turn%5), 0)
			}
			if cost := d.loop.Cost(); cost > 40 || turn > 500 {
				t.Fatalf("chooses %v: cost %v after %d turns", chooses, cost, turn)
			}
		}
		r := d.loop.Result()
		if r.Cost != 40 || r.BudgetCost != 40 || r.Reason != ReasonBudget {
			t.Errorf("chooses %v: %v of %v: %s", chooses, r.Cost, r.BudgetCost, r.Reason)
		}
		if other := slices.ContainsFunc(d.parts(), func(v float64) bool { return v != 40 }); other != chooses {
			t.Errorf("chooses %v: %v", chooses, d.parts())
		}
	}
}

func TestAQueryIsOfTheGreatestFidelityThatIsPaidFor(t *testing.T) {
	c := levelled(t, true)
	c.BudgetCost = 10 // the design costs 4 + 1 + 2
	d := byHand(t, c, 3)
	if d.answer(1, 0); !d.propose(2) || d.parts()[3] != 20 {
		t.Errorf("with 3 left: %v", d.parts())
	}
	if d.answer(1, 0); !d.propose(2) || d.parts()[4] != 10 || d.loop.Funds() != 0 {
		t.Errorf("with 1 left: %v", d.parts())
	}
}

// The last query measures at the greatest fidelity what was found, whichever of the two budgets ends first, as a policy sees it.
func TestTheLastQueryOfEitherBudgetIsOfTheGreatestFidelity(t *testing.T) {
	for _, c := range []struct {
		budget int
		cost   float64
		last   bool // whether the view that the fourth query is chosen at is the last
	}{{4, 40, true}, {4, 0, true}, {8, 40, false}, {8, 11, true}, {5, 0, false}} {
		config := levelled(t, true)
		config.Budget, config.BudgetCost, config.Traits = c.budget, c.cost, named(t, "auto").Traits()
		d := byHand(t, config, 1)
		for range 3 { // the design costs 4 + 1 + 2
			d.answer(1, 0)
		}
		view := d.loop.View()
		proposed := Propose(d.ask, view, named(t, "auto"), 3).(Proposed)
		if last := view.Funds < 5; last != c.last || last && !config.Space.OnTarget(proposed.Proposals[0].X) {
			t.Errorf("%+v: %v is left for queries, and the fourth is at %v", c, view.Funds, proposed.Proposals[0].X)
		}
	}
}

// What an answer says of its cost holds from then on, and what is lost costs nothing.
func TestCostIsWhatAnswersSay(t *testing.T) {
	d := byHand(t, levelled(t, true), 3)
	before := d.loop.Cost()
	d.answer(1, 7.5)
	if got := d.loop.Cost() - before; got != 7.5-4+d.loop.config.Space.Cost(d.loop.Evaluations()[len(d.loop.Evaluations())-1].X)*float64(len(d.loop.Evaluations())-3) {
		t.Errorf("an answer that says 7.5 in place of 4 adds %v", got)
	}
	for range MaxLost + 1 { // a fidelity that never answers
		d.step(EvaluationFailed{Evaluation: 2, Attempt: d.loop.Evaluations()[1].Attempt, Failure: outcome.Failure{Reason: "gone", Verdict: outcome.Lost}})
	}
	if e := d.loop.Evaluations()[1]; e.Status != Lost || d.loop.Cost() != 7.5+2 {
		t.Errorf("%v, cost %v", e.Status, d.loop.Cost())
	}
	d.step(StopRequested{"enough"})
	d.step(BudgetSet{Budget: d.loop.Config().Budget, Cost: 60})
	if d.loop.Config().BudgetCost != 60 {
		t.Error("the budget in cost was not changed")
	}
}

// A value of a lower fidelity teaches, and is never the best, however great it is.
func TestTheBestIsOfTheGreatestFidelity(t *testing.T) {
	d := byHand(t, levelled(t, true), 3)
	for _, value := range []float64{1, 100, 90} { // the first is of the greatest
		d.answer(value, 0)
	}
	d.step(ObservationArrived{X: space.Point{0.5, 0.5, 10}, Value: 200})
	d.propose(0)
	r := d.loop.Result()
	if r.Best == nil || r.Best.Number != 1 || r.Best.Value != 1 || r.Recommended.Number != 1 {
		t.Errorf("best %+v, recommended %+v", r.Best, r.Recommended)
	}
	if view := d.loop.View(); view.Incumbent != nil && !view.Space.OnTarget(view.Incumbent) || len(view.Rows) < 4 {
		t.Errorf("incumbent %v, rows %v", view.Incumbent, view.Rows)
	}
	if x, _, err := d.loop.Recommend(nil); err != nil || x[2] != 40 {
		t.Errorf("recommended %v (%v)", x, err)
	}
	d.step(FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(100), Suffices: true})
	if d.loop.Finished() {
		t.Error("a value of a lower fidelity sufficed")
	}
}

func TestBudgetsInCostThatAreNoneAreRefused(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"Config.BudgetCost = 3: want at least 4, which one evaluation of the greatest fidelity costs": func(c *Config) { c.BudgetCost = 3 },
		"Config.BudgetCost = -1":                    func(c *Config) { c.BudgetCost = -1 },
		"Config.Budget = 0":                         func(c *Config) { c.BudgetCost = 0 },
		"no fidelity says what an evaluation costs": func(c *Config) { c.Space = must.Get(space.New(space.Float("x", 0, 1)))(t) },
	} {
		c := levelled(t, true)
		change(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	c := levelled(t, false)
	if l := must.Get(New(c))(t); l.Config().Budget != MaxBudget {
		t.Errorf("a budget of %d evaluations", l.Config().Budget)
	}
}
