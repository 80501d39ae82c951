package main

import (
	"context"
	"errors"
	"math"
	"runtime"
	"time"

	"github.com/tarry-bo/tarry/loop"
)

// longStudy is a whole study in which the policy chooses every query after the initial design and every fit is made.
type longStudy struct {
	*benchStudy
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
		suggestions: make([]timedSuggestion, 0, b.study), fits: make([]timedFit, 0, b.study),
		heaps: make([]heapMark, 0, b.study/heapEvery+100), ends: stretchEnds(b.study), closed: func(stretch) error { return nil },
	}
	s.empty = heldHeap()
	var err error
	if s.benchStudy, err = b.open(b.longConfig(), anyLength, b.seed); err != nil {
		return nil, err
	}
	s.initial = s.loop.Config().Initial
	s.weigh()
	return s, nil
}

// anyLength is the size by which the order of the answers is drawn, so that a study is the beginning of a longer one.
const anyLength = 0

// sent is how many queries were sent out.
func (s *longStudy) sent() int { return s.answers + len(s.pending) }

// expected is how many of the evaluations the policy chooses.
func (s *longStudy) expected() int { return s.study - s.initial }

// play goes on to the last answer. It calls each after every event that brings the study on.
func (s *longStudy) play(ctx context.Context, each func()) error {
	for s.answers < s.study {
		// When the last query is out there is nothing left that takes time.
		if err := ctx.Err(); err != nil && s.sent() < s.study {
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
	if s.ask.ID == 0 {
		if len(s.pending) == 0 {
			return errors.New("the loop asks for nothing, and nothing is pending")
		}
		answer = s.arrival()
	}
	begin := time.Now()
	if answer.Evaluation > 0 {
		if err := s.step(answer); err != nil {
			return err
		}
	}
	asked := s.ask.ID != 0
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
	out := timedSuggestion{evaluation: s.ask.Round}
	view, trouble := s.loop.Task().View()
	event := loop.Propose(s.ask, view, s.policy, s.seed)
	if p, ok := event.(loop.Proposed); ok {
		p.Trouble = trouble
		event = p
	}
	s.ask = loop.Ask{}
	err := s.step(event)
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
	if s.fit == nil {
		return nil
	}
	fit := *s.fit
	s.fit = nil
	begin := time.Now()
	event := fit.Run()
	seconds := time.Since(begin).Seconds()
	err := s.step(event)
	_, fitted := event.(loop.Fitted)
	s.refitted = fitted && s.fate == loop.FateTaken
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
	x := s.loop.Evaluations()[s.greatest.Evaluation-1].X
	return s.problem.Maximum - s.problem.Value(s.problem.Space.Value(x))
}
