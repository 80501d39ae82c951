package loop

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// lending is a study with a lease of ten seconds that hands its queries out one by one, as a session of ask and tell does.
type lending struct{ *modest }

func lend(t *testing.T) lending {
	return lending{modestly(t, func(c *Config) { c.Budget, c.Initial, c.Lease = 20, 20, 10*time.Second })}
}

// ask returns the next query, whose answer follows.
func (d lending) ask(seconds float64) Evaluation {
	d.t.Helper()
	d.at(seconds, WorkerJoined{1, 1})
	e := d.l.Evaluations()[len(d.l.Evaluations())-1]
	d.at(seconds, AnswerFollows{Evaluation: e.Number, Attempt: 1, Retire: true})
	return e
}

func (d lending) tell(seconds float64, number int, value float64) {
	d.at(seconds, FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Of(value)})
}

func (d lending) forbid(seconds float64, number int) {
	d.at(seconds, EvaluationFailed{Evaluation: number, Attempt: 1, Failure: outcome.Failure{Verdict: outcome.Infeasible}})
}

// noisy makes it known that values have noise.
func (d lending) noisy() {
	for k := range 2 {
		d.at(0, ObservationArrived{X: []float64{0.9, 0.9}, Value: float64(k)})
	}
}

// observe brings a value for the point of an evaluation from elsewhere.
func (d lending) observe(seconds float64, e Evaluation) {
	d.at(seconds, ObservationArrived{X: d.l.config.Space.Value(e.X), Value: 4})
}

// What the policy said of a point when it drew it is what the answers of repeats are seen with, also in a study that was put away; the records,
// which older journals have too, are as they were.
func TestAnAnswerOfARepeatComesWithWhatWasSaidOfTheDraw(t *testing.T) {
	d := lending{modestly(t, func(c *Config) { c.Budget, c.Initial, c.Lease = 20, 1, 10*time.Second })}
	d.tell(1, d.ask(1).Number, 2)
	d.at(2, WorkerJoined{1, 1})
	forecast := forecastOf(0.8, 0.3)
	d.at(2, Proposed{Ask: d.l.plan.ask.ID, Proposals: []policies.Proposal{{X: space.Unit{0.3, 0.4}, Forecast: forecast, Probability: 0.25}}})
	d.at(2, AnswerFollows{Evaluation: 2, Attempt: 1, Retire: true})
	d.ask(20) // it is lost, and so is its repeat
	third := d.ask(40)
	if third.Number != 4 || third.AgainOf != 2 || third.Probability != 0 || third.Forecast != nil {
		t.Fatalf("the second repeat is %+v", third)
	}
	d.tell(41, third.Number, 12)
	d.tell(42, 2, 13)
	d.at(43, WorkerJoined{1, 1})
	for name, l := range map[string]*Loop{"as it is": d.l, "put away": cut(t, d.l.config, d.l)} {
		v := l.View()
		if len(v.History) != 3 {
			t.Fatalf("%s: %d answers, want 3", name, len(v.History))
		}
		for i, a := range v.History[1:] {
			if first := v.First(a); a.AgainOf != []int{0, 2}[i] || first.Number != 2 || first.Probability != 0.25 || !reflect.DeepEqual(a.Forecast, forecast) {
				t.Errorf("%s: answer %+v of the draw %+v with forecast %+v", name, a, first, a.Forecast)
			}
		}
	}
}

// A point that was lost, again and again, is asked as long as no outcome of it has come, from whichever evaluation. The first two queries
// of each story are at the same point; the last is asked at 100.
func TestALostPointIsAskedUntilItsOutcomeComes(t *testing.T) {
	for name, story := range map[string]struct {
		again   bool
		happens func(d lending, first, second Evaluation)
	}{
		"nothing comes":                            {true, func(d lending, _, _ Evaluation) {}},
		"the first answers, the second is out":     {false, func(d lending, first, _ Evaluation) { d.tell(15, first.Number, 3) }},
		"the first answers, the second is lost":    {false, func(d lending, first, _ Evaluation) { d.tell(25, first.Number, 3) }},
		"the second answers when it is lost":       {false, func(d lending, _, second Evaluation) { d.tell(25, second.Number, 3) }},
		"the first answers, the third is out":      {false, func(d lending, first, _ Evaluation) { d.ask(25); d.tell(26, first.Number, 3) }},
		"the first answers, the third is lost":     {false, func(d lending, first, _ Evaluation) { d.ask(25); d.tell(50, first.Number, 3) }},
		"the first is infeasible, the second out":  {false, func(d lending, first, _ Evaluation) { d.forbid(15, first.Number) }},
		"the first is infeasible, the second lost": {false, func(d lending, first, _ Evaluation) { d.forbid(25, first.Number) }},
		"measured elsewhere, the second out":       {false, func(d lending, first, _ Evaluation) { d.observe(15, first) }},
		"measured elsewhere, the second lost":      {false, func(d lending, first, _ Evaluation) { d.observe(25, first) }},
		"another point answers":                    {true, func(d lending, _, _ Evaluation) { d.at(15, ObservationArrived{X: []float64{0.5, 0.5}, Value: 4}) }},
	} {
		for _, noisy := range []bool{false, true} {
			d := lend(t)
			if noisy {
				d.noisy()
			}
			first := d.ask(1)
			second := d.ask(12)
			if !slices.Equal(first.X, second.X) {
				t.Fatalf("%s: the point %v is not asked again, but %v", name, first.X, second.X)
			}
			story.happens(d, first, second)
			if got := slices.Equal(d.ask(100).X, first.X); got != story.again {
				t.Errorf("%s, noise %v: asked again %v, want %v", name, noisy, got, story.again)
			}
		}
	}
}

