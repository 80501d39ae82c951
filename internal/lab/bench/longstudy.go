package bench

import (
	"context"
	"errors"
	"math"
	"runtime"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/study"
	"github.com/tarry-bo/tarry/loop"
)

// longStudy is a whole study in which the policy chooses every query after the initial design and every fit is made.
type longStudy struct {
	*study.Study
	benchmark   benchmark
	suggestions []timedSuggestion
	fits        []timedFit
	heaps       []heapMark
	stretches   []stretch
	closed      func(stretch) error  // told of each stretch at its end
	ends        []int                // of the stretches to come, in evaluations
	initial     int                  // evaluations that are the loop's own
	empty       uint64               // bytes of the heap before the study
	greatest    loop.FeedbackArrived // the best answer so far; evaluation 0 before any
	refitted    bool                 // hyperparameters were adopted since the last suggestion
}

// timedSuggestion is what one query of the policy cost.
type timedSuggestion struct {
	evaluation int
	seconds    float64
	rows       int
	rebuilt    bool
}

// timedFit is one fit, which another CPU might make meanwhile.
type timedFit struct {
	evaluation int // after whose dispatch it was made
	seconds    float64
	failed     bool
}

// heapMark is what a study held.
type heapMark struct {
	evaluation int
	mb         float64
}

// newLongStudy returns a study with nothing answered. What is recorded of it has its place before the heap is measured
// for the first time, so that it is not taken for a part of the study.
func (b benchmark) newLongStudy() (*longStudy, error) {
	s := &longStudy{
		benchmark:   b,
		suggestions: make([]timedSuggestion, 0, b.study), fits: make([]timedFit, 0, b.study),
		heaps: make([]heapMark, 0, b.study/heapEvery+100), ends: stretchEnds(b.study), closed: func(stretch) error { return nil },
	}
	s.empty = heldHeap()
	var err error
	if s.Study, err = b.Open(b.longConfig(), anyLength, b.seed); err != nil {
		return nil, err
	}
	s.initial = s.Loop.Config().Initial
	s.weigh()
	return s, nil
}

// anyLength is the size by which the order of the answers is drawn, so that a study is the beginning of a longer one.
const anyLength = 0

// sent is how many queries were sent out.
func (s *longStudy) sent() int { return s.Answers + len(s.Pending) }

// expected is how many of the evaluations the policy chooses.
func (s *longStudy) expected() int { return s.benchmark.study - s.initial }

// play goes on to the last answer. It calls each after every event that brings the study on.
func (s *longStudy) play(ctx context.Context, each func()) error {
	for s.Answers < s.benchmark.study {
		// When the last query is out there is nothing left that takes time.
		if err := ctx.Err(); err != nil && s.sent() < s.benchmark.study {
			return err
		}
		if err := s.next(); err != nil {
			return err
		}
		each()
	}
	runtime.KeepAlive(s)
	return nil
}

// next lets an answer arrive and the policy choose the next query, if the loop asks for one. While slots are free it
// asks without an answer.
func (s *longStudy) next() error {
	var answer loop.FeedbackArrived
	if s.Ask.ID == 0 {
		if len(s.Pending) == 0 {
			return errors.New("the loop asks for nothing, and nothing is pending")
		}
		answer = s.Arrival()
	}
	begin := time.Now()
	if answer.Evaluation > 0 {
		if err := s.Step(answer); err != nil {
			return err
		}
	}
	asked := s.Ask.ID != 0
	var made timedSuggestion
	if asked {
		var err error
		if made, err = s.choose(); err != nil {
			return err
		}
		made.seconds = time.Since(begin).Seconds()
	}
	s.consider(answer)
	if asked {
		s.suggestions = append(s.suggestions, made)
	}
	if err := s.learn(); err != nil {
		return err
	}
	if asked && len(s.suggestions)%heapEvery == 0 {
		s.weigh()
	}
	return s.closeStretches()
}

// choose lets the policy answer the open ask, as loop.Task.Run does. A policy that fails is replaced by the loop, as in
// any study.
func (s *longStudy) choose() (timedSuggestion, error) {
	out := timedSuggestion{evaluation: s.Ask.Round}
	view, trouble := s.Loop.Task().View()
	event := loop.Propose(s.Ask, view, s.Policy, s.Seed)
	if p, ok := event.(loop.Proposed); ok {
		p.Trouble = trouble
		event = p
	}
	s.Ask = loop.Ask{}
	err := s.Step(event)
	if view.Posterior != nil {
		out.rows = view.Posterior.Len()
	}
	// Rows fall where a choice of them takes the place of all; merged ones are conditioned anew each time.
	fell := len(s.suggestions) > 0 && out.rows < s.suggestions[len(s.suggestions)-1].rows
	out.rebuilt = s.refitted || fell || trouble.Merged > 0
	s.refitted = false
	return out, err
}

// consider keeps the best answer.
func (s *longStudy) consider(answer loop.FeedbackArrived) {
	if answer.Evaluation > 0 && (s.greatest.Evaluation == 0 || answer.Value > s.greatest.Value) {
		s.greatest = answer
	}
}

// learn makes the fit that is open, if there is one; its result holds from the next answer on.
func (s *longStudy) learn() error {
	if s.Fit == nil {
		return nil
	}
	fit := *s.Fit
	s.Fit = nil
	begin := time.Now()
	event := fit.Run()
	seconds := time.Since(begin).Seconds()
	err := s.Step(event)
	_, fitted := event.(loop.Fitted)
	s.refitted = fitted && s.Fate == loop.FateTaken
	s.fits = append(s.fits, timedFit{s.sent(), seconds, !s.refitted})
	return err
}

// heapEvery is after how many suggestions the heap is measured, besides at the beginning and at the end of each stretch.
const heapEvery = 50

// weigh measures the heap, at most once for each evaluation.
func (s *longStudy) weigh() {
	if last := len(s.heaps) - 1; last >= 0 && s.heaps[last].evaluation == s.sent() {
		return
	}
	mb := max(float64(heldHeap())-float64(s.empty), 0) / 1e6
	s.heaps = append(s.heaps, heapMark{s.sent(), mb})
}

// regret is the maximum less the noise-free value where the best answer came from; NaN before any.
func (s *longStudy) regret() float64 {
	if s.greatest.Evaluation == 0 {
		return math.NaN()
	}
	x := s.Loop.Evaluations()[s.greatest.Evaluation-1].X
	return s.Problem.Maximum - s.Problem.Value(s.Problem.Space.Value(x))
}
