package loop

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// An observation gets the next number when no ask is open: the number in between belongs to the ask.
func TestObservationsWaitForTheOpenAsk(t *testing.T) {
	m := modestly(t, func(c *Config) { c.Initial = 1 })
	m.at(0, WorkerJoined{1, 3})
	view := m.l.View()
	if got := m.at(1, ObservationArrived{X: []float64{0.5, 0.5}, Value: 7}); len(got) > 0 || len(m.l.Evaluations()) != 1 {
		t.Fatalf("%+v, %d evaluations", got, len(m.l.Evaluations()))
	}
	if again := m.l.View(); again.Round != view.Round || len(again.Queries) != 1 || len(again.History) != 0 {
		t.Errorf("the view of the open ask changed: %+v", again)
	}
	m.at(2, ProposeFailed{Ask: 1})
	all := m.l.Evaluations()
	if len(all) != 3 || all[1].Foreign || !all[2].Foreign || all[2].Status != Observed || all[2].Value != 7 || all[2].Seen != 4 || all[2].Ended != m.now || all[2].Attempt != 0 {
		t.Errorf("%+v", all)
	}
	if v := m.l.View(); v.Round != 4 || len(v.History) != 1 || v.History[0].Value != 7 || v.History[0].Query.Number != 3 {
		t.Errorf("%+v", v)
	}
}

// A study that is stopped while an ask is open keeps what was measured elsewhere meanwhile.
func TestObservationsSurviveAStop(t *testing.T) {
	for _, how := range imputations {
		m := modestly(t, func(c *Config) {
			c.Initial, c.Window.Rounds = 1, 1
			c.Traits = policies.Traits{Name: "none", Model: true, Pending: how}
		})
		m.at(0, WorkerJoined{1, 3})
		m.at(1, ObservationArrived{X: []float64{0.5, 0.5}, Value: 7})
		m.at(2, StopRequested{"enough"})
		r := m.l.Result()
		if r.Best == nil || !r.Best.Foreign || r.Best.Value != 7 || r.Best.Status != Observed || len(r.Evaluations) != 2 {
			t.Errorf("%v: best %+v among %+v", how, r.Best, r.Evaluations)
		}
		m.at(3, ProposeFailed{Ask: 1})
		m.at(3, FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(9)})
		if r := m.l.Result(); r.Best.Number != 1 || len(r.Evaluations) != 2 {
			t.Errorf("%v: best %+v after a late value", how, r.Best)
		}
	}
}

// What was measured elsewhere is in the model like any other value, counts for fits, and can be the best.
func TestObservationsEnterTheModel(t *testing.T) {
	for _, minimize := range []bool{false, true} {
		for _, how := range imputations {
			m := modestly(t, func(c *Config) {
				c.Initial, c.Minimize, c.Window = 3, minimize, feedback.Window{Rounds: 1, Strict: true}
				c.Traits = policies.Traits{Name: "none", Model: true, Pending: how}
			})
			for i, y := range []float64{2, 5, 3} {
				m.at(0, ObservationArrived{X: []float64{float64(i) / 2, 0.5}, Value: y})
			}
			effects := m.at(0, WorkerJoined{1, 2})
			if fit, ok := effects[0].(Fit); !ok || len(fit.Y) != 3 {
				t.Fatalf("%v: %+v, want a fit of three values", how, effects)
			}
			m.at(0, FitFailed{Fit: 1})
			v := m.l.View()
			if !slices.Equal(v.Rows, []int{1, 2, 3}) || v.Posterior.Len() != 3 || v.Round != 4 {
				t.Errorf("%v: rows %v, round %d", how, v.Rows, v.Round)
			}
			best := map[bool]int{false: 2, true: 1}[minimize]
			if r := m.l.Result(); r.Best.Number != best || !slices.Equal(v.Incumbent, m.l.Evaluations()[best-1].X) {
				t.Errorf("%v: best %+v, incumbent %v", how, r.Best, v.Incumbent)
			}
		}
	}
}

func TestWhatCannotBeIsDropped(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, e := range map[string]Event{
		"enqueued outside": QueryEnqueued{[]float64{0.5, 1.5}}, "enqueued without end": QueryEnqueued{[]float64{nan, inf}},
		"enqueued too short": QueryEnqueued{[]float64{0.5}}, "enqueued too long": QueryEnqueued{[]float64{0, 0, 0}}, "enqueued of nothing": QueryEnqueued{},
		"outside": ObservationArrived{X: []float64{-0.1, 0}, Value: 1}, "not a number": ObservationArrived{X: []float64{0, nan}, Value: 1}, "too short": ObservationArrived{X: nil, Value: 1},
		"without a value": ObservationArrived{X: []float64{0, 0}, Value: nan}, "infinite": ObservationArrived{X: []float64{0, 0}, Value: inf}, "less than all": ObservationArrived{X: []float64{0, 0}, Value: -inf},
	} {
		m := modestly(t, plain)
		m.at(0, e)
		if c := m.l.Counters(); c.Dropped != 1 || len(m.l.plan.queue)+len(m.l.Evaluations()) > 0 {
			t.Errorf("%s: %+v", name, c)
		}
	}
	m := modestly(t, plain)
	m.at(0, StopRequested{"enough"})
	m.at(0, QueryEnqueued{[]float64{0, 0}})
	if c := m.l.Counters(); c.Dropped != 1 || len(m.l.Evaluations()) > 0 {
		t.Errorf("enqueued after the end: %+v", c)
	}
}

