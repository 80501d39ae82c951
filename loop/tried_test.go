package loop

import (
	"math"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/outcome"
)

// Two of three attempts fail, each after a second: a delay is a second, and an answer costs a slot three.
func TestWhatIsTriedAgainTakesTheTimeOfASlot(t *testing.T) {
	m := modestly(t, func(c *Config) { c.Budget, c.Initial, c.Retries = 40, 40, 5 })
	m.at(0, WorkerJoined{1, 1})
	now := 0.
	for n := 1; n <= 30; n++ {
		for attempt := 1; attempt <= 3; attempt++ {
			now++
			if e := m.evaluation(n); e.Attempt != attempt {
				t.Fatalf("%+v, want attempt %d", e, attempt)
			}
			if attempt < 3 {
				m.at(now, EvaluationFailed{Evaluation: n, Attempt: attempt, Failure: outcome.Failure{Reason: "no"}})
				continue
			}
			m.at(now, FeedbackArrived{Evaluation: n, Attempt: attempt, Outcome: outcome.Of(float64(n))})
		}
	}
	r := m.l.DelayReport()
	if median := r.Law.Arrival(.5, 0).Seconds(); math.Abs(median-1) > .05 || r.Tried != 2*time.Second || m.evaluation(30).Tried != 2*time.Second {
		t.Errorf("half have within %v s, %v in attempts before the latest one, want 1 s and 2 s", median, r.Tried)
	}
	if each := r.Slots.Every().Seconds(); math.Abs(each-3) > .1 {
		t.Errorf("an answer costs a slot %v s, want 3", each)
	}
	if s, _ := r.Law.Slot(r.Slots.Wait); math.Abs(r.Slots.Idle*r.Slots.Held.Seconds()-s.Idle*s.Held.Seconds()) > 1e-6 {
		t.Errorf("%+v idle, want as much time as of an attempt, %+v", r.Slots, s)
	}
	again, err := Restore(m.l.config, must.Get(m.l.Snapshot())(t))
	if err != nil || again.DelayReport().Tried != r.Tried {
		t.Errorf("after a restart %v (%v), want %v", again.DelayReport().Tried, err, r.Tried)
	}
}

// An attempt whose time was up while nobody drove the study took no longer than that time.
func TestAPauseIsNotTheTimeOfAnAttempt(t *testing.T) {
	m := modestly(t, func(c *Config) { c.Budget, c.Initial, c.Retries, c.Timeout = 9, 9, 1, 10*time.Second })
	m.say(WorkerJoined{1, 1})
	m.say(AnswerFollows{Evaluation: 1, Attempt: 1, Retire: true})
	m.at(1000, Resumed{})
	if e := m.evaluation(1); e.Tried != 10*time.Second {
		t.Errorf("%+v, want 10 s in the first attempt", e)
	}
}