// Where a second value tells nothing, one of another query at the point is enough, unless the user named the point; under noise
// each query has its own.
func TestAnotherQueryAtALostPointAnswersForItWithoutNoise(t *testing.T) {
	for _, c := range []struct{ noisy, named, again bool }{{again: false}, {noisy: true, again: true}, {named: true, again: true}, {noisy: true, named: true, again: true}} {
		d := lend(t)
		if c.noisy {
			d.noisy()
		}
		if c.named {
			d.at(0, QueryEnqueued{[]float64{0.25, 0.5}})
		}
		lost := d.ask(1)
		d.at(2, QueryEnqueued{d.l.config.Space.Value(lost.X)}) // and the policy might, under noise
		other := d.ask(2)
		if !slices.Equal(lost.X, other.X) {
			t.Fatalf("%v, want %v", other.X, lost.X)
		}
		d.at(11.5, Woke{})
		d.tell(11.6, other.Number, 3)
		if got := slices.Equal(d.ask(20).X, lost.X); got != c.again {
			t.Errorf("%+v: asked again %v", c, got)
		}
	}
}

// What the user enqueues is asked, also where the point was lost and has a value.
func TestAnEnqueuedPointIsAskedThoughItHasAValue(t *testing.T) {
	d := lend(t)
	first := d.ask(1)
	d.at(12, Woke{})
	d.at(12, QueryEnqueued{d.l.config.Space.Value(first.X)})
	d.tell(13, first.Number, 3)
	if e := d.ask(14); !slices.Equal(e.X, first.X) {
		t.Errorf("asked at %v, want what was enqueued, %v", e.X, first.X)
	}
	if e := d.ask(15); slices.Equal(e.X, first.X) {
		t.Error("asked twice")
	}
}

// A user who enqueues a point twice and loses both has both asked again, and a late value of one is one of the two.
func TestTwoLostWishesAtOnePointAreTwo(t *testing.T) {
	d := lend(t)
	for range 2 {
		d.at(0, QueryEnqueued{[]float64{0.25, 0.5}})
	}
	first, second := d.ask(1), d.ask(2)
	d.at(11.5, Woke{})
	d.tell(11.6, first.Number, 3) // before the second is lost
	d.at(12.5, Woke{})
	if e := d.ask(13); !slices.Equal(e.X, second.X) {
		t.Errorf("asked at %v, want the second again, %v", e.X, second.X)
	}
	if e := d.ask(14); slices.Equal(e.X, second.X) {
		t.Error("asked a third time")
	}
}

// A study that was put away asks the same points as one that was not.
func TestARestoredStudyAsksTheSameLostPoints(t *testing.T) {
	d := lend(t)
	first := d.ask(1)
	d.ask(12)
	d.tell(15, first.Number, 3)
	bytes, err := d.l.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	other, err := Restore(Config{Space: d.l.config.Space, Traits: d.l.config.Traits, Budget: 20, Initial: 20, Lease: 10 * time.Second}, bytes)
	if err != nil {
		t.Fatal(err)
	}
	kept := &driver{t: t, l: d.l, seq: d.seq}
	d.l = other
	for _, l := range []*driver{kept, d.driver} {
		l.step(30*time.Second, WorkerJoined{1, 1})
		if e := l.l.Evaluations()[2]; slices.Equal(e.X, first.X) {
			t.Errorf("the point that was told is asked again: %+v", e)
		}
	}
	if what := kept.l.Difference(other); what != "" {
		t.Error(what)
	}
}

// A value for exactly the point that was handed out counts for it, whatever a logarithm makes of its last digit.
func TestAnObservationAtALostPointIsAtThatPoint(t *testing.T) {
	for seed := range uint64(20) {
		d := lending{modestly(t, func(c *Config) {
			c.Space, _ = space.New(space.LogFloat("rate", 0.001, 1))
			c.Seed, c.Budget, c.Initial, c.Lease = seed, 20, 20, 10*time.Second
		})}
		first := d.ask(1)
		d.ask(12)
		d.observe(15, first)
		if e := d.ask(30); slices.Equal(e.X, first.X) {
			t.Fatalf("seed %d: asked again at %v", seed, e.X)
		}
		second := d.l.Evaluations()[3]
		d.at(45, Woke{})
		d.observe(45, second)
		if e := d.ask(46); slices.Equal(e.X, second.X) {
			t.Fatalf("seed %d: asked again at %v", seed, e.X)
		}
	}
}
