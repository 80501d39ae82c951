package asktell_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// A cost with which the sum of all would be beyond all numbers is refused, and the query stays open.
func TestTheSumOfCostsStaysFinite(t *testing.T) {
	s := server(t, trainingSpace(t), tarry.Options{Budget: 6, Pending: 6, Seed: 1})
	answers := serve(t, s,
		`{"op":"ask","n":3}`,
		`{"op":"tell","id":1,"value":1,"cost":1e308}`,
		`{"op":"tell","id":1,"value":1,"cost":1e308}`,
		`{"op":"tell","id":2,"value":2,"cost":1e308}`,
		`{"op":"state"}`,
		`{"op":"tell","id":2,"value":2,"cost":1e300}`,
	)
	if want := `{"error":"cost = 1e308: want a finite number ≥ 0 with a finite sum of all costs, which is 1e+308","line":4}`; answers[3] != want {
		t.Errorf("%s, want %s", answers[3], want)
	}
	for i, want := range map[int]string{1: `{"ok":true}`, 2: `{"ok":true,"repeated":true}`, 5: `{"ok":true}`} {
		if answers[i] != want {
			t.Errorf("%s, want %s", answers[i], want)
		}
	}
	if !strings.Contains(answers[4], `"cost":1e+308`) || !strings.Contains(answers[4], `"observed":1`) {
		t.Error(answers[4])
	}
}

// What an evaluation was expected to cost, and what those are that pend, says nothing against what it did cost.
func TestACostIsNotHeldAgainstWhatIsExpected(t *testing.T) {
	dear := must.Get(tarry.NewSpace(tarry.Float("lr", 0, 1), tarry.Ordered("epochs", 1, 3).AsFidelity(5e307, 1.2e308)))(t)
	s := server(t, dear, tarry.Options{Budget: 6, Pending: 6, Seed: 1, Policy: random(t)})
	answers := serve(t, s,
		`{"op":"enqueue","x":{"lr":0.1,"epochs":3}}`,
		`{"op":"enqueue","x":{"lr":0.2,"epochs":3}}`,
		`{"op":"enqueue","x":{"lr":0.3,"epochs":3}}`,
		`{"op":"ask","n":3}`,
		`{"op":"tell","id":1,"value":1,"cost":1e308}`,
		`{"op":"tell","id":2,"value":1,"cost":1.5e308}`,
		`{"op":"tell","id":2,"value":1,"cost":5e307}`,
		`{"op":"tell","id":3,"value":1,"cost":5e307}`,
	)
	for i, want := range map[int]string{
		4: `{"ok":true}`,
		5: `{"error":"cost = 1.5e308: want a finite number ≥ 0 with a finite sum of all costs, which is 1e+308","line":6}`,
		6: `{"ok":true}`,
		7: `{"error":"cost = 5e307: want a finite number ≥ 0 with a finite sum of all costs, which is 1.5e+308","line":8}`,
	} {
		if answers[i] != want {
			t.Errorf("%s, want %s", answers[i], want)
		}
	}
}

// A study may have such costs all the same, from elsewhere: every answer is JSON.
func TestASumOfCostsBeyondAllNumbersIsNull(t *testing.T) {
	s := server(t, trainingSpace(t), tarry.Options{Budget: 6, Pending: 6, Seed: 1})
	serve(t, s, `{"op":"ask","n":2}`)
	for number := 1; number <= 2; number++ {
		_, kept, err := s.Study.AnswerAhead(loop.Answered(outcome.Answer{Evaluation: number, Attempt: 1, Outcome: outcome.Outcome{Value: 1, Cost: 1e308}}, true))
		if err != nil || kept.Wait() != nil {
			t.Fatal(err)
		}
	}
	answer := serve(t, s, `{"op":"state"}`)[0]
	if !json.Valid([]byte(answer)) || !strings.Contains(answer, `"cost":null`) {
		t.Error(answer)
	}
}

// Whoever repeats an answer may name the cost that its query had, and which the study counts where nobody said another.
func TestTheCostOfAFidelityMayBeRepeated(t *testing.T) {
	s := server(t, must.Get(tarry.NewSpace(tarry.Float("lr", 0, 1), tarry.Ordered("epochs", 1, 3).AsFidelity(1, 3)))(t), tarry.Options{Budget: 6, Pending: 6, Seed: 1, Policy: random(t)})
	answers := serve(t, s,
		`{"op":"ask"}`,
		`{"op":"tell","id":1,"value":1}`,
		`{"op":"tell","id":1,"value":1,"cost":3}`,
		`{"op":"tell","id":1,"value":1,"cost":2}`,
		`{"op":"state"}`,
	)
	for i, want := range []string{`"cost":3`, `{"ok":true}`, `{"ok":true,"repeated":true}`, `{"error":"evaluation 1 has cost 3, now 2: the first stands","line":4}`, `"cost":3,`} {
		if !strings.Contains(answers[i], want) {
			t.Errorf("%s, want %s", answers[i], want)
		}
	}
}

// A value that is told again with another cost is no repetition; one without a cost says nothing else.
func TestTheFirstCostStands(t *testing.T) {
	s := server(t, exampleSpace(t), tarry.Options{Budget: 6, Pending: 6, Seed: 1, Policy: random(t)})
	answers := serve(t, s,
		`{"op":"ask","n":2}`,
		`{"op":"tell","id":1,"value":1,"cost":5}`,
		`{"op":"tell","id":1,"value":1,"cost":7}`,
		`{"op":"tell","id":1,"value":1,"cost":5}`,
		`{"op":"tell","id":1,"value":1}`,
		`{"op":"tell","id":2,"value":1}`,
		`{"op":"tell","id":2,"value":1,"cost":7}`,
	)
	for i, want := range []string{
		`{"ok":true}`,
		`{"error":"evaluation 1 has cost 5, now 7: the first stands","line":3}`,
		`{"ok":true,"repeated":true}`,
		`{"ok":true,"repeated":true}`,
		`{"ok":true}`,
		`{"error":"evaluation 2 has cost 0, now 7: the first stands","line":7}`,
	} {
		if answers[i+1] != want {
			t.Errorf("%s, want %s", answers[i+1], want)
		}
	}
}
