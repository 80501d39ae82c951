package actors

import (
	"context"
	"fmt"
	"testing"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/workers"
)

// BenchmarkEvaluations is how many evaluations a second the engine handles when neither policy nor objective takes any
// time to speak of.
func BenchmarkEvaluations(b *testing.B) {
	for _, n := range []int{1, 64, 1000} {
		b.Run(fmt.Sprintf("workers=%d", n), func(b *testing.B) {
			for b.Loop() {
				runStudy(b, "random", n, 50_000)
			}
			b.ReportMetric(50_000*float64(b.N)/b.Elapsed().Seconds(), "evaluations/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func runStudy(tb testing.TB, policy string, workersWanted, budget int) Ended {
	p, err := policies.Parse(policy)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := space.New(space.Float("x", 0, 1), space.Float("y", 0, 1))
	if err != nil {
		tb.Fatal(err)
	}
	e, err := Start(context.Background(), Config{
		Study:     loop.Config{Space: s, Budget: budget, Initial: 1, FitBeside: true},
		Policy:    p,
		Objective: func(_ context.Context, t workers.Task) (float64, error) { return t.X[0] - t.X[1], nil },
		Workers:   workersWanted,
	})
	if err != nil {
		tb.Fatal(err)
	}
	end := e.Wait()
	if end.Err != nil || end.Result.Best == nil || len(end.Result.Evaluations) != budget {
		tb.Fatalf("%d evaluations, %v", len(end.Result.Evaluations), end.Err)
	}
	return end
}
