package study

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/policies"
)

func TestAStudyIsFilledToItsAnswersWithoutThePolicy(t *testing.T) {
	policy := must.Get(policies.Parse("gp-bucb"))(t)
	b := must.Get(NewSetting(policy, 6, 5))(t)
	s, err := b.NewStudy(60, 1)
	if err == nil {
		err = s.ReachFit(t.Context(), 60, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	valued, near := 0, 0
	for _, e := range s.Loop.Evaluations() {
		if e.Status.Valued() {
			valued++
		}
		far := 0.
		for j, v := range e.X {
			far = max(far, math.Abs(v-b.best[0][j]))
		}
		if far < 0.3 {
			near++
		}
	}
	if valued != 60 || s.Loop.Pending() != 5 || len(s.Pending) != 5 || s.Ask.ID != 0 {
		t.Errorf("%d answers, %d pending, %d known to be, ask %d", valued, s.Loop.Pending(), len(s.Pending), s.Ask.ID)
	}
	if s.Fit == nil || len(s.Fit.X) != 60 {
		t.Errorf("the open fit is %+v", s.Fit)
	}
	// Uniform points are that near in all six coordinates in less than one of twenty cases.
	if near < 15 || near > 50 {
		t.Errorf("%d of 65 points are near the maximizer", near)
	}
}
