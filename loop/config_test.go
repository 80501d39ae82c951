package loop

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

func valid(t *testing.T) Config {
	t.Helper()
	s, err := space.New(space.Float("x", 0, 1), space.Categorical("c", "a", "b"))
	if err != nil {
		t.Fatal(err)
	}
	return Config{Space: s, Budget: 20, Traits: policies.Traits{Name: "gp-bucb", Model: true, Pending: feedback.Hallucinate}}
}

func TestEveryViolationIsReportedAtOnce(t *testing.T) {
	c := valid(t)
	nan := math.NaN()
	c.Budget, c.Initial, c.Design, c.Window, c.Floor, c.Range = -1, -2, 9, feedback.Window{Rounds: -3}, &nan, math.Inf(1)
	c.Barrier, c.Timeout, c.Patience, c.Retries, c.Model = -4, -5, -6, -7, Model{Kernel: "se", Hyper: []float64{1}, Noise: -8}
	err := c.Validate()
	if !errors.Is(err, check.ErrInvalidOption) {
		t.Fatalf("error %v", err)
	}
	for _, want := range []string{
		"Config.Budget = -1: want 1 ≤ Budget ≤ 100000", "Config.Initial = -2", "Config.Design = 9", "Config.Window.Rounds = -3", "Config.Floor = NaN",
		"Config.Range = +Inf", "Config.Barrier = -4", "Config.Timeout = -5ns", "Config.Patience = -6ns", "Config.Retries = -7", "Config.Model.Noise = -8", "Config.Model.Hyper = [1]",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in\n%v", want, err)
		}
	}
	if _, err := New(Config{}); err == nil || !strings.Contains(err.Error(), "Config.Space") {
		t.Errorf("an empty configuration: %v", err)
	}
}

func TestImpossibleModels(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"Config.Model.Kernel = cubic":                        func(c *Config) { c.Model.Kernel = "cubic" },
		"with Hyper, and 0 without":                          func(c *Config) { c.Model.Noise = 1 },
		"[1 1 -1]: want a finite number > 0 for outputscale": func(c *Config) { c.Model = Model{Kernel: "se", Hyper: []float64{1, 1, -1}, Noise: 1} },
		"a Floor from which the range is measured":           func(c *Config) { c.Range = 1 },
		"a window to be strict about":                        func(c *Config) { c.Window.Strict = true },
		`Config.Traits = "gp-bucb" (model true, pending censor, draws false, adapts false, widens false, fidelities false, barrier 0): want those of the policy of that name`: func(c *Config) {
			c.Traits = policies.Traits{Name: "gp-bucb", Model: true, Pending: feedback.Censor}
		},
		"Config.Initial = 21: want 0 ≤ Initial ≤ Budget": func(c *Config) { c.Initial = 21 },
	} {
		c := valid(t)
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
}

func TestDefaults(t *testing.T) {
	c := valid(t)
	c.Traits.Name, c.Traits.Barrier = "of my own", 3
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Config(); got.Initial != 5 || got.Barrier != 3 {
		t.Errorf("initial %d, barrier %d", got.Initial, got.Barrier)
	}
	c.Budget = 1
	if l, err = New(c); err != nil || l.Config().Initial != 1 {
		t.Errorf("budget 1: %v", err)
	}
}

