package loop

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
)

// troubledStudy is at its second ask: four answers have come, and a fit of them was adopted.
func troubledStudy(t *testing.T) *story {
	t.Helper()
	c := storyConfig(t, "box", feedback.Hallucinate)
	c.FitBeside = false
	s := newStory(t, c, 6, 9)
	for len(s.running) > 0 {
		s.value(s.take(&s.running))
	}
	s.proposeIn(Trouble{})
	s.finishFit()
	return s
}

// proposeIn answers the open ask with what its model needed.
func (s *story) proposeIn(trouble Trouble) {
	s.t.Helper()
	ask := s.ask
	s.ask = Ask{}
	s.step(Proposed{Ask: ask.ID, Proposals: []policies.Proposal{{X: s.config.Space.Random(s.stream)}}, Trouble: trouble})
}

func TestTroubleIsCountedOncePerQuery(t *testing.T) {
	s := troubledStudy(t)
	s.proposeIn(Trouble{Jittered: 1, Lifted: 3})
	s.finishIfFitting()
	s.proposeIn(Trouble{Merged: 5, Raised: 2})
	s.finishIfFitting()
	s.proposeIn(Trouble{Lifted: 4, Raised: 1})
	c := s.loop.Counters()
	if c.Jittered != 1 || c.Lifted != 2 || c.Merged != 1 || c.Raised != 2 {
		t.Errorf("%+v", c)
	}
}

func (s *story) finishIfFitting() {
	s.t.Helper()
	if s.fit != nil {
		s.finishFit()
	}
}

// Noise that had to be raised asks for one fit beyond the schedule, not for one after another; when all is well again, the
// next time asks for one again.
func TestRaisedNoiseUrgesOneFit(t *testing.T) {
	s := troubledStudy(t)
	before := s.loop.model.Fits()
	for i, c := range []struct {
		trouble Trouble
		fits    bool
	}{{Trouble{Jittered: 1}, false}, {Trouble{Raised: 1}, true}, {Trouble{Raised: 3}, false}, {Trouble{}, false}} {
		s.proposeIn(c.trouble)
		if got := s.fit != nil; got != c.fits {
			t.Fatalf("proposal %d: a fit is under way: %v", i+1, got)
		}
		s.finishIfFitting()
	}
	if got := s.loop.model.Fits() - before; got != 1 {
		t.Errorf("%d fits", got)
	}
	s.value(s.take(&s.running)) // the fifth answer, for which the schedule has a fit
	s.proposeIn(Trouble{})
	s.finishIfFitting()
	if got := s.loop.model.Fits() - before; got != 2 {
		t.Fatalf("%d fits", got)
	}
	s.proposeIn(Trouble{Raised: 1})
	if s.fit == nil {
		t.Error("no fit after the noise had to be raised again")
	}
}

// A fit that begins before the result of the last one was used starts from it all the same.
func TestAFitStartsFromTheLatestHyperparameters(t *testing.T) {
	c := storyConfig(t, "box", feedback.Hallucinate)
	c.Initial = 12
	s := newStory(t, c, 6, 12)
	for range 4 {
		s.value(s.take(&s.running))
	}
	s.proposeIn(Trouble{})
	for range 8 {
		s.value(s.take(&s.running))
	}
	first := s.fit.ID
	s.step(Fitted{Fit: first, Hyper: []float64{0.11, 0.22, 0.33}, Noise: 0.044})
	if lookAt(s.loop).next == nil || s.fit.ID != first {
		t.Fatalf("fit %d began before the next ask was wanted", s.fit.ID)
	}
	s.proposeIn(Trouble{})
	if got := s.fit.Start; s.fit.ID != first+1 || got.Noise != 0.044 || math.Abs(hyperOf(got.Kernel)[1]-0.22) > 1e-12 {
		t.Errorf("fit %d starts from %v, noise %v", s.fit.ID, hyperOf(got.Kernel), got.Noise)
	}
}

// Too many lifted pivots make the factor anew at the next ask, and only there.
func TestManyLiftedRowsMakeTheFactorAnew(t *testing.T) {
	s := troubledStudy(t)
	generation := lookAt(s.loop).Generation
	s.proposeIn(Trouble{Lifted: model.LiftedBeforeRebuild})
	if got := lookAt(s.loop); got.Generation != generation || len(got.Edits) != 1 {
		t.Fatalf("generation %d after %d, %d edits", got.Generation, generation, len(got.Edits))
	}
	s.proposeIn(Trouble{Lifted: model.LiftedBeforeRebuild + 1})
	if got := lookAt(s.loop); got.Generation != generation+1 || len(got.Edits) != 0 || len(got.rows) != 7 {
		t.Fatalf("generation %d after %d, %d edits, %d rows", got.Generation, generation, len(got.Edits), len(got.rows))
	}
	s.step(ProposeFailed{Ask: s.ask.ID}) // says nothing about the model
	s.proposeIn(Trouble{})
	if got := lookAt(s.loop); got.Generation != generation+1 {
		t.Errorf("generation %d after %d", got.Generation, generation)
	}
}

// Next to no noise and the same points again and again: the ladder is climbed, the predictions stay finite and the study
// ends as any other. Contradicting values at one point are the worst case.
func TestAStudyOfDuplicatesWithoutNoiseEndsNormally(t *testing.T) {
	t.Parallel()
	for _, how := range imputations {
		c := storyConfig(t, "box", how)
		c.Budget, c.StopEarly, c.Model = 60, 0, Model{Kernel: "se", Hyper: []float64{0.5, 0.5, 1000}, Noise: 1e-12}
		s := newStory(t, c, 4, 3)
		for !s.loop.Finished() {
			if s.ask.ID == 0 {
				s.value(s.take(&s.running))
				continue
			}
			view, trouble := s.loop.Task().View()
			mean, variance := view.Posterior.Predict([]float64{0.4, 0.6})
			if finite("mean", append(view.Posterior.PoolMean(), mean)...) != nil || positive("variance", variance) != nil {
				t.Fatalf("%v: mean %v, variance %v after %+v", how, mean, variance, trouble)
			}
			x := c.Space.Random(s.stream)
			if s.ask.Round%2 == 0 {
				x = s.loop.Evaluations()[s.stream.IntN(s.ask.Round-1)].X
			}
			ask := s.ask
			s.ask = Ask{}
			s.step(Proposed{Ask: ask.ID, Proposals: []policies.Proposal{{X: x}}, Trouble: trouble})
		}
		r := s.loop.Result()
		if r.Reason != ReasonBudget || r.Counters.Fallbacks > 0 || math.IsNaN(r.Recommended.Value) {
			t.Errorf("%v: %s, recommended %+v, %+v", how, r.Reason, r.Recommended, r.Counters)
		}
		if r.Counters.Lifted == 0 || r.Counters.Jittered == 0 || lookAt(s.loop).Generation < 2 {
			t.Errorf("%v: the ladder was not climbed: %d generations, %+v", how, lookAt(s.loop).Generation, r.Counters)
		}
	}
}
