package asktell

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// evaluation reads which attempt at which evaluation a request is about, and returns the evaluation as it stands.
func (r *request) evaluation(s Study) (tarry.EvaluationID, tarry.Evaluation) {
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
func (r *request) attempted(s Study) (tarry.EvaluationID, tarry.Evaluation) {
	id, before := r.evaluation(s)
	switch {
	case before.Foreign:
		r.wrong.add("id", strconv.Itoa(id.Evaluation), "the number of a query; this one was observed")
	case id.Evaluation > 0 && before.ID.Attempt == 0:
		r.wrong.add("id", strconv.Itoa(id.Evaluation), "the number of a query that was given out; this one waits for an ask")
	}
	return id, before
}

// greatCost is a cost with which their sum may not be finite, whatever number of evaluations there are.
const greatCost = math.MaxFloat64 / (2 * tarry.MaxBudget)

func (s *Server) tell(_ context.Context, r *request) (any, error) {
	id, before := r.attempted(s.Study)
	a := outcome.Answer{Evaluation: id.Evaluation, Attempt: id.Attempt}
	a.Infeasible = r.yes("infeasible")
	var valued, costed bool
	a.Value, valued = r.measure("value")
	a.Constraints = r.constraints(s.Study.Constraints(), valued)
	if a.Cost, costed = r.measure("cost"); a.Cost < 0 {
		r.wrong.add("cost", shown(r.fields["cost"]), aNumber+" ≥ 0")
	} else if a.Cost > greatCost && outcome.Finite(a.Cost) && !before.Measured {
		if others := s.settledCost(id.Evaluation); outcome.Finite(others) && !outcome.Finite(others+a.Cost) {
			r.wrong.add("cost", shown(r.fields["cost"]), fmt.Sprintf("%s ≥ 0 with a finite sum of all costs, which is %s", aNumber, jsonOf(others)))
		}
	}
	switch _, constrained := r.fields["constraints"]; {
	case valued:
	case !a.Infeasible:
		r.wrong.say("value: missing: want %s; an evaluation without one has failed", aNumber)
	case costed || constrained:
		r.wrong.say("value: missing: want %s with cost and constraints", aNumber)
	}
	if !r.fits() {
		return nil, nil
	}
	if !valued {
		a.Failure = outcome.Failure{Reason: "infeasible", Verdict: outcome.Infeasible}
	}
	return s.first(r, a, before)
}

// settledCost is what all evaluations but one cost that are over: what others are expected to cost is not settled. Cost O(n).
func (s *Server) settledCost(but int) (total float64) {
	for _, e := range s.Study.Result().Evaluations {
		switch {
		case e.ID.Evaluation == but, e.Foreign, e.Status == loop.Pending, e.Status == loop.Lost, e.Status == loop.Cancelled:
		default:
			total += s.cost(e)
		}
	}
	return total
}

// cost is what an evaluation counts as: what its answer said, or where that said nothing what its fidelity costs.
func (s *Server) cost(e tarry.Evaluation) float64 {
	if e.Measured && e.Cost > 0 {
		return e.Cost
	}
	return expectedCost(s.Study.Space(), e.X)
}

// first is told, with what stands where the evaluation has another answer.
func (s *Server) first(r *request, a outcome.Answer, before tarry.Evaluation) (any, error) {
	answer, err := s.told(r, a)
	switch cost := s.cost(before); {
	case err == nil && answer.Repeated && a.Cost > 0 && a.Cost != cost: // to be told once more may be without one
		return nil, standing{fmt.Sprintf("evaluation %d has cost %s, now %s: the first stands", a.Evaluation, jsonOf(cost), jsonOf(a.Cost))}
	case err == nil:
		if a.Failed() {
			answer.stands(before)
		}
		return answer, nil
	case !errors.Is(err, tarry.ErrContradiction):
		return nil, err
	}
	what, was, now := "value", jsonOf(before.Value), jsonOf(a.Value)
	switch {
	case a.Failed() || a.Value == before.Value && a.Infeasible:
		now = jsonOf("infeasible")
	case a.Value == before.Value:
		what, was, now = "constraints", jsonOf(before.Constraints), jsonOf(a.Constraints)
		if len(before.Constraints) == 0 {
			was = []byte("none")
		}
	}
	return nil, standing{fmt.Sprintf("evaluation %d has %s %s, now %s: the first stands", a.Evaluation, what, was, now)}
}

// told gives the study an answer in the client's name, and says what became of it. A value is late where nobody waited for its
// attempt any more, or where it came after the window.
func (s *Server) told(r *request, a outcome.Answer) (answer okAnswer, err error) {
	became, err := s.answered(r, loop.Answered(a, true))
	if err != nil {
		return answer, err
	}
	repeated := became.Fate == loop.FateRepeated
	return okAnswer{OK: true, Repeated: repeated, Late: !a.Failed() && !repeated && (became.Fate == loop.FateLate || became.Overdue)}, nil
}

// stands says which value stays, where the evaluation had one: who withdraws it should not think that it is gone.
func (a *okAnswer) stands(before tarry.Evaluation) {
	if a.Repeated && before.Status.Valued() {
		a.Stands = fmt.Sprintf("value %s", jsonOf(before.Value))
	}
}

// answered brings an event to the study, and returns what becomes of it once it is kept.
func (s *Server) answered(r *request, e loop.Event) (became loop.Reaction, err error) {
	became, r.kept, err = s.Study.AnswerAhead(e)
	return became, err
}

func (s *Server) fail(_ context.Context, r *request) (any, error) {
	id, before := r.attempted(s.Study)
	a := outcome.Answer{Evaluation: id.Evaluation, Attempt: id.Attempt}
	a.Reason = clipped(r.words("reason"))
	infeasible, lost := r.yes("infeasible"), r.yes("lost")
	switch {
	case infeasible && lost:
		r.wrong.say("infeasible and lost: want one of them: the point is to blame, or it is not")
	case infeasible:
		a.Verdict, a.Reason = outcome.Infeasible, cmp.Or(a.Reason, "infeasible")
	case lost:
		a.Verdict, a.Reason = outcome.Lost, cmp.Or(a.Reason, "lost")
	}
	a.Reason = cmp.Or(a.Reason, "failed")
	if !r.fits() {
		return nil, nil
	}
	return s.first(r, a, before)
}

// maxReason bounds what is kept of a reason, in bytes.
const maxReason = 1000

func clipped(reason string) string {
	if len(reason) > maxReason {
		return strings.ToValidUTF8(reason[:maxReason], "")
	}
	return reason
}

func (s *Server) cancel(_ context.Context, r *request) (any, error) {
	id, before := r.evaluation(s.Study)
	if !r.fits() {
		return nil, nil
	}
	if err := s.Study.Cancel(id.Evaluation, "cancelled by the client"); err != nil {
		return nil, err
	}
	answer := okAnswer{OK: true, Repeated: before.Status != tarry.Pending}
	answer.stands(before)
	return answer, nil
}

func (s *Server) renew(_ context.Context, r *request) (any, error) {
	id, before := r.attempted(s.Study)
	if !r.fits() {
		return nil, nil
	}
	if before.Running && id == before.ID {
		if _, err := s.answered(r, loop.Renewal(id.Evaluation, id.Attempt)); err != nil {
			return nil, err
		}
		if after, _ := s.Study.Evaluation(id.Evaluation); after.Running {
			return okAnswer{OK: true}, nil
		}
	}
	return nil, unawaited{fmt.Sprintf("nobody waits for attempt %d at evaluation %d any more; a value would count all the same", id.Attempt, id.Evaluation)}
}