func TestABrokenContractEndsTheLoop(t *testing.T) {
	l, err := New(valid(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Step(Stamped{Seq: 2, Event: Woke{}}); !errors.Is(err, ErrBrokenContract) {
		t.Errorf("a gap in the sequence: %v", err)
	}
	if _, err := l.Step(Stamped{Seq: 1, Event: Woke{}}); !errors.Is(err, ErrBrokenContract) {
		t.Error("the loop went on")
	}
	l, _ = New(valid(t))
	if _, err := l.Step(Stamped{Seq: 1}); !errors.Is(err, ErrBrokenContract) {
		t.Error("an event without content was accepted")
	}
}

func TestClockThatGoesBackwardsStandsStill(t *testing.T) {
	l, _ := New(valid(t))
	for i, at := range []int64{5, 3, 9} {
		if _, err := l.Step(Stamped{Seq: uint64(i + 1), At: 1000 * 1000 * 1000 * 1, Event: Woke{}}); err != nil {
			t.Fatal(err, at)
		}
	}
	if _, err := l.Step(Stamped{Seq: 4, At: 1, Event: WorkerJoined{Worker: 1, Slots: 1}}); err != nil {
		t.Fatal(err)
	}
	if at := l.Evaluations()[0].At; at != 1000*1000*1000 {
		t.Errorf("evaluation chosen at %v", at)
	}
}

// Every pair of statuses: what is not listed as legal panics.
func TestTransitionsExhaustively(t *testing.T) {
	for from := Pending; from <= Cancelled; from++ {
		for to := Pending; to <= Cancelled; to++ {
			want := (from == Pending && to != Pending) || (to == Late && from > Late)
			e := Evaluation{Status: from}
			func() {
				defer func() {
					if panicked := recover() != nil; panicked == want {
						t.Errorf("%v → %v: panicked %v", from, to, panicked)
					}
				}()
				e.become(to, 0)
			}()
		}
	}
	if Status(99).String() != "Status(99)" || TimedOut.String() != "timed out" {
		t.Error("names of statuses")
	}
}

func TestLimitsHold(t *testing.T) {
	c := valid(t)
	s, err := space.New(space.Float("x", 0, 1), space.Float("z", 0, 1).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	c.Space = s
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	seq := uint64(0)
	step := func(e Event) {
		t.Helper()
		seq++
		if _, err := l.Step(Stamped{Seq: seq, Event: e}); err != nil {
			t.Fatal(err)
		}
	}
	for range MaxContexts + 3 {
		step(ContextArrived{[]float64{.5}})
	}
	if got := l.Counters().Dropped; got != 3 {
		t.Errorf("%d contexts dropped, want 3", got)
	}
	c = valid(t)
	l, _ = New(c)
	seq = 0
	for k := range MaxWorkers + 2 {
		step(WorkerJoined{Worker: k, Slots: 1})
	}
	if got := l.Counters().Dropped; got != 2 {
		t.Errorf("%d workers dropped, want 2", got)
	}
	step(ProposeFailed{Ask: 1, Reason: strings.Repeat("x", 10_000)})
	step(EvaluationFailed{Evaluation: 1, Attempt: 1, Failure: outcome.Failure{Reason: strings.Repeat("x", 10_000)}})
	if got := len(l.Evaluations()[0].Reason); got != maxReason {
		t.Errorf("a reason of %d bytes was kept", got)
	}
}

func TestPolicyThatPanicsHasFailed(t *testing.T) {
	e := Propose(Ask{ID: 4, Count: 1}, policies.View{}, nil, 1)
	if f, ok := e.(ProposeFailed); !ok || f.Ask != 4 || !strings.Contains(f.Reason, "panicked") {
		t.Errorf("%+v", e)
	}
}

func TestTheInitialDesignIsOfAsManyPointsAsTheDimensionsWantWithinBounds(t *testing.T) {
	floats := func(d int) []space.Parameter {
		parameters := []space.Parameter{space.Float("fixed", 2, 2)}
		for j := range d {
			parameters = append(parameters, space.Float(string(rune('A'+j)), 0, 1))
		}
		return parameters
	}
	for _, c := range []struct {
		parameters          []space.Parameter
		budget, want, adapt int
	}{
		{floats(1), 100, 3, 5}, {floats(4), 100, 9, 5}, {floats(6), 100, 13, 5}, {floats(8), 100, 17, 5}, {floats(9), 100, 18, 5},
		{floats(30), 100, 18, 5}, {floats(30), 20, 10, 5}, {floats(2), 12, 5, 4}, {floats(2), 32, 5, 5}, {floats(2), 1, 1, 1},
		{[]space.Parameter{space.Int("n", 1, 40)}, 100, 3, 4}, {[]space.Parameter{space.Bool("b")}, 100, 3, 1},
	} {
		config := Config{Space: smallSpace(t, c.parameters...), Budget: c.budget}
		plain := config.withDefaults().Initial
		config.Traits.Adapts = true
		if adapts := config.withDefaults().Initial; plain != c.want || adapts != c.adapt {
			t.Errorf("%v, budget %d: %d points, %d where fits choose, want %d and %d", c.parameters, c.budget, plain, adapts, c.want, c.adapt)
		}
	}
}
