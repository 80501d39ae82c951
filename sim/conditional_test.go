package sim

import (
	"context"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// branches is a problem of 3 + 4·3 + 5 configurations; side by side its parameters would have 4·3·3·5.
func branches(t *testing.T) Problem {
	t.Helper()
	s, err := space.New(
		space.Int("x", 1, 4).When("kind", "b"), space.Categorical("kind", "a", "b", "c"), space.Int("depth", 1, 3).When("kind", "a", "b"),
		space.Float("rate", 0, 1).Stepped(0.25).When("kind", "c"),
	)
	if err != nil {
		t.Fatal(err)
	}
	value := func(x space.Point) float64 {
		sum := 0.3 * x[1]
		for i, v := range x {
			if i != 1 && !math.IsNaN(v) {
				sum += math.Sin(v + float64(i))
			}
		}
		return sum
	}
	return Problem{Name: "branches", Space: s, Value: value, Maximum: 5}
}

// Points that mean the same are the same: without noise every policy goes through all the configurations, none twice, and then
// the study is at its end.
func TestNoConfigurationIsQueriedTwice(t *testing.T) {
	const all = 3 + 12 + 5
	for i, policy := range policies.General() {
		for j, workers := range []int{1, 4} {
			if raced && (i+j)%2 == 1 { // each policy with one of them
				continue
			}
			s := Scenario{
				Problem: branches(t), Policy: parsed(t, policy), Delay: law(t, "fixed:2"), Rounds: 60, Initial: 4, Seed: uint64(i), Workers: workers,
			}
			o, err := Run(context.Background(), s)
			if err != nil {
				t.Fatalf("%s: %v", policy, err)
			}
			seen := map[string]bool{}
			for k, e := range o.Result.Evaluations {
				x := s.Problem.Space.Format(e.Point(s.Problem.Space))
				if seen[x] && k < all {
					t.Errorf("%s, %d workers: query %d is at %s again", policy, workers, e.Number, x)
				}
				seen[x] = true
			}
			// One comes again, to be sure that there is no noise, unless a model is sure already.
			if n := len(o.Result.Evaluations); n < all || n > all+1 || len(seen) != all || o.Result.Reason != loop.ReasonPoints || o.Result.Counters.Fallbacks > 0 {
				t.Errorf("%s, %d workers: %d queries at %d points, %s, %+v", policy, workers, n, len(seen), o.Result.Reason, o.Result.Counters)
			}
		}
	}
}
