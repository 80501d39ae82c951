package loop_test

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// A driver with one worker that answers at once.
func Example() {
	f := func(x space.Point) float64 { return -math.Pow(math.Log10(x[0])+2, 2) - math.Pow(x[1]-5, 2)/10 }

	s, _ := space.New(space.LogFloat("rate", 1e-5, 1), space.Int("layers", 1, 8))
	policy, _ := policies.Parse("gp-bucb")
	l, err := loop.New(loop.Config{Space: s, Traits: policy.Traits(), Budget: 40, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	queue := []loop.Event{loop.WorkerJoined{Worker: 1, Slots: 1}}
	for seq := uint64(1); len(queue) > 0; seq++ {
		reaction, err := l.Step(loop.Stamped{Seq: seq, Event: queue[0]})
		if err != nil {
			fmt.Println(err)
			return
		}
		queue = queue[1:]
		for _, e := range reaction.Effects {
			switch e := e.(type) {
			case loop.Ask: // which point next?
				queue = append(queue, l.Task().Run(policy))
			case loop.Fit: // hyperparameters for the answers so far
				queue = append(queue, e.Run())
			case loop.Dispatch: // evaluate e.X; the answer may come any time later
				queue = append(queue, loop.FeedbackArrived{Evaluation: e.Evaluation, Attempt: e.Attempt, Outcome: outcome.Of(f(e.X))})
			case loop.Finish:
				x := s.Value(e.Result.Best.X)
				fmt.Printf("rate %.2f, %.0f layers: %.2f\n", x[0], x[1], e.Result.Best.Value)
			}
		}
	}
	// Output: rate 0.01, 5 layers: -0.00
}
