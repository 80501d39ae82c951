package loop

import (
	"github.com/tarry-bo/tarry/internal/lab/hostile"
	"github.com/tarry-bo/tarry/outcome"
)

// visit does what the next bytes say of one of the things that those around a study may do.
func (s *fuzzStudy) visit(action int) {
	n := len(s.loop.Evaluations())
	switch action {
	case actVerdict:
		d := s.take()
		s.step(EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "broken", Verdict: outcome.Verdict(s.below(3))}})
	case actOutcome:
		d := s.take()
		how := s.byte()
		e := FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Outcome{Value: float64(how), Infeasible: set(how, 0)}}
		if set(how, 1) {
			e.Value, e.Cost = s.float(), s.float()
		}
		if set(how, 2) {
			e.Constraints = s.floats(s.below(3))
		}
		s.step(e)
	case actRenew:
		s.step(LeaseRenewed{s.below(n + 2), s.below(4)})
	case actCancel:
		s.step(CancelRequested{s.below(n + 2), "not needed"})
	case actObserve:
		x := s.point()
		s.step(ObservationArrived{X: x, Value: s.float()})
	case actAnyObserve:
		s.step(ObservationArrived{X: s.floats(s.below(4)), Value: s.float()})
	case actRequest:
		x := s.point()
		if actions := s.config.Space.Actions(); s.byte()%2 == 0 { // without the contexts
			for j, i := range actions {
				x[j] = x[i]
			}
			x = x[:len(actions)]
		}
		s.step(QueryEnqueued{x})
	case actAnyRequest:
		s.step(QueryEnqueued{s.floats(s.below(4))})
	case actResume:
		s.step(Resumed{})
		s.step(WorkerJoined{1, 1 + s.below(4)})
	case actReport:
		if k := s.byte(); len(s.dispatches) > 0 {
			d := s.dispatches[int(k)%len(s.dispatches)]
			s.step(Reported{d.Evaluation, d.Attempt, float64(s.below(4)), float64(s.below(8))})
		}
	case actAnyReport:
		s.step(Reported{s.below(n + 2), s.below(4), s.float(), s.float()})
	case actBudget:
		s.step(BudgetSet{Budget: int(int8(s.byte()))})
	}
}

// point is one of the space, in user units.
func (s *fuzzStudy) point() []float64 {
	place, number := hostile.Points(s.below(1+len(hostile.Forced()))), s.below(256)
	space := s.config.Space
	return space.Value(space.Snap(place.At(s.seed, number, space.Dim())))
}

// fuzzVisits are the bytes of a visit after the answer of query number, none after most.
func fuzzVisits(number int) []byte {
	if number < 4 || number > 20 {
		return []byte{actReport, 0, 1, byte(number % 7)}
	}
	switch number {
	case 8, 11, 13:
		return []byte{actReport, 0, 1, byte(number % 8), actReport, 0, 2, byte(number % 5), actReport, 1, 1, 3, actReport, 0, 0, 7, actAnyReport, byte(number), 1, 127, 240, 0, 0, 0, 0, 0, 0}
	case 5, 6, 7:
		return []byte{actObserve, byte(number % 4), byte(number), 64, 8, 0, 0, 0, 0, 0, 0} // 3
	case 9, 14:
		return []byte{actRequest, 0, byte(number), byte(number)}
	case 10:
		return []byte{actVerdict, 0, 1, actOutcome, 0, 5, 1, 63, 240, 0, 0, 0, 0, 0, 0} // a constraint of 1
	case 12:
		return []byte{actVerdict, 0, 2, actCancel, 14, actCancel, 15, actCancel, 16}
	case 16:
		return []byte{actFollows, 0, actRenew, 16, 1, actWake, 250, actWake, 250} // the lease ends
	case 18:
		return []byte{actResume, 3}
	case 20:
		return []byte{actBudget, 0, actBudget, 60, actResume, 2}
	}
	return nil
}
