package loop

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// An exclusive worker whose attempt took too long gets nothing else before that attempt has returned, and the time of the
// next one begins then.
func TestAnExclusiveWorkerIsBusyUntilItsAttemptHasReturned(t *testing.T) {
	s, err := space.New(space.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, exclusive := range []bool{true, false} {
		d := drive(t, Config{Space: s, Budget: 4, Initial: 4, Timeout: time.Minute, Exclusive: exclusive})
		d.step(0, WorkerJoined{Worker: 1, Slots: 1})
		effects := d.step(time.Minute, Woke{})
		next := func(e Effect) bool { d, ok := e.(Dispatch); return ok && d.Evaluation == 2 }
		if got := slices.ContainsFunc(effects, next); got == exclusive {
			t.Fatalf("exclusive %v: evaluation 2 started with the timeout: %v", exclusive, got)
		}
		if d.l.Overdue(1, 1) != exclusive || d.l.Evaluations()[0].Status != TimedOut {
			t.Fatalf("exclusive %v: overdue %v, evaluation 1 is %v", exclusive, d.l.Overdue(1, 1), d.l.Evaluations()[0].Status)
		}
		effects = d.step(90*time.Second, WorkerFreed{Evaluation: 1, Attempt: 1})
		if !exclusive {
			if d.l.Counters().Unknown != 1 {
				t.Error("a worker that was free was freed")
			}
			continue
		}
		if !slices.ContainsFunc(effects, next) || d.l.Evaluations()[1].Deadline != 150*time.Second {
			t.Errorf("after the attempt returned: %v, deadline %v", effects, d.l.Evaluations()[1].Deadline)
		}
		d.step(95*time.Second, FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(2)}) // a value all the same
		if d.l.Evaluations()[0].Status != Late {
			t.Errorf("evaluation 1 is %v", d.l.Evaluations()[0].Status)
		}
		d.step(96*time.Second, WorkerLeft{Worker: 1, Reason: "gone"})
		d.step(97*time.Second, Resumed{})
	}
}

// What a worker says of an attempt frees its slot, whatever has become of the evaluation in the same instant and whatever it
// says: an answer may come just when its time is up.
func TestAnAnswerAtItsTimeoutFreesItsSlot(t *testing.T) {
	s, err := space.New(space.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	for name, answer := range map[string]Event{
		"value":    FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(2)},
		"no value": FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(math.NaN())},
		"failure":  EvaluationFailed{Evaluation: 1, Attempt: 1, Failure: outcome.Failure{Reason: "broken"}},
		"lost":     EvaluationFailed{Evaluation: 1, Attempt: 1, Failure: outcome.Failure{Reason: "preempted", Verdict: outcome.Lost}},
		"verdict":  EvaluationFailed{Evaluation: 1, Attempt: 1, Failure: outcome.Failure{Reason: "no", Verdict: outcome.Infeasible}},
		"follows":  AnswerFollows{Evaluation: 1, Attempt: 1},
		"nothing":  WorkerFreed{Evaluation: 1, Attempt: 1},
	} {
		for _, retries := range []int{0, 2} {
			d := drive(t, Config{Space: s, Budget: 4, Initial: 4, Timeout: time.Minute, Exclusive: true, Retries: retries})
			d.step(0, WorkerJoined{Worker: 1, Slots: 1})
			effects := d.step(time.Minute, answer)
			if !slices.ContainsFunc(effects, func(e Effect) bool { _, ok := e.(Dispatch); return ok }) || len(d.l.ledger.overdue) > 0 {
				t.Errorf("%s, %d retries: %+v", name, retries, effects)
			}
		}
	}
}

// Whoever tells the outcome of an attempt that a worker is at has it cancelled, and an exclusive worker is busy until it has
// returned; another word from elsewhere does not free it.
func TestATellCancelsTheWorkerAndWaitsForIt(t *testing.T) {
	s, err := space.New(space.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, told := range []Event{
		FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(2), Told: true},
		EvaluationFailed{Evaluation: 1, Attempt: 1, Failure: outcome.Failure{Reason: "broken"}, Told: true},
		EvaluationFailed{Evaluation: 1, Attempt: 1, Failure: outcome.Failure{Reason: "no", Verdict: outcome.Infeasible}, Told: true},
		CancelRequested{Evaluation: 1},
	} {
		for _, exclusive := range []bool{true, false} {
			d := drive(t, Config{Space: s, Budget: 4, Initial: 4, Exclusive: exclusive, Retries: 1})
			d.step(0, WorkerJoined{Worker: 1, Slots: 1})
			effects := d.step(1, told)
			if !slices.Contains(effects, Effect(Cancel{Evaluation: 1, Attempt: 1, Worker: 1})) {
				t.Errorf("%+v: %+v", told, effects)
			}
			d.step(2, told)
			if d.l.Overdue(1, 1) != exclusive || exclusive && d.l.ledger.idle != 0 {
				t.Errorf("%+v: exclusive %v, overdue %v", told, exclusive, d.l.Overdue(1, 1))
			}
			if !exclusive {
				continue
			}
			d.step(3, FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(2)})
			if d.l.Overdue(1, 1) {
				t.Errorf("%+v: still overdue after its worker spoke", told)
			}
		}
	}
}
