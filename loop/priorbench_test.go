package loop

import (
	"fmt"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// BenchmarkSuggestionUnderAPrior is one answer in and the next query out, with eight queries pending in six dimensions, without a prior and with one that was
// learned of 20 studies of 60 values, under which a study stays.
func BenchmarkSuggestionUnderAPrior(b *testing.B) {
	var axes []space.Parameter
	for j := range 6 {
		axes = append(axes, space.Float(fmt.Sprintf("x%d", j), 0, 1))
	}
	where := must.Get(space.New(axes...))(b)
	prior := phases(b, where)
	for _, policy := range []string{"gp-bucb", "log-ei", "gp-bts"} {
		for name, p := range map[string]*Prior{"without": nil, "prior": prior} {
			b.Run(fmt.Sprintf("%s/n=200/%s", policy, name), func(b *testing.B) {
				s := begun(b, policy, 200, Config{Space: where, Budget: MaxBudget, Initial: 1, FitBeside: true, Prior: p})
				s.next()
				if s.loop.Believed() != (p != nil) {
					b.Fatal("the study does not stay under the prior")
				}
				b.ReportAllocs()
				b.ResetTimer()
				for b.Loop() {
					s.next()
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms/suggestion")
			})
		}
	}
}

// phases is a prior of sums of sines whose phases differ a little.
func phases(b *testing.B, where space.Space) *Prior {
	b.Helper()
	var past []Past
	for k := range 20 {
		stream := rng.New(6, rng.Test, uint64(k))
		p := Past{Name: fmt.Sprint(k), Space: where}
		shift := 0.05 * stream.NormFloat64()
		for range 60 {
			x := where.Value(where.Random(stream))
			value := 0.02 * stream.NormFloat64()
			for j, v := range x {
				value += math.Sin(3*v + float64(j) + shift)
			}
			p.Points, p.Values = append(p.Points, x), append(p.Values, value)
		}
		past = append(past, p)
	}
	lesson, _, err := NewPriorLesson(where, false, PriorSettings{Folds: -1}, past...)
	if err == nil {
		err = lesson.Learn(0, func(int, float64) bool { return true })
	}
	if err != nil {
		b.Fatal(err)
	}
	return must.Get(lesson.Prior())(b)
}
