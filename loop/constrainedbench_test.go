package loop

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// BenchmarkConstrainedSuggestion is one answer in and the next query out with no constraint, one and two, with eight queries pending in
// six dimensions. "+fits" adds what a suggestion bears of the fits: one of each output whenever the answers have grown by a fifth.
func BenchmarkConstrainedSuggestion(b *testing.B) {
	for _, n := range large(200, 1000) {
		for constraints := range 3 {
			b.Run(fmt.Sprintf("n=%d/constraints=%d", n, constraints), func(b *testing.B) {
				s := newMeasured(b, n, constraints)
				each := s.suggestions()
				b.ReportMetric(each+s.fitting.Seconds()*1e3/(fitEach*float64(n)), "ms/suggestion+fits")
			})
		}
	}
}

// BenchmarkFailingSuggestion is the same without constraints, where no query fails and where those of half of the space do.
func BenchmarkFailingSuggestion(b *testing.B) {
	for _, n := range large(100, 300) {
		for _, share := range []float64{0, 0.5} {
			b.Run(fmt.Sprintf("n=%d/failing=%v", n, share), func(b *testing.B) {
				newFailing(b, n, share).suggestions()
			})
		}
	}
}

// BenchmarkFidelitySuggestion is the same with a fidelity of four levels, for the policies that choose it.
func BenchmarkFidelitySuggestion(b *testing.B) {
	for _, policy := range []string{"auto", "mf-mes", "mft-mes", "mft-mes:kernel=network"} {
		for _, n := range large(200, 1000) {
			if n > 200 && strings.HasPrefix(policy, "mft") { // ten models
				continue
			}
			b.Run(fmt.Sprintf("%s/n=%d", policy, n), func(b *testing.B) {
				studyOf(b, policy, n, 0, space.Ordered("part", 1, 2, 4, 8).AsFidelity(1, 2, 4, 8)).suggestions()
			})
		}
	}
}

// fitEach is the share of the answers that come between two fits.
const fitEach = 0.2

// measured is a study driven by hand.
type measured struct {
	*testing.B
	loop    *Loop
	policy  policies.Policy
	seq     uint64
	open    []int
	ask     int           // the open one; 0 means none
	points  *rand.Rand    // of queries without the policy; nil: the policy chooses
	failing float64       // share of the range of the first parameter, from its low end, in which queries fail
	fits    bool          // whether fits are made; otherwise they fail
	fitting time.Duration // in all
}

// newMeasured is a study of auto with n random points, of whose last fifth the outputs were fitted once each.
func newMeasured(b *testing.B, n, constraints int) *measured {
	return studyOf(b, "auto", n, constraints)
}

// newFailing is that without constraints, where a share of the points fails.
func newFailing(b *testing.B, n int, share float64) *measured {
	s := unbegun(b, "auto", Config{Space: must.Get(space.New(sixAxes()...))(b), Budget: MaxBudget, Initial: 1, FitBeside: true})
	s.failing = share
	s.begin(n)
	return s
}

// studyOf is that of a policy, with more parameters than six.
func studyOf(b *testing.B, policy string, n, constraints int, more ...space.Parameter) *measured {
	c := Config{Space: must.Get(space.New(append(sixAxes(), more...)...))(b), Budget: MaxBudget, Initial: 1, FitBeside: true}
	for i := range constraints {
		c.Constraints = append(c.Constraints, outcome.AtMost(fmt.Sprintf("c%d", i), 0))
	}
	return begun(b, policy, n, c)
}

func sixAxes() (axes []space.Parameter) {
	for j := range 6 {
		axes = append(axes, space.Float(fmt.Sprintf("x%d", j), 0, 1))
	}
	return axes
}

// begun is that of a configuration, after n random points.
func begun(b *testing.B, policy string, n int, c Config) *measured {
	s := unbegun(b, policy, c)
	s.begin(n)
	return s
}

// unbegun is that of a configuration, before its first query.
func unbegun(b *testing.B, policy string, c Config) *measured {
	s := &measured{B: b, policy: must.Get(policies.Parse(policy))(b), points: rng.New(1, rng.Test, 0)}
	c.Traits = s.policy.Traits()
	s.loop = must.Get(New(c))(b)
	return s
}

// begin asks for n random points.
func (s *measured) begin(n int) {
	s.step(WorkerJoined{Worker: 1, Slots: pendingQueries})
	for k := range n {
		s.fits = float64(k) >= (1-fitEach)*float64(n)
		s.next()
	}
	s.fits, s.points = false, nil
}

// step feeds one event and does what follows.
func (s *measured) step(e Event) {
	s.seq++
	for _, effect := range must.Get(s.loop.Step(Stamped{Seq: s.seq, At: time.Duration(s.seq), Event: e}))(s).Effects {
		switch effect := effect.(type) {
		case Dispatch:
			s.open = append(s.open, effect.Evaluation)
		case Ask:
			s.ask = effect.ID
		case Fit:
			var done Event = FitFailed{Fit: effect.ID, Reason: "not wanted"}
			if s.fits {
				begin := time.Now()
				done = effect.Run()
				s.fitting += time.Since(begin)
			}
			s.step(done)
		}
	}
}

// suggestions measures one answer in and the next query out, again and again, and returns how many milliseconds each takes.
func (s *measured) suggestions() (each float64) {
	s.next()
	s.ReportAllocs()
	s.ResetTimer()
	for s.Loop() {
		s.next()
	}
	each = s.Elapsed().Seconds() * 1e3 / float64(s.N)
	s.ReportMetric(each, "ms/suggestion")
	return each
}

// next answers the oldest query and chooses the next.
func (s *measured) next() {
	s.choose()
	number := s.open[0]
	s.open = s.open[1:]
	o := outcome.Outcome{}
	for j, v := range s.loop.Evaluations()[number-1].X {
		o.Value += math.Sin(3*v + float64(j))
	}
	for i := range s.loop.Config().Constraints {
		x := s.loop.Evaluations()[number-1].X
		o.Constraints = append(o.Constraints, math.Cos(4*x[i]+2*x[i+1])+x[i+2]-0.5)
	}
	if s.loop.Evaluations()[number-1].X[0] < s.failing {
		s.step(EvaluationFailed{Evaluation: number, Attempt: 1, Failure: outcome.Failure{Reason: "diverged"}})
	} else {
		s.step(FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: o})
	}
	s.choose()
}

// choose makes the queries that are wanted.
func (s *measured) choose() {
	for s.ask != 0 {
		ask := s.ask
		if s.ask = 0; s.points == nil {
			s.step(s.loop.Task().Run(s.policy))
		} else {
			s.step(Proposed{Ask: ask, Proposals: []policies.Proposal{{X: s.loop.Config().Space.Random(s.points)}}})
		}
	}
}
