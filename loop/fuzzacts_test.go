package loop

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/hostile"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// take removes one of the open dispatches; without any it is an evaluation that does not exist.
func (s *fuzzStudy) take() Dispatch {
	k := int(s.byte())
	if len(s.dispatches) == 0 {
		return Dispatch{Evaluation: k, Attempt: 1}
	}
	k %= len(s.dispatches)
	d := s.dispatches[k]
	s.dispatches = append(s.dispatches[:k], s.dispatches[k+1:]...)
	return d
}

// The things that may happen.
const (
	actValue = iota // an open dispatch is answered
	actFail
	actRepeat // a value for any evaluation and attempt near those that exist
	actUnknown
	actFollows
	actJoin
	actLeave
	actWake
	actContext // one of the space
	actAnyContext
	actPolicy // the policy answers the open ask
	actForced // a forced point does
	actAnyPoint
	actProposeFailed
	actFit
	actAnyFit
	actFitFailed
	actStop
	actVerdict // an open dispatch fails, for any reason
	actOutcome // an open dispatch is answered, with costs and constraints
	actRenew
	actCancel
	actObserve // a point of the space
	actAnyObserve
	actRequest // a point of the space
	actAnyRequest
	actResume
	actBudget
	actReport // an open dispatch reports, any number or one near its value
	actAnyReport
	actions
)

// act does what the next bytes say.
func (s *fuzzStudy) act() {
	n := len(s.loop.Evaluations())
	switch action := s.below(actions); action {
	case actValue:
		d := s.take()
		s.step(FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(s.float())})
	case actFail:
		d := s.take()
		s.step(EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "broken"}})
	case actRepeat:
		s.step(FeedbackArrived{Evaluation: s.below(n + 2), Attempt: s.below(4), Outcome: outcome.Of(s.float())})
	case actUnknown:
		s.step(FeedbackArrived{Evaluation: int(int8(s.byte())), Attempt: int(int8(s.byte())), Outcome: outcome.Of(1)})
		s.step(EvaluationFailed{Evaluation: int(int8(s.byte())), Attempt: int(int8(s.byte())), Failure: outcome.Failure{Reason: ""}})
	case actFollows:
		d := s.take()
		s.step(AnswerFollows{d.Evaluation, d.Attempt, d.Evaluation%3 == 0})
		s.dispatches = append(s.dispatches, d)
	case actJoin:
		s.step(WorkerJoined{s.below(4), int(int8(s.byte()))})
	case actLeave:
		s.step(WorkerLeft{s.below(4), "gone"})
		s.step(WorkerResized{s.below(4), int(int8(s.byte()))})
	case actWake:
		s.now += time.Duration(s.byte()) * time.Millisecond
		s.step(Woke{})
	case actContext:
		s.step(ContextArrived{hostile.Context(s.config.Space, s.seed, s.below(256))})
	case actAnyContext:
		s.step(ContextArrived{s.floats(s.below(4))})
	case actStop:
		if s.byte() == actStop { // rarely
			s.step(StopRequested{"enough"})
		}
	case actFit, actAnyFit, actFitFailed:
		s.answerFit(action)
	case actVerdict, actOutcome, actRenew, actCancel, actObserve, actAnyObserve, actRequest, actAnyRequest, actResume, actBudget, actReport, actAnyReport:
		s.visit(action)
	default:
		s.answerAsk(action)
	}
}

// answerFit computes the open fit, or says anything in its place.
func (s *fuzzStudy) answerFit(action int) {
	fit, id := s.fit, 1 // answered already, or never begun
	if fit != nil {
		id = fit.ID
	}
	s.fit = nil
	switch {
	case action == actAnyFit:
		s.step(Fitted{Fit: id, Hyper: s.floats(s.below(4)), Noise: s.float()})
	case action == actFitFailed || fit == nil || s.fits == fuzzFits:
		s.step(FitFailed{id, "no result"})
	default:
		s.fits++
		fitted := fit.Run()
		if _, failed := fitted.(FitFailed); failed {
			s.t.Errorf("%+v", fitted)
		}
		s.step(fitted)
	}
}

