package loop

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// BenchmarkSuggestionAmongLost is a suggestion in a study that lost a share of its answers, at random.
func BenchmarkSuggestionAmongLost(b *testing.B) {
	for _, spec := range []string{"gp-bucb", "auto"} {
		for _, n := range large(200, 2000) {
			for _, lost := range []float64{0, 0.1, 0.3, 0.5} {
				b.Run(fmt.Sprintf("%s/n=%d/lost=%v", spec, n, lost), func(b *testing.B) {
					suggestAmong(b, spec, n, func(s *suggestions) { s.lost = lost })
				})
			}
		}
	}
}

// BenchmarkSuggestionAmongSilent is a suggestion in a study of whose queries a share, at random, is never heard of: they pend among the answers.
func BenchmarkSuggestionAmongSilent(b *testing.B) {
	for _, spec := range []string{"gp-bucb", "auto"} {
		for _, n := range large(200, 1000, 2000) {
			for _, silent := range []float64{0, 0.1} {
				b.Run(fmt.Sprintf("%s/n=%d/silent=%v", spec, n, silent), func(b *testing.B) {
					suggestAmong(b, spec, n, func(s *suggestions) { s.silent = silent }, func(c *Config) { c.Pending = MaxBudget })
				})
			}
		}
	}
}

// suggestAmong measures suggestions after n queries of an initial design, what becomes of whose answers is set.
func suggestAmong(b *testing.B, spec string, n int, set func(*suggestions), change ...func(*Config)) {
	s := newSuggestions(b, spec, 0, n+pendingQueries, change...)
	for set(s); len(s.loop.Evaluations()) < n+pendingQueries; s.answer() {
	}
	s.next()
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		s.next()
	}
}

// BenchmarkSuggestionThatForgets is a suggestion in a study that makes something of what it learns of the delays, beside one that does not: the studies take
// turns, and the ratios are the medians of those of a turn. Nothing is lost, or one query of ten is never heard of.
func BenchmarkSuggestionThatForgets(b *testing.B) {
	for _, spec := range []string{"gp-bucb", "auto"} {
		for _, n := range large(200, 1000) {
			for _, silent := range []float64{0, 0.1} {
				b.Run(fmt.Sprintf("%s/n=%d/silent=%v", spec, n, silent), func(b *testing.B) { inTurns(b, spec, n, silent) })
			}
		}
	}
}

// inTurns measures studies that take turns.
func inTurns(b *testing.B, spec string, n int, silent float64) {
	names := []string{"without", "without/again", "forgets", "weighs"}
	changes := []func(*Config){func(*Config) {}, func(*Config) {}, func(c *Config) { c.Forget, c.GiveUp = 0.05, 0.01 }, func(c *Config) { c.WeighPending = true }}
	studies, took := make([]*suggestions, len(changes)), make([][]float64, len(changes))
	for i, change := range changes {
		s := newSuggestions(b, spec, 0, n+pendingQueries, func(c *Config) { c.Pending = MaxBudget }, change)
		for s.silent = silent; len(s.loop.Evaluations()) < n+pendingQueries; s.answer() {
		}
		s.next()
		studies[i] = s
	}
	b.ResetTimer()
	for b.Loop() {
		for i, s := range studies {
			at := time.Now()
			s.next()
			took[i] = append(took[i], time.Since(at).Seconds())
		}
	}
	for i, name := range names[1:] {
		var ratios []float64
		for turn, t := range took[i+1] {
			ratios = append(ratios, t/took[0][turn])
		}
		slices.Sort(ratios)
		b.ReportMetric(ratios[len(ratios)/2], name+"/ratio")
	}
}
