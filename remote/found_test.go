package remote

import (
	"reflect"
	"testing"

	"github.com/tarry-bo/tarry/outcome"
)

// That an earlier attempt had left an answer is known to the study also where a worker elsewhere found it.
func TestWhatWasFoundElsewhereIsKnownToBe(t *testing.T) {
	for _, a := range []outcome.Answer{
		{Evaluation: 3, Attempt: 2, Outcome: outcome.Of(7), Found: true},
		{Evaluation: 3, Attempt: 2, Failure: outcome.Failure{Reason: "no", Verdict: outcome.Infeasible}, Found: true},
		{Evaluation: 3, Attempt: 2, Outcome: outcome.Of(7)},
	} {
		var m resultMessage
		if err := decode(encode(message(id{"s", a.Evaluation, a.Attempt, ""}, a, nil)), &m); err != nil {
			t.Fatal(err)
		}
		if got := m.answer(); !reflect.DeepEqual(got, a) {
			t.Errorf("%+v arrives as %+v", a, got)
		}
	}
}
