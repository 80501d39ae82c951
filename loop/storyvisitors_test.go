package loop

import (
	"slices"
	"time"

	"github.com/tarry-bo/tarry/outcome"
)

// visit does one of the things that those around a study may do.
func (s *story) visit(k int) {
	s.t.Helper()
	if (k < 5 || k > 7) && len(s.running) == 0 {
		return
	}
	switch k {
	case 0:
		d := s.take(&s.running)
		s.failed = append(s.failed, d)
		s.step(CancelRequested{d.Evaluation, "not needed"})
	case 1:
		d := s.take(&s.running)
		s.failed = append(s.failed, d)
		s.step(EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "impossible", Verdict: outcome.Infeasible}})
	case 2:
		d := s.take(&s.running)
		s.step(FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Outcome{Value: s.quality(d.X), Cost: 2, Constraints: []float64{-1, 0.5}}})
	case 3:
		d := s.running[s.stream.IntN(len(s.running))]
		if s.loop.Evaluations()[d.Evaluation-1].Holds { // there is a slot for it at once
			s.step(EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "preempted", Verdict: outcome.Lost}})
		}
	case 4:
		d := s.running[s.stream.IntN(len(s.running))]
		if s.loop.Evaluations()[d.Evaluation-1].Holds {
			s.step(AnswerFollows{Evaluation: d.Evaluation, Attempt: d.Attempt})
		} else {
			s.step(LeaseRenewed{d.Evaluation, d.Attempt})
		}
	case 5:
		s.now += time.Duration(s.stream.IntN(10)) * time.Second // leases end after five
		s.step(Woke{})
	case 6:
		s.bring()
	case 7:
		s.interrupt()
	default:
		s.report()
	}
}

// report lets one that runs say how far it is. Reports are near the value to come, and often out of order.
func (s *story) report() {
	s.t.Helper()
	d := s.running[s.stream.IntN(len(s.running))]
	s.step(Reported{d.Evaluation, d.Attempt, float64(1 + s.stream.IntN(4)), s.quality(d.X) / 2})
}

// bring comes with a point: one that was measured elsewhere, or one that the next query shall be.
func (s *story) bring() {
	s.t.Helper()
	x := s.config.Space.Value(s.config.Space.Random(s.stream))
	if s.stream.IntN(2) == 0 {
		s.step(ObservationArrived{X: x, Value: s.quality(x)})
	} else {
		s.step(QueryEnqueued{x})
	}
}

// interrupt takes the worker away, or all that drives the study, and brings a worker back.
func (s *story) interrupt() {
	s.t.Helper()
	if s.stream.IntN(2) == 0 {
		s.step(WorkerLeft{1, "gone"})
	} else {
		s.step(Resumed{})
	}
	s.step(WorkerJoined{Worker: 1, Slots: s.slots})
}

// forget drops what may still be said of the attempts of an evaluation so far.
func (s *story) forget(number int) {
	of := func(d Dispatch) bool { return d.Evaluation == number }
	s.running, s.failed = slices.DeleteFunc(s.running, of), slices.DeleteFunc(s.failed, of)
}

// about is one of the things that can be said of an attempt that may still be answered.
func (s *story) about(d Dispatch, i int) Event {
	switch e := s.loop.Evaluations()[d.Evaluation-1]; {
	case i%9 == 3:
		return EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "broken"}}
	case i%9 == 4:
		return EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "impossible", Verdict: outcome.Infeasible}}
	case i%9 == 5:
		return FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Outcome{Value: 200, Constraints: []float64{1}}}
	case i%9 == 6:
		return CancelRequested{d.Evaluation, "not needed"}
	case i%9 == 7 && e.Holds: // there is a slot for it at once
		return EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "preempted", Verdict: outcome.Lost}}
	case i%9 == 8 && !e.Holds:
		return LeaseRenewed{d.Evaluation, d.Attempt}
	case i%9 == 8:
		return AnswerFollows{Evaluation: d.Evaluation, Attempt: d.Attempt}
	}
	return FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(100 + float64(i%2))} // the greatest of all, some of them equal
}
