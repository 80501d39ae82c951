package loop

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// An adversary proposes, enqueues, loses, retries, cancels, and answers late, twice, and otherwise than before, in any order, at points
// that all violate but for the seeds. What truly violates are the queries that a worker was given: they stay below the share.
func TestNoOrderOfEventsBreaksAPromise(t *testing.T) {
	seeds := uint64(300)
	if raced {
		seeds = 50
	}
	for seed := range seeds {
		r := rng.New(seed, rng.Test, 77)
		spec := fmt.Sprintf("d-safe-bocp:alpha=%g:eta=%g:start=%g", 0.05+0.5*r.Float64(), 0.001+2*r.Float64(), 0.9*r.Float64())
		s := newSafe(t, spec, 1+r.IntN(6), func(c *Config) {
			c.Budget, c.Retries = 4+r.IntN(30), r.IntN(3)
			if r.IntN(2) == 0 {
				c.Lease = 3 * time.Second
			} else {
				c.Timeout = 3 * time.Second
			}
		})
		now := time.Duration(0)
		for range 400 {
			if s.Finished() && r.IntN(20) == 0 {
				break
			}
			s.adversary(r, &now)
			s.wantsBelow(seed, spec)
		}
	}
}

func (s constrained) adversary(r *rand.Rand, now *time.Duration) {
	n := len(s.Evaluations())
	e := s.Evaluations()[r.IntN(n)]
	attempt := max(1, e.Attempt-r.IntN(2))
	safe := s.seed(e.X) >= 0
	heat := 2.0
	if safe {
		heat = 0.5
	}
	x := []float64{0.25, 0.5, 0.9, 0.8, r.Float64()}[r.IntN(5)]
	switch r.IntN(9) {
	case 0, 1, 2:
		if s.plan.ask.ID != 0 {
			if f, open := s.model.Fitting(); open {
				s.step(FitFailed{f.ID, "no time"})
			}
			s.step(Proposed{Ask: s.plan.ask.ID, Proposals: []policies.Proposal{{X: space.Unit{x}}}})
		}
	case 3:
		s.step(FeedbackArrived{Evaluation: e.Number, Attempt: attempt, Outcome: outcome.Outcome{Value: 1, Constraints: []float64{heat}}})
	case 4:
		verdict := outcome.Failure{Reason: "broke"}
		if r.IntN(2) == 0 {
			verdict.Verdict = outcome.Lost
		}
		s.step(EvaluationFailed{Evaluation: e.Number, Attempt: attempt, Failure: verdict})
	case 5:
		if !safe {
			s.step(EvaluationFailed{Evaluation: e.Number, Attempt: attempt, Failure: outcome.Failure{Reason: "tripped", Verdict: outcome.Infeasible}})
		}
	case 6:
		s.step(QueryEnqueued{X: space.Point{x}})
	case 7:
		if r.IntN(2) == 0 {
			s.step(AnswerFollows{Evaluation: e.Number, Attempt: attempt})
		} else {
			s.step(CancelRequested{Evaluation: e.Number, Reason: "so"})
		}
	case 8:
		*now += time.Second
		if _, err := s.Step(Stamped{Seq: s.seq + 1, At: *now, Event: Woke{}}); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s constrained) wantsBelow(seed uint64, spec string) {
	s.t.Helper()
	violations := 0
	for _, e := range s.Evaluations() {
		if s.seed(e.X) < 0 && e.Attempt > 0 {
			violations++
		}
	}
	p := s.Safety()
	if violations > p.Terms.Allowed || p.Account.Counted() < violations || !p.Kept {
		s.t.Fatalf("seed %d, %s: %d violations of %d queries, %d allowed, %+v", seed, spec, violations, s.Config().Budget, p.Terms.Allowed, p.Account)
	}
}
