package loop

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// BenchmarkSuggestion is one answer in and the next query out, with eight queries pending in six dimensions and
// hyperparameters as given.
func BenchmarkSuggestion(b *testing.B) {
	for _, spec := range []string{"gp-bucb", "auto", "log-ei", "gp-bts", "mes", "pes"} {
		for _, n := range large(50, 200, 1000, 2000) {
			b.Run(fmt.Sprintf("%s/n=%d", spec, n), func(b *testing.B) { suggest(b, spec, n, n+pendingQueries) })
		}
	}
}

// BenchmarkSuggestionAlongScales is a suggestion under a kernel of warped coordinates, beside the one that is not.
func BenchmarkSuggestionAlongScales(b *testing.B) {
	for _, kernel := range []string{"matern52", "warped-matern52"} {
		for _, n := range large(100, 1000) {
			b.Run(fmt.Sprintf("%s/n=%d", kernel, n), func(b *testing.B) {
				s := newSuggestions(b, "auto", n, n+pendingQueries, func(c *Config) {
					if c.Model.Kernel = kernel; kernel != "matern52" {
						c.Model.Hyper = append(c.Model.Hyper, slices.Repeat([]float64{100}, c.Space.Dim())...)
					}
				})
				for b.Loop() {
					s.next()
				}
			})
		}
	}
}

// BenchmarkCalibratedSuggestion is the same for policies that learn from the forecasts that they issued: all queries but ten
// are theirs.
func BenchmarkCalibratedSuggestion(b *testing.B) {
	for _, spec := range []string{"log-ei", "locbo", "locbo:of=quantile", "ocbo", "ocbo-l", "calibrated", "cbo"} {
		b.Run(fmt.Sprintf("%s/n=200", spec), func(b *testing.B) { suggest(b, spec, 200, 10) })
	}
}

// large returns the sizes of a benchmark, with -short none of a thousand and more.
func large(sizes ...int) []int {
	if testing.Short() {
		sizes = slices.DeleteFunc(sizes, func(n int) bool { return n >= 1000 })
	}
	return sizes
}

func suggest(b *testing.B, spec string, n, initial int) {
	s := newSuggestions(b, spec, n, initial)
	s.next()
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		s.next()
		if len(s.loop.Evaluations()) > n+n/10+10 { // not too far from what is measured
			b.StopTimer()
			s = newSuggestions(b, spec, n, initial)
			s.next()
			b.StartTimer()
		}
	}
}

// BenchmarkRebuild is the same after new hyperparameters, when the factor is made anew.
func BenchmarkRebuild(b *testing.B) {
	for _, n := range large(200, 1000, 2000) {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			s := newSuggestions(b, "gp-bucb", n, n+pendingQueries)
			state, err := s.loop.Snapshot()
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				b.StopTimer()
				l, err := Restore(s.loop.Config(), state)
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				l.Task().View()
			}
		})
	}
}

// suggestions is a study driven by hand.
type suggestions struct {
	b      *testing.B
	loop   *Loop
	policy policies.Policy
	seq    uint64
	open   []int // evaluations, the oldest first
	asked  bool
	lost   float64 // share of the evaluations that fail,
	silent float64 // and of those that are never heard of
}

const pendingQueries = 8

// newSuggestions is a study with n answers, the first of them of an initial design.
func newSuggestions(b *testing.B, spec string, n, initial int, change ...func(*Config)) *suggestions {
	b.Helper()
	const dim = 6
	parameters := make([]space.Parameter, dim)
	hyper := make([]float64, dim+1)
	for j := range parameters {
		parameters[j] = space.Float(fmt.Sprintf("x%d", j), 0, 1)
		hyper[j] = 0.6
	}
	hyper[dim] = 1
	where, err := space.New(parameters...)
	if err != nil {
		b.Fatal(err)
	}
	policy, err := policies.Parse(spec)
	if err != nil {
		b.Fatal(err)
	}
	c := Config{Space: where, Traits: policy.Traits(), Budget: MaxBudget, Initial: initial, Model: Model{Hyper: hyper, Noise: 1e-4}}
	for _, f := range change {
		f(&c)
	}
	l, err := New(c)
	if err != nil {
		b.Fatal(err)
	}
	s := &suggestions{b: b, loop: l, policy: policy}
	s.step(WorkerJoined{Worker: 1, Slots: pendingQueries})
	for range n {
		s.propose()
		s.answer()
	}
	s.propose()
	return s
}

// step feeds one event and notes what was dispatched.
func (s *suggestions) step(e Event) {
	s.seq++
	reaction, err := s.loop.Step(Stamped{Seq: s.seq, At: time.Duration(s.seq) * time.Second, Event: e})
	if err != nil {
		s.b.Fatal(err)
	}
	for _, effect := range reaction.Effects {
		switch effect := effect.(type) {
		case Dispatch:
			s.open = append(s.open, effect.Evaluation)
		case Ask:
			s.asked = true
		}
	}
}

// answer gives the oldest open evaluation a value.
func (s *suggestions) answer() {
	number := s.open[0]
	s.open = s.open[1:]
	if rng.New(3, rng.Test, uint64(number)).Float64() < s.silent {
		s.step(AnswerFollows{Evaluation: number, Attempt: 1})
		return
	}
	if rng.New(2, rng.Test, uint64(number)).Float64() < s.lost {
		s.step(EvaluationFailed{Evaluation: number, Attempt: 1})
		return
	}
	var sum float64
	for j, v := range s.loop.Evaluations()[number-1].X {
		sum += math.Sin(3*v + float64(j))
	}
	s.step(FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Of(sum + 0.01*rng.New(1, rng.Test, uint64(number)).NormFloat64())})
}

// propose chooses the queries that are wanted.
func (s *suggestions) propose() {
	for s.asked {
		s.asked = false
		s.step(s.loop.Task().Run(s.policy))
	}
}

func (s *suggestions) next() {
	s.answer()
	if !s.asked {
		s.b.Fatal("no query is wanted")
	}
	s.asked = false
	s.step(s.loop.Task().Run(s.policy))
}
