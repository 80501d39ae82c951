package actors

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/workers"
)

// BenchmarkEvaluations is how many evaluations a second the engine handles when neither policy nor objective takes any
// time to speak of.
func BenchmarkEvaluations(b *testing.B) {
	budget := 50_000
	if testing.Short() {
		budget = 5000
	}
	for _, n := range []int{1, 64, 1000} {
		b.Run(fmt.Sprintf("workers=%d", n), func(b *testing.B) {
			config := trivialStudy(b, "random", n, budget)
			for b.Loop() {
				runStudy(b, config)
			}
			b.ReportMetric(float64(budget)*float64(b.N)/b.Elapsed().Seconds(), "evaluations/s")
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(budget*b.N), "µs/evaluation")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkStudySizes is the same with 64 workers for short studies and long ones: an evaluation costs as much in both.
func BenchmarkStudySizes(b *testing.B) {
	for _, budget := range []int{1000, 10_000, loop.MaxBudget} {
		if testing.Short() && budget > 10_000 {
			continue
		}
		b.Run(fmt.Sprintf("evaluations=%d", budget), func(b *testing.B) {
			config := trivialStudy(b, "random", 64, budget)
			for b.Loop() {
				runStudy(b, config)
			}
			b.ReportMetric(float64(budget)*float64(b.N)/b.Elapsed().Seconds(), "evaluations/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkOverhead is what an evaluation costs beside the objective, with one worker: the time inside the policy, and
// the rest. With a model the rest holds the model's own work, a new row and the targets, which is not the engine's.
func BenchmarkOverhead(b *testing.B) {
	for _, c := range []struct {
		policy string
		budget int
	}{{"random", 10_000}, {"gp-bucb", 100}, {"gp-bucb", 300}} {
		b.Run(fmt.Sprintf("policy=%s/n=%d", c.policy, c.budget), func(b *testing.B) {
			config := trivialStudy(b, c.policy, 1, c.budget)
			config.Study.Model = loop.Model{Hyper: []float64{.3, .3, 1}, Noise: 1e-4}
			clock := &timed{Policy: config.Policy}
			config.Policy = clock
			for b.Loop() {
				runStudy(b, config)
			}
			n := float64(b.N * c.budget)
			b.ReportMetric(float64(clock.spent.Microseconds())/n, "policy-µs/evaluation")
			b.ReportMetric(float64((b.Elapsed()-clock.spent).Microseconds())/n, "rest-µs/evaluation")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// timed is a policy that measures how long it thinks. There is one thought at a time.
type timed struct {
	policies.Policy
	spent time.Duration
}

func (p *timed) Propose(v policies.View, count int, stream *rand.Rand) ([]policies.Proposal, error) {
	begin := time.Now()
	defer func() { p.spent += time.Since(begin) }()
	return p.Policy.Propose(v, count, stream)
}

// trivialStudy is a study whose objective takes no time.
func trivialStudy(tb testing.TB, policy string, workersWanted, budget int) Config {
	p, err := policies.Parse(policy)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := space.New(space.Float("x", 0, 1), space.Float("y", 0, 1))
	if err != nil {
		tb.Fatal(err)
	}
	return Config{
		Study:     loop.Config{Space: s, Budget: budget, Initial: 1, FitBeside: true},
		Policy:    p,
		Objective: func(_ context.Context, t workers.Task) (float64, error) { return t.X[0] - t.X[1], nil },
		Workers:   workersWanted,
	}
}

func runStudy(tb testing.TB, c Config) {
	e, err := Start(context.Background(), c)
	if err != nil {
		tb.Fatal(err)
	}
	if end := e.Wait(); end.Err != nil || len(end.Result.Evaluations) != c.Study.Budget {
		tb.Fatalf("%d evaluations, %v", len(end.Result.Evaluations), end.Err)
	}
}
