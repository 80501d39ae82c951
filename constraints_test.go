package tarry_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
)

func TestARunFindsTheBestFeasiblePoint(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	o := tarry.Options{Budget: 25, Minimize: true, Workers: 1, Seed: 2, Constraints: []tarry.Constraint{tarry.AtLeast("sum", 1)}}
	run, err := tarry.StartOutcomes(context.Background(), s, func(_ context.Context, q tarry.Query) (tarry.Outcome, error) {
		x, y := q.Float("x"), q.Float("y")
		return tarry.Outcome{Value: x*x + y*y, Constraints: []float64{x + y}}, nil
	}, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := run.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if r.Best.Value < 0.5 || r.Best.Value > 0.51 || r.Best.Constraints[0] < 1 {
		t.Errorf("best %v", r.Best)
	}
	if r.Recommended.Constraints[0] < 1 || r.Feasible == nil || r.Feasible.Constraints[0].Name != "sum" {
		t.Errorf("recommended %v, %+v", r.Recommended, r.Feasible)
	}
	p, err := run.Feasible([]float64{1, 1})
	if err != nil || p.Probability < 0.99 || math.Abs(p.Constraints[0].Mean-2) > 0.1 {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err = run.Feasible([]float64{0, 0}); err != nil || p.Probability > 0.01 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestAnAnswerWithoutEveryConstraintChangesNothing(t *testing.T) {
	o := tarry.Options{Budget: 5, Constraints: []tarry.Constraint{tarry.AtMost("latency", 0.2), tarry.AtLeast("recall", 0.5)}}
	s, err := tarry.NewStudy(unitSpace(t), o)
	if err != nil {
		t.Fatal(err)
	}
	q, err := s.Ask()
	if err != nil {
		t.Fatal(err)
	}
	err = s.Tell(q.ID, 3)
	for _, want := range []string{"constraints.latency = missing: want a finite number", "constraints.recall = missing: want a finite number"} {
		if !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := s.TellOutcome(q.ID, tarry.Outcome{Value: 3, Constraints: []float64{math.NaN(), 1}}); err == nil || !strings.Contains(err.Error(), "constraints.latency = NaN: want a finite number") {
		t.Error(err)
	}
	if err := s.Observe(q.X, 1); err == nil || !strings.Contains(err.Error(), "constraints.recall = missing") {
		t.Error(err)
	}
	if err := s.TellOutcome(q.ID, tarry.Outcome{Value: 3, Constraints: []float64{0.1, 0.6}}); err != nil {
		t.Error(err)
	}
	if r := s.Result(); r.Best == nil || r.Count(tarry.Failed) != 0 {
		t.Errorf("%v", r)
	}
}

func TestAnObjectiveOfValuesAloneHasNoConstraints(t *testing.T) {
	o := tarry.Options{Budget: 5, Constraints: []tarry.Constraint{tarry.AtMost("latency", 0.2)}}
	_, err := tarry.Maximize(context.Background(), unitSpace(t), func(context.Context, tarry.Query) (float64, error) { return 1, nil }, o)
	if err == nil || !strings.Contains(err.Error(), "Options.Constraints = [latency at most 0.2]: want none with an objective that returns a value alone: want StartOutcomes") {
		t.Error(err)
	}
	var store journal.Memory
	o.Journal = &store
	if _, err := tarry.NewStudy(unitSpace(t), o); err != nil {
		t.Fatal(err)
	}
	alone := func(context.Context, tarry.Query) (float64, error) { return 1, nil }
	if _, err := tarry.Resume(t.Context(), &store, alone, tarry.Options{}); err == nil || !strings.Contains(err.Error(), "want ResumeOutcomes") {
		t.Error(err)
	}
	if _, err := tarry.StartOrResume(t.Context(), &store, unitSpace(t), alone, tarry.Options{}); err == nil || !strings.Contains(err.Error(), "want StartOrResumeOutcomes") {
		t.Error(err)
	}
}

// A constraint that a lower fidelity meets and the target does not bars a point all the same: nothing is worth finding out there. The last
// query that the budget pays for is feasible where the bound is known well.
func TestQueriesBelowTheTargetGoWhereTheTargetIsFeasible(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Ordered("epochs", 1, 3, 9).AsFidelity(1, 3, 9))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"mf-mes", "mft-mes:particles=4"} {
		p, err := tarry.ParsePolicy(name)
		if err != nil {
			t.Fatal(err)
		}
		o := tarry.Options{BudgetCost: 90, Workers: 1, Seed: 3, Policy: p, Constraints: []tarry.Constraint{tarry.AtMost("latency", 0.5)}}
		run, err := tarry.StartOutcomes(t.Context(), s, func(_ context.Context, q tarry.Query) (tarry.Outcome, error) {
			x, epochs := q.Float("x"), q.Float("epochs")
			return tarry.Outcome{Value: x - 1/(1+epochs), Constraints: []float64{x + epochs/60}}, nil // at the target x ≤ 0.35, at the least 0.48
		}, o)
		if err != nil {
			t.Fatal(err)
		}
		r, err := run.Wait()
		if err != nil {
			t.Fatal(name, err)
		}
		below, beyond := 0, 0
		for _, e := range r.Evaluations[8:] {
			if e.Below {
				below++
				if e.Float("x") > 0.37 {
					beyond++
				}
			}
		}
		if 2*beyond > below {
			t.Errorf("%s: %d of %d queries below the target are where it is infeasible", name, beyond, below)
		}
		if last := r.Evaluations[len(r.Evaluations)-1]; last.Below || !last.Status.Valued() {
			t.Errorf("%s: the last query is %v", name, last)
		}
		if got := r.Best.Float("x"); got < 0.34 {
			t.Errorf("%s: best %v", name, r.Best)
		}
	}
}

// Once the best feasible point is known what is left goes mostly where queries are likely to be feasible, and still some of it elsewhere: another region
// may be there.
func TestWhereTheBestIsKnownMostQueriesAreFeasible(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	for seed := range seeds(3) {
		study, err := tarry.NewStudy(s, tarry.Options{Budget: 60, Seed: seed + 1, Constraints: []tarry.Constraint{tarry.AtMost("lat", 0.2)}})
		if err != nil {
			t.Fatal(err)
		}
		violated := 0
		for number := range 60 {
			q := ask(t, study)
			x, y := q.Float("x"), q.Float("y")
			if number >= 20 && x/2 > 0.2 {
				violated++
			}
			if err := study.TellOutcome(q.ID, tarry.Outcome{Value: x - math.Pow(y-0.5, 2), Constraints: []float64{x / 2}}); err != nil {
				t.Fatal(err)
			}
		}
		if best := study.Result().Best; best == nil || best.Value < 0.4-1e-4 || violated > 14 {
			t.Errorf("seed %d: best %v, %d of the last 40 queries infeasible", seed+1, best, violated)
		}
	}
}