// answerAsk lets the policy answer the open ask, or says anything in its place.
func (s *fuzzStudy) answerAsk(action int) {
	ask, place, number := s.ask, hostile.Free, s.ask.Round
	if action == actForced {
		place, number = hostile.Points(s.below(1+len(hostile.Forced()))), s.below(256)
	}
	if s.finished || ask.ID == 0 { // answered already, or never asked
		s.step(Proposed{Ask: ask.ID})
		return
	}
	s.ask = Ask{}
	dim := s.config.Space.Dim()
	switch {
	case action == actPolicy && s.asks < fuzzAsks:
		s.asks++
		view, trouble := s.loop.Task().View()
		event := Propose(ask, view, s.policy, s.seed)
		proposed, ok := event.(Proposed)
		if !ok {
			s.t.Fatalf("the policy failed: %+v", event)
		}
		for _, p := range proposed.Proposals {
			s.inspect(view, p)
		}
		proposed.Trouble = trouble
		s.step(proposed)
	case action == actAnyPoint:
		s.step(Proposed{Ask: ask.ID, Proposals: []policies.Proposal{{X: s.floats(dim)}}})
	case action == actProposeFailed:
		s.step(ProposeFailed{ask.ID, "no idea"})
	default:
		p := policies.Proposal{X: s.config.Space.Snap(place.At(s.seed, number, dim))}
		s.inspect(s.loop.View(), p)
		s.step(Proposed{Ask: ask.ID, Proposals: []policies.Proposal{p}})
	}
}

// inspect wants a proposal inside the space, and everything that is predicted there to be finite.
func (s *fuzzStudy) inspect(v policies.View, p policies.Proposal) {
	s.t.Helper()
	err := s.config.Space.ContainsUnit(p.X)
	if err != nil {
		s.t.Fatalf("round %d: %v", v.Round, err)
	}
	if f := p.Forecast; f != nil {
		err = errors.Join(finite("forecast", f.Mean, f.Shift, f.Scale), positive("forecast", f.Stddev))
	}
	if v.Posterior != nil {
		mean, variance := v.Posterior.Predict(p.X)
		err = errors.Join(err, finite("mean", mean), positive("variance", variance), finite("pool", v.Posterior.PoolMean()...), positive("pool", v.Posterior.PoolVariance()...))
	}
	if err != nil {
		s.t.Fatalf("round %d, at %v: %v", v.Round, p.X, err)
	}
}

func finite(what string, values ...float64) error {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: %v among %v", what, v, values)
		}
	}
	return nil
}

func positive(what string, values ...float64) error {
	for _, v := range values {
		if !(v >= 0) {
			return fmt.Errorf("%s: %v among %v", what, v, values)
		}
	}
	return finite(what, values...)
}

// judge wants the best value of a result to be one.
func (s *fuzzStudy) judge(r Result) {
	s.t.Helper()
	valued := 0
	for _, e := range r.Evaluations {
		if e.Status.Valued() {
			valued++
		}
	}
	if (r.Best != nil) != (valued > 0) || (r.Recommended != nil) != (valued > 0) {
		s.t.Fatalf("best %v, recommended %v, %d values", r.Best, r.Recommended, valued)
	}
	if r.Best != nil && finite("best", r.Best.Value) != nil {
		s.t.Fatalf("best value %v", r.Best.Value)
	}
}

// end stops the study; what is still running answers afterwards. A replay comes to the same state.
func (s *fuzzStudy) end() {
	s.step(StopRequested{"the bytes are at their end"})
	if !s.finished {
		s.t.Fatal("a study that was stopped goes on")
	}
	for _, d := range s.dispatches {
		s.step(FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(1)})
	}
	s.judge(s.loop.Result())
	if replay(s.t, s.config, s.events, nil).Digest() != s.loop.Digest() {
		s.t.Fatal("another digest in the replay")
	}
}
