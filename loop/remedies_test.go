package loop

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

func smallSpace(t *testing.T, parameters ...space.Parameter) space.Space {
	t.Helper()
	s, err := space.New(parameters...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What the kernel would refuse in the middle of a study is refused at its beginning.
func TestHyperparametersThatTheKernelRefusesAreRefusedAtOnce(t *testing.T) {
	for _, hyper := range [][]float64{{1e-10, 1}, {1, 1e101}, {1e10, 1}} {
		c := Config{
			Space: smallSpace(t, space.Float("x", 0, 1)), Budget: 8, Traits: policies.Traits{Name: "gp-ucb", Model: true},
			Model: Model{Kernel: "se", Hyper: hyper, Noise: 1e-4},
		}
		err := c.Validate()
		if !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(fmt.Sprint(err), "Config.Model.Hyper") {
			t.Errorf("%v: %v", hyper, err)
		}
	}
}

// A discrete space of few combinations is the pool of its posterior, so that a choice costs no prediction.
func TestFewCombinationsAreThePool(t *testing.T) {
	policy, err := policies.Parse("gp-bucb")
	if err != nil {
		t.Fatal(err)
	}
	s := smallSpace(t, space.Int("n", 1, 20), space.Categorical("kind", "a", "b", "c"))
	l, err := New(Config{Space: s, Traits: policy.Traits(), Budget: 30, Initial: 5})
	if err != nil {
		t.Fatal(err)
	}
	queue := []Event{WorkerJoined{Worker: 1, Slots: 1}}
	for seq := uint64(1); len(queue) > 0; seq++ {
		reaction, err := l.Step(Stamped{Seq: seq, Event: queue[0]})
		if err != nil {
			t.Fatal(err)
		}
		queue = queue[1:]
		for _, e := range reaction.Effects {
			switch e := e.(type) {
			case Ask:
				if pool := l.View().Posterior.Pool(); pool == nil || pool.Len() != 60 {
					t.Fatalf("pool %v", pool)
				}
				queue = append(queue, l.Task().Run(policy))
			case Fit:
				queue = append(queue, e.Run())
			case Dispatch:
				queue = append(queue, FeedbackArrived{Evaluation: e.Evaluation, Attempt: e.Attempt, Outcome: outcome.Of(-(e.X[0]-13)*(e.X[0]-13) - e.X[1])})
			}
		}
	}
	if best := l.Result().Best; !slices.Equal(s.Value(best.X), []float64{13, 0}) {
		t.Errorf("found %v", s.Value(best.X))
	}
}

// A model that believes in tiny values and is told huge ones is given noise until its weights are finite, and that is counted.
func TestWeightsBeyondAllBoundsAreCalmed(t *testing.T) {
	policy, err := policies.Parse("gp-bucb")
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(Config{
		Space: smallSpace(t, space.Float("x", 0, 1)), Traits: policy.Traits(), Budget: 14, Initial: 4,
		Model: Model{Kernel: "se", Hyper: []float64{0.5, 1e-99}, Noise: 1e-104},
	})
	if err != nil {
		t.Fatal(err)
	}
	queue := []Event{WorkerJoined{Worker: 1, Slots: 2}}
	for seq := uint64(1); len(queue) > 0; seq++ {
		reaction, err := l.Step(Stamped{Seq: seq, Event: queue[0]})
		if err != nil {
			t.Fatal(err)
		}
		queue = queue[1:]
		for _, e := range reaction.Effects {
			switch e := e.(type) {
			case Ask:
				if p := l.View().Posterior; !p.Usable() {
					t.Error("the policy was shown weights without bounds")
				}
				queue = append(queue, l.Task().Run(policy))
			case Dispatch:
				value := 1e200 // beyond what the model is told, which is cut off at 1e100
				if e.Evaluation%3 == 0 {
					value = -1e200
				}
				queue = append(queue, FeedbackArrived{Evaluation: e.Evaluation, Attempt: e.Attempt, Outcome: outcome.Of(value)})
			}
		}
	}
	c := l.Result().Counters
	if c.Raised != 10 || c.Fallbacks != 0 {
		t.Errorf("%+v, want ten queries with raised noise and none that fell back", c)
	}
}
