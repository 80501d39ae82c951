package tarry_test

import (
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
)

// What a caller does with the lists of its options, or with what was returned, changes no study.
func TestAStudySharesNothingWithItsCaller(t *testing.T) {
	line := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t)
	named, seeds, target := []tarry.Constraint{tarry.AtMost("c", 0.6)}, []tarry.Point{{0.1}}, 5.0
	policy := must.Get(tarry.ParsePolicy("safe-opt"))(t)
	o := tarry.Options{Budget: 10, Initial: 1, Constraints: named, Seeds: seeds, Policy: policy, Target: &target}
	s := must.Get(tarry.NewStudy(line, o))(t)
	named[0], seeds[0][0], target = tarry.AtMost("c", 0.05), 0.9, -5
	q := must.Get(s.Ask())(t)
	if q.X[0] != 0.1 {
		t.Errorf("the first query is %v, 0.1 was declared safe", q.X)
	}
	told := []float64{0.5}
	if err := s.TellOutcome(q.ID, tarry.Outcome{Value: 1, Constraints: told}); err != nil {
		t.Fatal(err)
	}
	told[0] = 99
	s.Result().Evaluations[0].Constraints[0] = 77
	if e, _ := s.Evaluation(1); !e.Counts() || e.Constraints[0] != 0.5 {
		t.Errorf("%v with %v: 0.5 was told, and is at most 0.6", e, e.Constraints)
	}
	if _, err := s.Ask(); err != nil {
		t.Errorf("%v: the value 1 reaches no target", err)
	}
}

// Nor does what was measured share its points with the result that it is of.
func TestAPastSharesNothingWithItsResult(t *testing.T) {
	r := must.Get(tarry.Maximize(t.Context(), unitSpace(t), hill, tarry.Options{Budget: 3, Workers: 1}))(t)
	x := r.Evaluations[0].X[0]
	tarry.PastOf("before", unitSpace(t), r).Points[0][0] = -1
	if r.Evaluations[0].X[0] != x {
		t.Errorf("%v: the first point was at %v", r.Evaluations[0], x)
	}
}
