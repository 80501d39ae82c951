package loop

import (
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// leased is a study with a lease of ten seconds and one slot, whose first queries have answers that follow.
func leased(t *testing.T, follow int, change func(*Config)) *modest {
	t.Helper()
	m := modestly(t, func(c *Config) {
		c.Lease = 10 * time.Second
		change(c)
	})
	m.say(WorkerJoined{1, 1})
	for n := 1; n <= follow; n++ {
		m.say(AnswerFollows{Evaluation: n, Attempt: 1})
	}
	return m
}

func plain(*Config) {}

// at feeds an event at a time in seconds and returns what is to be done.
func (m *modest) at(seconds float64, e Event) []Effect {
	m.t.Helper()
	m.now = time.Duration(seconds * float64(time.Second))
	return m.step(m.now, e)
}

// wakes returns the times of the WakeAt among effects.
func wakes(effects []Effect) (at []time.Duration) {
	for _, e := range effects {
		if w, ok := e.(WakeAt); ok {
			at = append(at, w.At)
		}
	}
	return at
}

func TestTheEndOfALeaseLosesTheEvaluationAndAsksItsPointAgain(t *testing.T) {
	m := leased(t, 1, plain)
	m.at(3, FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(1)})
	if effects := m.at(9.999, Woke{}); len(effects) > 0 || m.l.Evaluations()[0].Status != Pending {
		t.Fatalf("before the end: %+v", effects)
	}
	m.at(10, AnswerFollows{Evaluation: 3, Attempt: 1}) // frees the slot
	first, again := m.l.Evaluations()[0], m.l.Evaluations()[3]
	if first.Status != Lost || first.Ended != 10*time.Second || first.Running || first.Lease != 0 || first.Reason != "no sign of life within 10s" {
		t.Errorf("%+v", first)
	}
	if again.Number != 4 || again.Round != 4 || again.At != 10*time.Second || !slices.Equal(again.X, first.X) || again.Status != Pending || again.Attempt != 1 {
		t.Errorf("the query after it: %+v, want one at %v", again, first.X)
	}
	if c := m.l.Counters(); c.Expired != 1 || c.Failures+c.Vanished+c.Timeouts > 0 {
		t.Errorf("%+v", c)
	}
}

// Whoever holds a slot needs no lease: its worker is watched by others.
func TestALeaseBeginsWhenTheAnswerFollows(t *testing.T) {
	m := leased(t, 0, plain)
	if effects := m.at(100, Woke{}); len(effects) > 0 || m.l.Evaluations()[0].Status != Pending {
		t.Fatalf("%+v", effects)
	}
	if got := wakes(m.at(100, AnswerFollows{Evaluation: 1, Attempt: 1})); !slices.Equal(got, []time.Duration{110 * time.Second}) {
		t.Errorf("wakes at %v", got)
	}
	m.at(105, AnswerFollows{Evaluation: 1, Attempt: 1}) // said twice, it is no sign of life
	if got := m.l.Evaluations()[0].Lease; got != 110*time.Second {
		t.Errorf("the lease ends at %v", got)
	}
}

func TestARenewedLeaseEndsLater(t *testing.T) {
	m := leased(t, 2, plain)
	if got := wakes(m.at(6, LeaseRenewed{1, 1})); got != nil {
		t.Errorf("wakes at %v, though the other lease ends first, as before", got)
	}
	if got := wakes(m.at(7, LeaseRenewed{2, 1})); !slices.Equal(got, []time.Duration{16 * time.Second}) {
		t.Errorf("wakes at %v, want the end of the first lease", got)
	}
	for k := range 1000 {
		m.at(8+float64(k), LeaseRenewed{1, 1})
	}
	lost, kept := m.l.Evaluations()[1], m.l.Evaluations()[0]
	if lost.Status != Lost || kept.Status != Pending || kept.Lease != 1017*time.Second || m.l.Counters().Expired != 1 {
		t.Errorf("renewed %+v, not renewed %+v", kept, lost)
	}
	m.at(1016, LeaseRenewed{1, 2}) // an attempt that does not exist
	m.at(1016, LeaseRenewed{3, 1}) // holds a slot
	m.at(1017, LeaseRenewed{1, 1}) // too late
	if c := m.l.Counters(); m.l.Evaluations()[0].Status != Lost || c.Unknown != 1 || c.Repeated != 1 {
		t.Errorf("%+v, %+v", m.l.Evaluations()[0], c)
	}
}

