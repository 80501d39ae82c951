package loop

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// A finite space with a fidelity is at its end when every point has a value at the target, once it is certain that there is no noise:
// not before, whatever was queried at lower fidelities, and a policy that insists on one of those is led to the target.
func TestAFiniteSpaceWithAFidelityEndsWhenTheTargetIsKnown(t *testing.T) {
	epochs := space.Ordered("epochs", 1, 9).AsFidelity(1, 9)
	for name, where := range map[string]space.Space{
		"grid": must.Get(space.New(space.Int("x", 1, 3), epochs))(t),
		"list": must.Get(space.List([]space.Point{{1}, {2}, {3}}, space.Float("x", 0, 4), epochs))(t),
	} {
		for _, chooses := range []bool{false, true} {
			for _, noise := range []float64{0, 0.25} {
				point := where.Snap(space.Unit{0.5, 0.25})
				c := Config{Space: where, Budget: 20, Initial: 1, Traits: policies.Traits{Name: "stubborn", Fidelities: chooses}}
				s := &stubborn{driver: drive(t, c), point: point}
				s.step(0, WorkerJoined{Worker: 1, Slots: 20})
				for k := 0; !s.l.Finished() && k < 20; k++ {
					for _, e := range s.l.Evaluations() {
						if e.Status == Pending {
							s.tell(e, math.Exp(e.X[0])+noise*float64(k))
						}
					}
					if !s.l.Finished() {
						s.next()
					}
				}
				r := s.l.Result()
				target := map[float64]bool{}
				for _, e := range r.Evaluations {
					if !e.Below {
						target[e.X[0]] = true
					}
				}
				most, why := 4, ReasonPoints // the three points at the target, and one again
				if chooses {
					most = 7
				}
				if noise > 0 {
					most, why = 20, ReasonBudget
				}
				if r.Reason != why || len(r.Evaluations) > most || noise == 0 && len(target) != 3 {
					t.Errorf("%s, chooses %v, noise %v: %d evaluations, %d points at the target, ended: %q", name, chooses, noise, len(r.Evaluations), len(target), r.Reason)
				}
			}
		}
	}
}

// unpaidFor is a study of three points at three fidelities whose policy insists on the least of them, and whose budget pays for one query of the target: of
// 17 that costs 9.
func unpaidFor(t *testing.T, where space.Space, answer func(s *stubborn, e Evaluation, k int)) *stubborn {
	t.Helper()
	c := Config{Space: where, Budget: 40, BudgetCost: 17, Initial: 1, Traits: policies.Traits{Name: "stubborn", Fidelities: true}}
	s := &stubborn{driver: drive(t, c), point: where.Snap(space.Unit{0.5, 0.1})}
	s.step(0, WorkerJoined{Worker: 1, Slots: 20})
	s.until(answer)
	return s
}

// until plays to the end.
func (s *stubborn) until(answer func(s *stubborn, e Evaluation, k int)) {
	for k := 0; !s.l.Finished(); k++ {
		for _, e := range s.l.Evaluations() {
			if e.Status == Pending {
				answer(s, e, k)
			}
		}
		if !s.l.Finished() {
			s.next()
		}
	}
}

// Where what is left of a budget pays for no query of the target, and without noise for nothing new at another fidelity, the study is at its end, and the rest
// stays. It goes on with a greater budget. Under noise it is spent.
func TestTheRestOfABudgetIsNotSpentOnWhatIsKnown(t *testing.T) {
	epochs := space.Ordered("epochs", 1, 3, 9).AsFidelity(1, 3, 9)
	for name, where := range map[string]space.Space{
		"grid": must.Get(space.New(space.Int("x", 1, 3), epochs))(t),
		"list": must.Get(space.List([]space.Point{{1}, {1}, {2}, {3}}, space.Float("x", 0, 4), epochs))(t), // one of them twice
	} {
		exact := func(s *stubborn, e Evaluation, _ int) { s.tell(e, math.Exp(e.X[0])) }
		s := unpaidFor(t, where, exact)
		r := s.l.Result()
		seen := map[[2]float64]int{}
		for _, e := range r.Evaluations {
			seen[[2]float64(s.l.config.Space.Value(e.X))]++
		}
		low, middle := 0, 0
		for at := range seen {
			low += bit(at[1] == 1)
			middle += bit(at[1] == 3)
		}
		if r.Reason != ReasonFunds || low != 3 || middle != 1 || r.Counters.Revisits > 1 || r.BudgetCost-r.Cost < 1 {
			t.Errorf("%s: %v were queried, %v of %v spent, ended: %q", name, seen, r.Cost, r.BudgetCost, r.Reason)
		}
		s.step(0, BudgetSet{Budget: 40, Cost: 60})
		s.until(exact)
		if r := s.l.Result(); r.Reason != ReasonPoints {
			t.Errorf("%s: with a greater budget %v was spent, ended: %q", name, r.Cost, r.Reason)
		}
		s = unpaidFor(t, where, func(s *stubborn, e Evaluation, k int) { s.tell(e, e.X[0]+float64(k)) })
		if r := s.l.Result(); r.Reason != ReasonBudget {
			t.Errorf("%s: under noise %v was spent, ended: %q", name, r.Cost, r.Reason)
		}
		s = unpaidFor(t, where, func(s *stubborn, e Evaluation, k int) {
			if e.Below && e.X[0] == s.point[0] {
				s.step(0, EvaluationFailed{Evaluation: e.Number, Attempt: 1})
			} else {
				s.tell(e, math.Exp(e.X[0]))
			}
		})
		if r := s.l.Result(); r.Reason != ReasonFunds {
			t.Errorf("%s: where a point fails %v was spent, ended: %q", name, r.Cost, r.Reason)
		}
	}
}

// As long as answers pend, which may cost less than their fidelities do, a study is not at its end.
func TestAStudyWaitsForAnswersThatMayCostLess(t *testing.T) {
	epochs := space.Ordered("epochs", 1, 9).AsFidelity(1, 9)
	where := must.Get(space.New(space.Int("x", 1, 3), epochs))(t)
	c := Config{Space: where, Budget: 40, BudgetCost: 20, Initial: 1, Traits: policies.Traits{Name: "stubborn", Fidelities: true}}
	s := &stubborn{driver: drive(t, c), point: where.Snap(space.Unit{0.5, 0.25})}
	s.step(0, WorkerJoined{Worker: 1, Slots: 20})
	for range 3 {
		s.next()
	}
	if h := s.l.Held(); h != HoldPoints || s.l.Finished() {
		t.Errorf("%v holds the next query back, with %v of %v spent", h, s.l.Cost(), c.BudgetCost)
	}
	e := s.l.Evaluations()[0]
	s.step(0, FeedbackArrived{Evaluation: e.Number, Attempt: 1, Outcome: outcome.Outcome{Value: 1, Cost: 2}})
	if h := s.l.Held(); h != HoldNone {
		t.Errorf("%v holds the next query back, with %v of %v spent", h, s.l.Cost(), c.BudgetCost)
	}
	if e := s.next(); e.Below {
		t.Errorf("query %d is at %v", e.Number, e.X)
	}
}
