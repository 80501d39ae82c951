package loop

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// The point of a lost evaluation is not queried a second time when its outcome comes before its turn.
func TestALostPointWhoseOutcomeCameIsNotQueriedAgain(t *testing.T) {
	for name, event := range map[string]Event{
		"value":      FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(3)},
		"infeasible": EvaluationFailed{Evaluation: 1, Attempt: 1, Failure: outcome.Failure{Verdict: outcome.Infeasible}},
		"no value":   FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Outcome{Value: math.NaN(), Infeasible: true}},
	} {
		square, err := space.New(space.Float("x", 0, 1), space.Float("y", 0, 1))
		if err != nil {
			t.Fatal(err)
		}
		d := drive(t, Config{Space: square, Budget: 9, Initial: 9, Lease: time.Minute})
		d.step(0, WorkerJoined{Worker: 1, Slots: 2})
		x := slices.Clone(d.l.Evaluations()[0].X)
		d.step(0, AnswerFollows{Evaluation: 1, Attempt: 1, Retire: true})
		d.step(2*time.Minute, Woke{}) // evaluation 1 is lost, and no slot is free
		d.step(2*time.Minute, event)
		d.step(3*time.Minute, FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(1)})
		if n := len(d.l.Evaluations()); n != 3 {
			t.Fatalf("%s: %d evaluations", name, n)
		}
		if slices.Equal(d.l.Evaluations()[2].X, x) {
			t.Errorf("%s: the point is queried again", name)
		}
	}
}
