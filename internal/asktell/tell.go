package asktell

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry"
)

// evaluation reads which attempt at which evaluation a request is about, and returns the evaluation as it stands.
func (r *request) evaluation(s *tarry.Study) (tarry.EvaluationID, tarry.Evaluation) {
	number, known := 0, s.Evaluations()
	switch value, given := r.fields["id"]; {
	case !given:
		r.wrong.say("id: missing: want the number of a query")
	case known == 0:
		r.wrong.add("id", shown(value), "the number of a query; there is none yet")
	default:
		number = r.whole("id", 1, known, 0)
	}
	before, exists := s.Evaluation(number)
	attempts := max(before.ID.Attempt, 1)
	if !exists {
		attempts = math.MaxInt32
	}
	return tarry.EvaluationID{Evaluation: number, Attempt: r.whole("attempt", 1, attempts, before.ID.Attempt)}, before
}

// attempted is evaluation for what needs an attempt.
func (r *request) attempted(s *tarry.Study) (tarry.EvaluationID, tarry.Evaluation) {
	id, before := r.evaluation(s)
	switch {
	case before.Foreign:
		r.wrong.add("id", strconv.Itoa(id.Evaluation), "the number of a query; this one was observed")
	case id.Evaluation > 0 && before.ID.Attempt == 0:
		r.wrong.add("id", strconv.Itoa(id.Evaluation), "the number of a query that was given out; this one waits for an ask")
	}
	return id, before
}

func (s *Server) tell(_ context.Context, r *request) (any, error) {
	id, before := r.attempted(s.Study)
	outcome := tarry.Outcome{Constraints: r.numbers("constraints"), Infeasible: r.yes("infeasible")}
	value, valued := r.measure("value")
	cost, costed := r.measure("cost")
	outcome.Value, outcome.Cost = value, cost
	switch _, constrained := r.fields["constraints"]; {
	case valued:
	case !outcome.Infeasible:
		r.wrong.say("value: missing: want %s; an evaluation without one has failed", aNumber)
	case costed || constrained:
		r.wrong.say("value: missing: want %s with cost and constraints", aNumber)
	}
	if !r.fits() {
		return nil, nil
	}
	if !valued {
		return s.lapse(id, before, failure{"infeasible", tarry.ErrInfeasible})
	}
	switch err := s.Study.TellOutcome(id, outcome); {
	case errors.Is(err, tarry.ErrContradiction):
		return nil, fmt.Errorf("evaluation %d has value %s, now %s: the first stands", id.Evaluation, jsonOf(before.Value), jsonOf(value))
	case err != nil:
		return nil, err
	case before.Measured:
		return okAnswer{OK: true, Repeated: true}, nil
	}
	after, _ := s.Study.Evaluation(id.Evaluation)
	return okAnswer{OK: true, Late: isLate(id, before, after)}, nil
}

// isLate reports whether a value came after its attempt was given up, or after the window.
func isLate(id tarry.EvaluationID, before, after tarry.Evaluation) bool {
	switch {
	case before.Status != tarry.Pending || !before.Running || id.Attempt < before.ID.Attempt:
		return true
	case after.Status == tarry.Observed:
		return after.Reason != before.Reason // it timed out when the value came, and would have been tried again
	}
	return after.Status == tarry.Late
}

func (s *Server) fail(_ context.Context, r *request) (any, error) {
	id, before := r.attempted(s.Study)
	why := failure{reason: r.words("reason")}
	infeasible, lost := r.yes("infeasible"), r.yes("lost")
	switch {
	case infeasible && lost:
		r.wrong.say("infeasible and lost: want one of them: the point is to blame, or it is not")
	case infeasible:
		why.kind = tarry.ErrInfeasible
	case lost:
		why.kind = tarry.ErrLost
	}
	if !r.fits() {
		return nil, nil
	}
	return s.lapse(id, before, why)
}

// lapse tells of an attempt without a value.
func (s *Server) lapse(id tarry.EvaluationID, before tarry.Evaluation, why failure) (any, error) {
	if err := s.Study.Fail(id, why); err != nil {
		return nil, err
	}
	after, _ := s.Study.Evaluation(id.Evaluation)
	return okAnswer{OK: true, Repeated: after.Status == before.Status && after.Running == before.Running}, nil
}

// maxReason bounds what is kept of a reason, in bytes.
const maxReason = 1000

// failure is why an attempt has no value, in the client's words.
type failure struct {
	reason string
	kind   error // nil: it may be tried again
}

func (f failure) Error() string {
	switch {
	case f.reason == "":
		return "failed"
	case len(f.reason) > maxReason:
		return strings.ToValidUTF8(f.reason[:maxReason], "")
	}
	return f.reason
}

func (f failure) Unwrap() error { return f.kind }

func (s *Server) cancel(_ context.Context, r *request) (any, error) {
	id, before := r.evaluation(s.Study)
	if !r.fits() {
		return nil, nil
	}
	if err := s.Study.Cancel(id.Evaluation, "cancelled by the client"); err != nil {
		return nil, err
	}
	return okAnswer{OK: true, Repeated: before.Status != tarry.Pending}, nil
}

func (s *Server) renew(_ context.Context, r *request) (any, error) {
	id, before := r.attempted(s.Study)
	if !r.fits() {
		return nil, nil
	}
	if before.Running && id == before.ID {
		if err := s.Study.Renew(id); err != nil {
			return nil, err
		}
		if after, _ := s.Study.Evaluation(id.Evaluation); after.Running {
			return okAnswer{OK: true}, nil
		}
	}
	return nil, fmt.Errorf("nobody waits for attempt %d at evaluation %d any more; a value would count all the same", id.Attempt, id.Evaluation)
}
