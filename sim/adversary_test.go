package sim

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// adversary has a study of 60 evaluations in hand, for a policy without a model. The first parameter is a context.
func adversary(t *testing.T, m Misfortunes) Adversary {
	t.Helper()
	s := must.Get(space.New(space.Float("load", 0, 1).AsContext(), space.Float("x", -1, 1)))(t)
	policy := must.Get(policies.Parse("random"))(t)
	return Adversary{
		Config:     loop.Config{Space: s, Traits: policy.Traits(), Seed: 5, Budget: 60, Timeout: AdversaryTimeout, Retries: 1},
		Seed:       7,
		Slots:      []int{2, 1},
		Value:      func(_, _ int, x space.Unit) float64 { return x[0] + x[1] },
		Context:    func(n int) space.Point { return []float64{math.Mod(0.37*float64(n), 1)} },
		BadContext: func(int) space.Point { return []float64{math.NaN()} },
		Answer:     func(l *loop.Loop, _ loop.Ask) (loop.Event, error) { return l.Task().Run(policy), nil },
		Fit:        func(f loop.Fit) (loop.Event, error) { return f.Run(), nil },
		Told:       func(int) {},

		Misfortunes: m,
	}
}

// besieged returns a siege that came to its end, with its events.
func besieged(t *testing.T, a Adversary) (*Siege, []journal.Record) {
	t.Helper()
	var store journal.Memory
	s, err := a.Besiege(&store)
	if err == nil {
		err = s.Run(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return s, store.All()
}

var everything = Misfortunes{Fail: .2, Late: .2, Repeat: .2, Contradict: .2, Follow: .2, Stray: .2, Leave: .1, Outside: .2}

func TestAnAdversaryFollowsFromItsSeed(t *testing.T) {
	one, _ := besieged(t, adversary(t, everything))
	two, _ := besieged(t, adversary(t, everything))
	if one.Loop.Digest() != two.Loop.Digest() {
		t.Error("two sieges of one adversary differ")
	}
	a := adversary(t, everything)
	a.Seed++
	if other, _ := besieged(t, a); other.Loop.Digest() == one.Loop.Digest() {
		t.Error("another seed does the same")
	}
}

func TestAStudyStandsEveryMisfortune(t *testing.T) {
	told := 0
	a := adversary(t, everything)
	a.Told = func(n int) { told += n }
	s, _ := besieged(t, a)
	if err := s.Loop.Check(); err != nil {
		t.Error(err)
	}
	if s.Result == nil || s.Result.Reason != loop.ReasonBudget || s.Tells != 60 || told != 60 || s.Loop.Pending() != 0 {
		t.Errorf("%+v, %d tells, told of %d, %d pending", s.Result, s.Tells, told, s.Loop.Pending())
	}
}

// Each misfortune leaves its trace among the events, and without it there is none.
func TestEveryMisfortuneHappens(t *testing.T) {
	count := func(events []journal.Record, is func(e loop.Event) bool) (n int) {
		for _, r := range events {
			if is(r.Event.Event) {
				n++
			}
		}
		return n
	}
	values := map[[2]int]int{} // of the events of one siege
	twice := func(e loop.Event) bool {
		f, value := e.(loop.FeedbackArrived)
		if !value {
			return false
		}
		which := [2]int{f.Evaluation, f.Attempt}
		values[which]++
		return values[which] > 1
	}
	for name, c := range map[string]struct {
		m     Misfortunes
		trace func(e loop.Event) bool
	}{
		"fail":   {Misfortunes{Fail: .5}, func(e loop.Event) bool { _, is := e.(loop.EvaluationFailed); return is }},
		"follow": {Misfortunes{Follow: .5}, func(e loop.Event) bool { _, is := e.(loop.AnswerFollows); return is }},
		"leave":  {Misfortunes{Leave: .5}, func(e loop.Event) bool { _, is := e.(loop.WorkerLeft); return is }},
		"repeat": {Misfortunes{Repeat: .5}, twice},
		"contradict": {Misfortunes{Contradict: 1}, func(e loop.Event) bool {
			f, value := e.(loop.FeedbackArrived)
			return value && (math.IsNaN(f.Value) || math.IsInf(f.Value, 0))
		}},
		"stray": {Misfortunes{Stray: 1}, func(e loop.Event) bool { f, is := e.(loop.FitFailed); return is && f.Reason == "" }},
		"outside": {Misfortunes{Outside: .5}, func(e loop.Event) bool {
			f, context := e.(loop.ContextArrived)
			return context && math.IsNaN(f.Context[0])
		}},
	} {
		_, with := besieged(t, adversary(t, c.m))
		if count(with, c.trace) == 0 {
			t.Errorf("%s: no trace", name)
		}
		clear(values)
		_, without := besieged(t, adversary(t, Misfortunes{}))
		if n := count(without, c.trace); n > 0 {
			t.Errorf("%s: %d traces without it", name, n)
		}
	}
	s, _ := besieged(t, adversary(t, Misfortunes{Late: .5}))
	if s.Loop.Counters().Timeouts == 0 {
		t.Error("no answer was late")
	}
}

func TestASiegeEndsWithTheErrorOfItsAnswers(t *testing.T) {
	a := adversary(t, Misfortunes{})
	broken := errors.New("out of the space")
	a.Answer = func(_ *loop.Loop, ask loop.Ask) (loop.Event, error) {
		if ask.Round == 20 {
			return nil, broken
		}
		return nil, fmt.Errorf("asked for round %d first", ask.Round)
	}
	a.Config.Initial = 19
	s := must.Get(a.Besiege(nil))(t)
	if err := s.Run(t.Context()); !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "round 20: ") {
		t.Error(err)
	}
	a.Config.Budget = 0
	if _, err := a.Besiege(nil); err == nil || !strings.HasPrefix(err.Error(), "configuration: ") {
		t.Error(err)
	}
}
