package tarry_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
)

// A study goes on with another budget in cost: it spends as much in all, and what was spent already is the least that it may be.
func TestABudgetInCostChangesWhenAStudyIsResumed(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Ordered("epochs", 1, 5).AsFidelity(1, 5)))(t)
	objective := func(_ context.Context, q tarry.Query) (float64, error) { return q.Float("x"), nil }
	options := func(cost float64, o tarry.Options) tarry.Options {
		o.BudgetCost, o.Workers = cost, 1
		return o
	}
	store := &journal.Memory{}
	finish := func(run *tarry.Run, err error) *tarry.Result {
		t.Helper()
		return must.Get(must.Get(run, err)(t).Wait())(t)
	}
	r := finish(tarry.Start(t.Context(), s, objective, options(20, tarry.Options{Journal: store, Seed: 1, Policy: policy(t, "random")})))
	if r.Cost != 20 || len(r.Evaluations) != 4 {
		t.Fatalf("cost %v of %v: %d evaluations", r.Cost, r.BudgetCost, len(r.Evaluations))
	}
	resume := func(cost float64) *tarry.Result {
		t.Helper()
		return finish(tarry.Resume(t.Context(), store, objective, options(cost, tarry.Options{})))
	}
	or := func(cost float64) *tarry.Result {
		t.Helper()
		return finish(tarry.StartOrResume(t.Context(), store, s, objective, options(cost, tarry.Options{Seed: 1})))
	}
	for _, step := range []struct {
		with        func(float64) *tarry.Result
		given       float64
		spent, upTo float64
	}{
		{resume, 0, 20, 20}, {resume, 35, 35, 35}, {or, 52, 50, 52}, {or, 0, 50, 52}, {resume, 50, 50, 50}, {resume, 60, 60, 60},
	} {
		if r := step.with(step.given); r.Cost != step.spent || r.BudgetCost != step.upTo || float64(len(r.Evaluations)) != step.spent/5 || r.Reason != tarry.ReasonBudget {
			t.Errorf("with %v: cost %v of %v: %d evaluations: %s", step.given, r.Cost, r.BudgetCost, len(r.Evaluations), r.Reason)
		}
	}
	for name, with := range map[string]func(o tarry.Options) error{
		"Resume":      func(o tarry.Options) error { _, err := tarry.Resume(t.Context(), store, objective, o); return err },
		"ResumeStudy": func(o tarry.Options) error { _, err := tarry.ResumeStudy(store, o); return err },
		"StartOrResume": func(o tarry.Options) error {
			_, err := tarry.StartOrResume(t.Context(), store, s, objective, o)
			return err
		},
	} {
		err := with(tarry.Options{BudgetCost: 59})
		if !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), "Options.BudgetCost = 59: want at least 60: so much the study has spent already") {
			t.Errorf("%s: %v", name, err)
		}
		if err = with(tarry.Options{BudgetCost: -1}); !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), "BudgetCost = -1: want a finite number ≥ 0") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if r := resume(0); r.Cost != 60 || r.BudgetCost != 60 {
		t.Errorf("after what was refused: cost %v of %v", r.Cost, r.BudgetCost)
	}
	if _, err := journal.Verify(store); err != nil {
		t.Error(err)
	}
}

// A study that ended for its target is at its end also with a budget that is just what it spent.
func TestAnotherBudgetThatIsSpentTooEndsTheStudyAtOnce(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t)
	objective := func(_ context.Context, q tarry.Query) (float64, error) { return float64(q.ID.Evaluation), nil }
	store, target := &journal.Memory{}, 3.0
	run := must.Get(tarry.Start(t.Context(), s, objective, tarry.Options{Budget: 10, Workers: 1, Target: &target, Journal: store, Policy: policy(t, "random")}))(t)
	if r := must.Get(run.Wait())(t); len(r.Evaluations) != 3 {
		t.Fatalf("%d evaluations", len(r.Evaluations))
	}
	run = must.Get(tarry.Resume(t.Context(), store, objective, tarry.Options{Budget: 3, Workers: 1}))(t)
	if r := must.Get(run.Wait())(t); len(r.Evaluations) != 3 || r.Budget != 3 {
		t.Errorf("%d evaluations of %d", len(r.Evaluations), r.Budget)
	}
}

// Answers that cost less than their fidelities do leave more to be spent: the study goes on until it is.
func TestABudgetInCostIsSpentWhateverAnswersCost(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Ordered("epochs", 1, 5).AsFidelity(1, 5)))(t)
	run := must.Get(tarry.StartOutcomes(t.Context(), s, func(_ context.Context, q tarry.Query) (tarry.Outcome, error) {
		return tarry.Outcome{Value: q.Float("x"), Cost: 0.05}, nil
	}, tarry.Options{BudgetCost: 10, Workers: 1, Seed: 1, Policy: policy(t, "random")}))(t)
	r := must.Get(run.Wait())(t)
	if r.Cost < 5 || r.Cost > 10 || len(r.Evaluations) < 100 || r.Reason != tarry.ReasonBudget {
		t.Errorf("cost %v of 10 by %d evaluations: %s", r.Cost, len(r.Evaluations), r.Reason)
	}
}