// Only the latest attempt has a lease: the attempt before cannot keep it alive.
func TestTheAttemptBeforeRenewsNothing(t *testing.T) {
	m := leased(t, 1, func(c *Config) { c.Retries = 1 })
	m.at(1, EvaluationFailed{Evaluation: 1, Attempt: 1, Failure: outcome.Failure{Reason: "broken"}})
	m.at(2, FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(1)})
	m.at(3, AnswerFollows{Evaluation: 1, Attempt: 2})
	m.at(8, LeaseRenewed{1, 1})
	if e, c := m.l.Evaluations()[0], m.l.Counters(); e.Lease != 13*time.Second || e.Attempt != 2 || c.Repeated != 1 {
		t.Errorf("%+v, %+v", e, c)
	}
}

// An answer after the end of a lease is late, and the model and the result see it.
func TestAnAnswerAfterTheEndOfALeaseIsInTheModel(t *testing.T) {
	for _, how := range imputations {
		m := leased(t, 1, func(c *Config) {
			c.Traits = policies.Traits{Name: "none", Model: true, Pending: how}
			c.Window = feedback.Window{Rounds: 100}
		})
		row := func() bool {
			m.l.model.Sync()
			return lookAt(m.l).has(1)
		}
		before := row()
		m.at(10, Woke{})
		gone := !row()
		m.at(11, FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(7)})
		e := m.l.Evaluations()[0]
		if before != (how != feedback.Ignore) || !gone || !row() || e.Status != Late || m.l.Counters().LateValues != 1 {
			t.Errorf("%v: row %v, gone %v, then %v: %+v", how, before, gone, row(), e)
		}
		if r := m.l.Result(); r.Best == nil || r.Best.Number != 1 {
			t.Errorf("%v: best %+v", how, r.Best)
		}
	}
}

// The point goes with its context: it waits for no other, and takes none away.
func TestALostPointKeepsItsContext(t *testing.T) {
	m := leased(t, 0, func(c *Config) {
		s, err := space.New(space.LogFloat("rate", 1e-5, 1), space.Int("day", 1, 7).AsContext())
		if err != nil {
			t.Fatal(err)
		}
		c.Space = s
	})
	m.at(0, ContextArrived{[]float64{3}})
	m.at(0, AnswerFollows{Evaluation: 1, Attempt: 1, Retire: true})
	if m.l.Held() != HoldContext {
		t.Fatalf("held %v", m.l.Held())
	}
	m.at(10, Woke{})
	if m.l.Held() != HoldNone {
		t.Errorf("held %v, though the next query needs no context", m.l.Held())
	}
	if got := points(m.at(11, WorkerJoined{2, 1})); len(got) != 1 || got[0][1] != 3 {
		t.Errorf("dispatched %v without another context", got)
	}
	m.at(12, ContextArrived{[]float64{5}})
	m.at(12, AnswerFollows{Evaluation: 2, Attempt: 1, Retire: true})
	m.at(23, WorkerJoined{2, 2})
	all := m.l.Evaluations()
	if len(all) != 4 {
		t.Fatalf("%+v", all)
	}
	for i, day := range []float64{3, 3, 5, 3} { // whoever brought a context is served first
		if x := m.l.config.Space.Value(all[i].X); x[1] != day || (x[0] == m.l.config.Space.Value(all[0].X)[0]) != (day == 3) {
			t.Errorf("evaluation %d is at %v", i+1, x)
		}
	}
}

// Points that are lost at once are asked again in the order in which they were lost, before what waited.
func TestLostPointsComeBackInOrder(t *testing.T) {
	m := leased(t, 3, func(c *Config) { c.Budget, c.Initial = 20, 20 })
	m.at(1, AnswerFollows{Evaluation: 4, Attempt: 1, Retire: true})
	m.at(1, QueryEnqueued{[]float64{0.5, 0.5}})
	m.at(12, Woke{})
	m.at(12, WorkerJoined{2, 6})
	all := m.l.Evaluations()
	for i := range 4 {
		if !slices.Equal(all[4+i].X, all[i].X) {
			t.Errorf("query %d is at %v, want the point of %d, %v", 5+i, all[4+i].X, i+1, all[i].X)
		}
	}
	if !slices.Equal(all[8].X, []float64{0.5, 0.5}) {
		t.Errorf("query 9 is at %v, want what was enqueued", all[8].X)
	}
}

// Of the end of a lease and a deadline the earlier one counts, however late the loop is woken.
func TestTheEarlierOfLeaseAndDeadlineCounts(t *testing.T) {
	for want, timeout := range map[Status]time.Duration{Lost: 11 * time.Second, TimedOut: 9 * time.Second} {
		m := leased(t, 1, func(c *Config) { c.Timeout = timeout })
		if m.at(60, Woke{}); m.l.Evaluations()[0].Status != want {
			t.Errorf("timeout %v: %v, want %v", timeout, m.l.Evaluations()[0].Status, want)
		}
	}
}