// A value from elsewhere is a measurement like any other: after the end it is kept, may be the best, and begins nothing.
func TestObservationsAfterTheEndCount(t *testing.T) {
	m := modestly(t, plain)
	m.at(0, ObservationArrived{X: []float64{0, 0}, Value: 1})
	m.at(0, StopRequested{"enough"})
	effects := m.at(1, ObservationArrived{X: []float64{0.5, 0.5}, Value: 2})
	effects = append(effects, m.at(2, ObservationArrived{X: []float64{0, 0}, Value: 1.5})...)
	r := m.l.Result()
	if r.Best == nil || r.Best.Number != 2 || len(r.Evaluations) != 3 || r.Reason != "enough" || !m.l.Finished() || len(effects) > 0 || r.Counters.Dropped > 0 {
		t.Errorf("%+v, effects %v", r, effects)
	}
	m.at(3, BudgetSet{Budget: 5})
	if m.l.Finished() || len(m.l.Evaluations()) != 3 {
		t.Errorf("it does not go on: %q", m.l.Reason())
	}
}

// The study has no end before all is in with which it begins: what comes last may say that there is noise.
func TestAStudyDoesNotEndBeforeItHasBegun(t *testing.T) {
	three, err := space.New(space.Int("i", 1, 3))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		last []Event
		ends string
	}{
		"the values agree":            {[]Event{ObservationArrived{X: []float64{3}, Value: 0.2345}, ObservationArrived{X: []float64{2}, Value: 0.53211}}, ReasonPoints},
		"the last contradicts one":    {[]Event{ObservationArrived{X: []float64{3}, Value: 0.2345}, ObservationArrived{X: []float64{2}, Value: 0.6}}, ""},
		"somebody wants a point":      {[]Event{ObservationArrived{X: []float64{3}, Value: 0.2345}, QueryEnqueued{[]float64{2}}}, ""},
		"what is no value is dropped": {[]Event{ObservationArrived{X: []float64{3}, Value: 0.2345}, ObservationArrived{X: []float64{3}, Value: math.NaN()}}, ReasonPoints},
		"it is asked to end":          {[]Event{StopRequested{"enough"}, ObservationArrived{X: []float64{3}, Value: 0.2345}}, "enough"},
	} {
		m := drive(t, Config{Space: three, Budget: 5, Opening: 5, Traits: policies.Traits{Name: "none"}})
		for i, e := range append([]Event{
			ObservationArrived{X: []float64{1}, Value: 0.123456}, ObservationArrived{X: []float64{1}, Value: 0.123456}, ObservationArrived{X: []float64{2}, Value: 0.53211},
		}, c.last...) {
			if m.l.Finished() || !m.l.Unbegun() {
				t.Errorf("%s: ended %v before event %d", name, m.l.Finished(), i+1)
			}
			m.step(0, e)
		}
		if m.l.Reason() != c.ends || m.l.Finished() != (c.ends != "") || m.l.Unbegun() || m.l.ledger.foreign < 4 {
			t.Errorf("%s: %q after %d observations", name, m.l.Reason(), m.l.ledger.foreign)
		}
	}
}

// Beyond the limits enqueued points and observations are dropped; all the others are kept.
func TestRequestsAndObservationsHaveLimits(t *testing.T) {
	m := modestly(t, func(c *Config) { c.Initial = 1 })
	m.at(0, WorkerJoined{1, 2}) // and an ask, which stays open
	for range MaxEnqueued + 2 {
		m.at(0, QueryEnqueued{[]float64{0, 0}})
		m.at(0, ObservationArrived{X: []float64{0, 0}, Value: 1})
	}
	if c := m.l.Counters(); c.Dropped != 4 || len(m.l.plan.queue) != MaxEnqueued {
		t.Errorf("%+v", c)
	}
	m.at(0, ProposeFailed{Ask: 1})
	if got := len(m.l.Evaluations()); got != MaxEnqueued+2 {
		t.Fatalf("%d evaluations", got)
	}
	for m.l.ledger.foreign < MaxForeign { // Check would look at all of them each time
		m.seq++
		if _, err := m.l.Step(Stamped{m.seq, 0, ObservationArrived{X: []float64{0, 0}, Value: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	m.at(0, ObservationArrived{X: []float64{0, 0}, Value: 1})
	if c := m.l.Counters(); c.Dropped != 5 || m.l.ledger.foreign != MaxForeign {
		t.Errorf("%+v, %d observations", c, m.l.ledger.foreign)
	}
}
