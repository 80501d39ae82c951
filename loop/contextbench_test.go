package loop

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// BenchmarkContextualSuggestion is one answer in and the next query out over 288 listed actions of six coordinates, with six
// of the context: the context stays as it is, or is another one each time.
func BenchmarkContextualSuggestion(b *testing.B) {
	for _, spec := range []string{"gp-ucb", "gp-bucb", "asy-ts"} {
		for _, changes := range []bool{false, true} {
			for _, n := range large(250, 1000) {
				b.Run(fmt.Sprintf("%s/n=%d/changes=%v", spec, n, changes), func(b *testing.B) {
					start := func() *tasks {
						s := newTasks(b, spec, n, true)
						for range n + 2 {
							s.next(b, 0)
						}
						return s
					}
					s := start()
					task := 0
					b.ResetTimer()
					for b.Loop() {
						if changes {
							task++
						}
						s.next(b, task)
						if len(s.loop.Evaluations()) > n+n/10+10 {
							b.StopTimer()
							s = start()
							b.StartTimer()
						}
					}
				})
			}
		}
	}
}

// BenchmarkTasks is a study of 50 tasks with 30 rounds each, of 3 with -short, hyperparameters learned as answers come.
func BenchmarkTasks(b *testing.B) {
	rounds := 1500
	if testing.Short() {
		rounds = 90
	}
	for _, spec := range []string{"gp-ucb", "asy-ts"} {
		b.Run(spec, func(b *testing.B) {
			var asks, fits time.Duration
			for b.Loop() {
				s := newTasks(b, spec, 0, false)
				for k := range rounds {
					s.next(b, k/30)
				}
				asks, fits = asks+s.asks, fits+s.fits
			}
			b.ReportMetric(asks.Seconds()/float64(b.N), "s-asks/op")
			b.ReportMetric(fits.Seconds()/float64(b.N), "s-fits/op")
		})
	}
}

// tasks is a study whose worker answers at once, and whose contexts are those of numbered tasks.
type tasks struct {
	loop       *Loop
	policy     policies.Policy
	seq        uint64
	asks, fits time.Duration // that policy and fits took so far
}

const taskDim = 6 // of actions, and of contexts

func newTasks(b *testing.B, spec string, initial int, known bool) *tasks {
	b.Helper()
	stream := rng.New(1, rng.Test, 0)
	parameters := make([]space.Parameter, 0, 2*taskDim)
	for j := range taskDim {
		parameters = append(parameters, space.Float(fmt.Sprintf("a%d", j), 0, 1), space.Float(fmt.Sprintf("z%d", j), 0, 1).AsContext())
	}
	points := make([]space.Point, 288)
	for i := range points {
		points[i] = []float64{float64(i % 4), float64(i / 4 % 4), float64(i / 16 % 3), float64(i / 48 % 3), float64(i / 144), stream.Float64()}
		for j, most := range []float64{3, 3, 2, 2, 1, 1} {
			points[i][j] /= most
		}
	}
	where, err := space.List(points, parameters...)
	if err != nil {
		b.Fatal(err)
	}
	policy, err := policies.Parse(spec)
	if err != nil {
		b.Fatal(err)
	}
	c := Config{Space: where, Traits: policy.Traits(), Budget: MaxBudget, Initial: initial}
	if known {
		c.Model = Model{Noise: 1e-3, Hyper: []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}
	}
	l, err := New(c)
	if err != nil {
		b.Fatal(err)
	}
	s := &tasks{loop: l, policy: policy}
	s.step(b, WorkerJoined{Worker: 1, Slots: 1})
	return s
}

// next lets a query of the task be chosen, and answers it.
func (s *tasks) next(b *testing.B, task int) {
	stream := rng.New(1, rng.Test, uint64(task))
	z := make([]float64, taskDim)
	for j := range z {
		z[j] = stream.Float64()
	}
	s.step(b, ContextArrived{z})
}

// step feeds an event and what follows from it.
func (s *tasks) step(b *testing.B, e Event) {
	s.seq++
	reaction, err := s.loop.Step(Stamped{Seq: s.seq, At: time.Duration(s.seq), Event: e})
	if err != nil {
		b.Fatal(err)
	}
	for _, effect := range reaction.Effects {
		began := time.Now()
		switch e := effect.(type) {
		case Ask:
			answer := s.loop.Task().Run(s.policy)
			s.asks += time.Since(began)
			s.step(b, answer)
		case Fit:
			answer := e.Run()
			s.fits += time.Since(began)
			s.step(b, answer)
		case Dispatch:
			sum := 0.01 * rng.New(1, rng.Noise, uint64(e.Evaluation)).NormFloat64()
			for j := range taskDim {
				sum += math.Sin(3*e.X[2*j] + 2*e.X[2*j+1] + float64(j))
			}
			s.step(b, FeedbackArrived{Evaluation: e.Evaluation, Attempt: 1, Outcome: outcome.Of(sum)})
		}
	}
}
