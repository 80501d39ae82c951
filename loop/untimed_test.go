package loop

import (
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/survival"
	"github.com/tarry-bo/tarry/outcome"
)

// counted fails where not so many answers, failures and waits without an end say something of the delays, also after a restart.
func (m *modest) counted(t *testing.T, answered, failed, censored, untimed int) {
	t.Helper()
	state, err := m.l.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Restore(m.l.config, state)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []*Loop{m.l, again} {
		r, d := l.DelayReport(), l.ledger.delays
		if got, want := [4]int{d.Count(survival.Answered), d.Count(survival.Failed), d.Count(survival.Censored), r.Untimed}, [4]int{answered, failed, censored, untimed}; got != want {
			t.Errorf("%d answers, failures, waits without an end, and others; want %d", got, want)
		}
	}
	fresh := m.l.delaysOf()
	if !fresh.Same(&m.l.ledger.delays) {
		t.Error("the history of delays is not that of the evaluations")
	}
}

// A value that an earlier attempt had left comes as soon as the next attempt begins: that is not how long answers take, and nothing is given up by it.
func TestWhatWasFoundSaysNothingOfTheDelays(t *testing.T) {
	m := modestly(t, func(c *Config) { c.Budget, c.Initial, c.GiveUp = 12, 12, 0.05 })
	m.say(WorkerJoined{1, 6})
	m.at(30, Resumed{})
	m.at(30, WorkerJoined{2, 6})
	for n := 1; n <= 5; n++ {
		m.at(30, FeedbackArrived{Evaluation: n, Attempt: 2, Outcome: outcome.Of(float64(n)), Found: true})
	}
	infeasible := outcome.Failure{Reason: "no", Verdict: outcome.Infeasible}
	m.at(30, EvaluationFailed{Evaluation: 6, Attempt: 2, Failure: infeasible, Found: true})
	m.counted(t, 0, 0, 0, 6)
	m.at(31, Woke{})
	for n := 7; n <= 12; n++ {
		m.at(32, FeedbackArrived{Evaluation: n, Attempt: 1, Outcome: outcome.Of(float64(n))})
	}
	for _, e := range m.l.Evaluations() {
		if want := (map[bool]Status{true: Infeasible, false: Observed})[e.Number == 6]; e.Status != want {
			t.Errorf("evaluation %d is %v, want %v", e.Number, e.Status, want)
		}
	}
	m.counted(t, 6, 0, 0, 6)
	if median := m.l.Delays().Arrival(.5, 0); median < 1900*time.Millisecond || median > 2100*time.Millisecond {
		t.Errorf("half have within %v, want 2s", median)
	}
}

// What had been given up and is then found is neither an answer after that time nor any more a wait without an end.
func TestWhatWasFoundOfWhatWasGivenUpSaysNothingOfTheDelays(t *testing.T) {
	m := modestly(t, func(c *Config) { c.Budget, c.Initial, c.Timeout = 4, 4, 10*time.Second })
	m.say(WorkerJoined{1, 2})
	m.at(10, Woke{})
	m.counted(t, 0, 0, 2, 0)
	m.at(15, FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(3), Found: true})
	m.counted(t, 0, 0, 1, 1)
	m.at(15, FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(3)}) // this one was only slow
	m.counted(t, 1, 0, 0, 1)
}

// An answer of an earlier attempt ends the wait for the latest one, and so does one of somebody else than the worker: neither is its answer.
func TestTheAnswerOfAnotherSaysNothingOfTheLatestAttempt(t *testing.T) {
	m := modestly(t, func(c *Config) { c.Budget, c.Initial, c.Timeout, c.Retries = 9, 9, 10*time.Second, 1 })
	m.say(WorkerJoined{1, 3})
	m.at(4, FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(1), Told: true})
	m.at(4, AnswerFollows{Evaluation: 2, Attempt: 1})
	m.at(5, FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(2), Told: true}) // its only answer
	m.counted(t, 1, 0, 0, 1)
	m.at(10, Woke{})
	if e := m.evaluation(3); e.Attempt != 2 || e.Status != Pending {
		t.Fatalf("%+v, want its second attempt under way", e)
	}
	m.at(10, FeedbackArrived{Evaluation: 3, Attempt: 1, Outcome: outcome.Of(3)})
	m.counted(t, 1, 0, 0, 2)
}
