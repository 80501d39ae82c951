package policies_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Greedy goes where the posterior mean is greatest. Two lines are all that is its own.
type Greedy struct{}

func (Greedy) Traits() policies.Traits {
	return policies.Traits{Name: "greedy", Model: true, Pending: feedback.Hallucinate}
}

func (Greedy) Propose(view policies.View, count int, stream *rand.Rand) ([]policies.Proposal, error) {
	return policies.Sequential(view, count, feedback.Hallucinate, func(v policies.View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			return v.Random(stream, avoid)
		}
		return v.Maximize(acquisition.At{Posterior: v.Posterior, Utility: acquisition.UpperConfidenceBound{Beta: 0}}, avoid, stream)
	}), nil
}

// A policy of one's own in a study of one parameter with two answers, of which the second was better.
func Example() {
	line, err := space.New(space.Float("x", 0, 1))
	if err != nil {
		panic(err)
	}
	prior, err := surrogate.DefaultPrior("matern52", 1)
	if err != nil {
		panic(err)
	}
	x := []space.Unit{{0.2}, {1}}
	posterior, err := prior.Condition(x, []float64{-1, 1}, nil)
	if err != nil {
		panic(err)
	}
	view := policies.View{
		Belief: model.Belief{Posterior: posterior, Rows: []int{1, 2}, Units: feedback.Units{Scale: 1}, Best: 1, Incumbent: x[1]},
		Round:  3, Space: line,
		Queries: []policies.Query{{Number: 1, X: x[0]}, {Number: 2, X: x[1]}},
	}
	var policy policies.Policy = Greedy{}
	proposals, err := policy.Propose(view, 1, rand.New(rand.NewPCG(1, uint64(view.Round))))
	fmt.Println(line.Value(proposals[0].X), err)
	// Output: [1] <nil>
}
