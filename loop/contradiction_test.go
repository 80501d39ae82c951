package loop

import (
	"testing"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/safety"
)

// What a second answer says of the constraints may be what matters: it is not taken for the first once more.
func TestASecondAnswerWithOtherConstraintsContradicts(t *testing.T) {
	s := newSafe(t, sparing, 3)
	s.tell(1, 1, 0.5)
	for _, c := range []struct {
		event Event
		want  Fate
	}{
		{FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Outcome{Value: 1, Constraints: []float64{0.5}}}, FateRepeated},
		{FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Outcome{Value: 1, Constraints: []float64{1.5}}}, FateContradictory},
		{FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Outcome{Value: 1, Constraints: []float64{0.5}, Infeasible: true}}, FateContradictory},
		{FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Outcome{Value: 2, Constraints: []float64{0.5}}}, FateContradictory},
		{EvaluationFailed{Evaluation: 1, Attempt: 1, Failure: outcome.Failure{Reason: "tripped", Verdict: outcome.Infeasible}}, FateContradictory},
		{EvaluationFailed{Evaluation: 1, Attempt: 1, Failure: outcome.Failure{Reason: "broke"}}, FateRepeated},
	} {
		s.step(c.event)
		if got := s.reaction.Fate; got != c.want {
			t.Errorf("%+v: %v, want %v", c.event, got, c.want)
		}
	}
	if e := s.Evaluations()[0]; e.Status != Observed || e.Infeasible || e.Constraints[0] != 0.5 {
		t.Errorf("%+v", e)
	}
}

// A violation that was known made the queries after it more cautious, and counts whatever is said later.
func TestAValueDoesNotTakeBackThatAPointWasInfeasible(t *testing.T) {
	s := newSafe(t, sparing, 3)
	s.tell(1, 1, 0.5)
	s.tell(2, 1, 0.5)
	s.propose(0.75)
	s.step(EvaluationFailed{Evaluation: 3, Attempt: 1, Failure: outcome.Failure{Reason: "tripped", Verdict: outcome.Infeasible}})
	s.wantsAccount(safety.Account{Started: 3, Violations: 1})
	s.tell(3, 1, 0.5)
	s.wantsAccount(safety.Account{Started: 3, Violations: 1})
	if e := s.Evaluations()[2]; !e.Measured || e.Status != Infeasible || e.Reason != "tripped" {
		t.Errorf("%+v", e)
	}
}
