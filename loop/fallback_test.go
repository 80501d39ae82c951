package loop

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
)

// A point in place of a policy that failed is that of 64 random ones whose nearest query is farthest away, at the context.
func TestAFallbackIsTheFarthestOfItsCandidates(t *testing.T) {
	t.Parallel()
	for i, where := range []string{"box", "list", "context"} {
		c := storyConfig(t, where, feedback.Hallucinate)
		s := newStory(t, c, uint64(20+i), 6)
		s.blind = true
		for n := range 30 {
			s.until(3 * n)
			context := s.loop.plan.contexts
			queries := slices.Clone(s.loop.Evaluations())
			ask := s.ask
			s.ask = Ask{}
			s.asks++
			s.step(ProposeFailed{Ask: ask.ID})
			got := s.loop.Evaluations()[len(queries)].X

			stream := rng.New(c.Seed, rng.Fallback, uint64(len(queries)+1))
			var want []float64
			farthest := math.Inf(-1)
			for range 64 {
				x := c.Space.Random(stream)
				for j, k := range c.Space.Contexts() {
					x[k] = c.Space.Parameter(k).Unit(context[0][j])
				}
				least := math.Inf(1)
				for _, q := range queries {
					var sum float64
					for j := range x {
						sum += (x[j] - q.X[j]) * (x[j] - q.X[j])
					}
					least = min(least, sum)
				}
				if least > farthest {
					want, farthest = x, least
				}
			}
			if !slices.Equal(got, want) || c.Space.ContainsUnit(got) != nil {
				t.Fatalf("%s, query %d: %v, want %v", where, len(queries)+1, got, want)
			}
			if where == "list" && len(queries) < 15 && slices.ContainsFunc(queries, func(e Evaluation) bool { return slices.Equal(e.X, got) }) {
				t.Fatalf("query %d is at %v again", len(queries)+1, got)
			}
		}
		if got := s.loop.Counters().Fallbacks; got != 30 {
			t.Errorf("%s: %d fallbacks", where, got)
		}
	}
}
