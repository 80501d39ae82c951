package tarry_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
)

func TestEveryViolationIsReportedAtOnce(t *testing.T) {
	nan := 0.0
	nan /= nan
	o := tarry.Options{
		Budget: -1, Workers: 5000, Retries: -2, Timeout: -time.Second, Patience: -1, Barrier: -1, Initial: 7, Floor: &nan, Range: -1, Grace: -1,
		Window: tarry.Window{Rounds: -1},
	}
	o.Model.Kernel = "cubic"
	err := o.Validate(unitSpace(t))
	for _, want := range []string{
		"Options.Budget = -1: want 1 ≤ Budget ≤ 100000", "Options.Workers = 5000: want 0 ≤ Workers ≤ 1024", "Options.Retries = -2", "Options.Timeout = -1s",
		"Options.Patience", "Options.Barrier = -1", "Options.Initial = 7", "Options.Floor = NaN", "Options.Range = -1", "Options.Grace", "Options.Window",
		"Options.Model.Kernel = cubic: want one of",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in:\n%v", want, err)
		}
	}
	if !errors.Is(err, tarry.ErrInvalidOption) || strings.Contains(err.Error(), "Config") {
		t.Errorf("error %v", err)
	}
	if _, err := tarry.Maximize(t.Context(), unitSpace(t), func(context.Context, tarry.Query) (float64, error) { return 0, nil }, o); err == nil {
		t.Error("Maximize took them")
	}
	if _, err := tarry.NewStudy(unitSpace(t), o); err == nil {
		t.Error("NewStudy took them")
	}
	if err := (tarry.Options{Budget: 10}).Validate(unitSpace(t)); err != nil {
		t.Errorf("a budget is enough: %v", err)
	}
}

func TestWhatIsNoStudy(t *testing.T) {
	f := func(context.Context, tarry.Query) (float64, error) { return 0, nil }
	if _, err := tarry.Maximize(t.Context(), tarry.Space{}, f, tarry.Options{Budget: 5}); err == nil || !strings.Contains(err.Error(), "Space = empty: want a space made by NewSpace or NewList") {
		t.Errorf("without a space: %v", err)
	}
	if _, err := tarry.Maximize(t.Context(), unitSpace(t), nil, tarry.Options{Budget: 5}); !errors.Is(err, tarry.ErrInvalidOption) {
		t.Errorf("without an objective: %v", err)
	}
	if _, err := tarry.ParsePolicy("simulated-annealing"); err == nil || !strings.Contains(err.Error(), "ucb-sdf") {
		t.Errorf("an unknown policy: %v", err)
	}
}

func TestEvaluationIDsSurviveText(t *testing.T) {
	id := tarry.EvaluationID{Evaluation: 12, Attempt: 3}
	text, err := json.Marshal(map[string]any{"id": id})
	if err != nil || string(text) != `{"id":"12.3"}` {
		t.Errorf("%s, %v", text, err)
	}
	var back struct{ ID tarry.EvaluationID }
	if err := json.Unmarshal(text, &back); err != nil || back.ID != id {
		t.Errorf("%v, %v", back, err)
	}
	for _, bad := range []string{"", "12", "12.0", "0.1", "a.b", "1.2.3", "-1.1"} {
		if err := new(tarry.EvaluationID).UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q was read as an evaluation", bad)
		}
	}
}

func TestQueriesAreReadByName(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("f", 0, 1), tarry.LogInt("n", 1, 100), tarry.Categorical("c", "red", "blue"))
	if err != nil {
		t.Fatal(err)
	}
	study, err := tarry.NewStudy(s, tarry.Options{Budget: 3})
	if err != nil {
		t.Fatal(err)
	}
	q := ask(t, study)
	if q.Float("f") != q.X[0] || q.Int("n") != int(q.X[1]) || q.Float("n") != q.X[1] || q.Choice("c") != []string{"red", "blue"}[int(q.X[2])] {
		t.Errorf("query %v of %v", q, q.X)
	}
	for name, read := range map[string]func(){
		`no parameter "g": want one of f, n, c`: func() { q.Float("g") },
		`Query.Int("f")`:                        func() { q.Int("f") },
		`Query.Float("c")`:                      func() { q.Float("c") },
		`Query.Choice("n")`:                     func() { q.Choice("n") },
	} {
		func() {
			defer func() {
				if r, _ := recover().(string); !strings.Contains(r, name) {
					t.Errorf("panic %q does not say %q", r, name)
				}
			}()
			read()
		}()
	}
}

func TestAResultSaysWhatWasFound(t *testing.T) {
	study := newStudy(t, tarry.Options{Budget: 4, Policy: policy(t, "random")})
	for k := range 4 {
		q := ask(t, study)
		err := study.Tell(q.ID, []float64{1, 3, 2, 4}[k])
		if k == 2 {
			err = study.Fail(q.ID, errors.New("too late"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	r := study.Result()
	for _, want := range []string{"best #4 x=", ": 4", "4 evaluations in", "by random: 4 observed", "ended: budget spent"} {
		if !strings.Contains(r.String(), want) {
			t.Errorf("%q is missing in\n%v", want, r)
		}
	}
	var numbers []int
	for _, e := range r.Incumbents() {
		numbers = append(numbers, e.ID.Evaluation)
	}
	if len(numbers) != 3 || numbers[0] != 1 || numbers[1] != 2 || numbers[2] != 4 {
		t.Errorf("incumbents %v", numbers)
	}
}

// Whatever else is wrong with a call, what is wrong with its options is said too.
func TestAWrongCallSaysAlsoWhatIsWrongWithItsOptions(t *testing.T) {
	contextual, err := tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("hour", 0, 24).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	one := func(_ context.Context, _ tarry.Query) (float64, error) { return 1, nil }
	for name, c := range map[string]struct {
		space tarry.Space
		f     tarry.Objective
		o     tarry.Options
		want  []string
	}{
		"no objective":      {unitSpace(t), nil, tarry.Options{Budget: -1, Retries: 101}, []string{"objective"}},
		"the wrong sense":   {unitSpace(t), nil, tarry.Options{Budget: -1, Retries: 101, Minimize: true}, []string{"objective", "Options.Minimize"}},
		"a context":         {contextual, nil, tarry.Options{Budget: -1, Retries: 101}, []string{"objective", `"hour" is a context`}},
		"no space":          {tarry.Space{}, nil, tarry.Options{Budget: -1, Retries: 101}, []string{"objective", "Space = empty"}},
		"constraints alone": {unitSpace(t), one, tarry.Options{Budget: -1, Retries: 101, Constraints: []tarry.Constraint{tarry.AtMost("cost", 3)}}, []string{"Options.Constraints"}},
	} {
		r, err := tarry.Maximize(t.Context(), c.space, c.f, c.o)
		for _, want := range append(c.want, "Options.Budget = -1", "Options.Retries = 101") {
			if r != nil || !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q is missing in %v", name, want, err)
			}
		}
	}
}
