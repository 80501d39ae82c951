package sim

import (
	"context"
	"testing"
)

// One study of 300 rounds on 1000 points with known hyperparameters, as a user would run it.
func BenchmarkStudyOnAList(b *testing.B) {
	for _, policy := range []string{"random", "gp-ucb", "gp-bucb", "ucb-sdf", "asy-ts", "gp-bts", "ts-sdf"} {
		b.Run(policy, func(b *testing.B) { benchmark(b, scenario(b, "gp1d", policy, "poisson:10", 300)) })
	}
}

// One study of 95 rounds in six dimensions with hyperparameters that are learned.
func BenchmarkStudyInABox(b *testing.B) {
	for _, policy := range []string{"random", "gp-bucb", "ucb-sdf", "gp-bts"} {
		b.Run(policy, func(b *testing.B) { benchmark(b, scenario(b, "hartmann6", policy, "poisson:10", 95)) })
	}
}

func benchmark(b *testing.B, s Scenario) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Run(context.Background(), s); err != nil {
			b.Fatal(err)
		}
	}
}
