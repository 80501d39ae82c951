package asktell

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/tarry-bo/tarry"
)

// maxQueries bounds the queries of one ask.
const maxQueries = 1000

func (s *Server) ask(ctx context.Context, r *request) (any, error) {
	n := r.whole("n", 1, maxQueries, 1)
	world := r.context(s.Study.Space())
	if !r.fits() {
		return nil, nil
	}
	answer := queriesAnswer{Queries: []query{}}
	for range n {
		if s.Paused() && s.Study.Result().Reason == "" {
			answer.Held = Paused
			break
		}
		q, kept, err := s.Study.AskAhead(world...)
		r.kept = kept // the last one is enough: what comes before is kept before
		switch {
		case errors.Is(err, tarry.ErrBudgetSpent):
			answer.Held = "budget spent"
			return answer, nil
		case errors.Is(err, tarry.ErrAwaiting):
			answer.Held = strings.NewReplacer("tarry: ", "", "Options.Pending", "the option pending").Replace(err.Error())
			return answer, nil
		case err != nil && len(answer.Queries) == 0:
			return nil, err
		case err != nil: // those that were given out are the client's
			answer.Error, answer.Line = s.refusal(err, r.line).Error, r.line
			return answer, err
		}
		answer.Queries = append(answer.Queries, s.query(q))
		if ctx.Err() != nil { // a policy may think for long
			break
		}
	}
	return answer, nil
}

func (s *Server) query(q tarry.Query) query {
	out := query{ID: q.ID.Evaluation, X: point{s.Study.Space(), q.X}, Cost: expectedCost(s.Study.Space(), q.X)}
	if q.ID.Attempt > 1 {
		out.Attempt = q.ID.Attempt
	}
	if !q.Deadline.IsZero() {
		out.Deadline = q.Deadline.UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano)
	}
	return out
}

// expectedCost is what an evaluation costs by its fidelity; 0 without one.
func expectedCost(s tarry.Space, x tarry.Point) float64 {
	i, has := s.Fidelity()
	if !has {
		return 0
	}
	return s.Parameter(i).Cost(x[i])
}

func (s *Server) observe(_ context.Context, r *request) (any, error) {
	x := r.point(s.Study.Space(), false)
	value, given := r.measure("value")
	if !given {
		r.wrong.say("value: missing: want %s", aNumber)
	}
	measured := r.constraints(s.Study.Constraints(), true)
	if !r.fits() {
		return nil, nil
	}
	became, err := s.Study.Answer(tarry.Observation{X: x, Value: value, Constraints: measured})
	if err != nil {
		return nil, err
	}
	return okAnswer{OK: true, ID: became.Evaluation}, nil
}

func (s *Server) enqueue(_ context.Context, r *request) (any, error) {
	x := r.point(s.Study.Space(), true)
	if !r.fits() {
		return nil, nil
	}
	if err := s.Study.Enqueue(x); err != nil {
		return nil, err
	}
	return okAnswer{OK: true}, nil
}

func (s *Server) best(context.Context, *request) (any, error) {
	if e, some := s.Study.Best(); some {
		return bestAnswer{foundOf(s.Study.Space(), &e)}, nil
	}
	return bestAnswer{}, nil
}

func (s *Server) predict(_ context.Context, r *request) (any, error) {
	x := r.point(s.Study.Space(), false)
	if !r.fits() {
		return nil, nil
	}
	p, err := s.Study.Predict(x)
	switch {
	case errors.Is(err, tarry.ErrNoModel):
		return predictionAnswer{Reason: err.Error()}, nil
	case err != nil:
		return nil, err
	}
	answer := predictionAnswer{Prediction: predictionOf(&p)}
	if f, err := s.Study.Feasible(x); err == nil {
		answer.Prediction.with(f)
	}
	return answer, nil
}

func (s *Server) recommend(_ context.Context, r *request) (any, error) {
	world := r.context(s.Study.Space())
	if !r.fits() {
		return nil, nil
	}
	p, err := s.Study.Recommend(world...)
	switch {
	case errors.Is(err, tarry.ErrNoModel):
		return recommendationAnswer{Reason: err.Error()}, nil
	case err != nil:
		return nil, err
	}
	found := &recommendation{point{s.Study.Space(), p.X}, *predictionOf(&p.Prediction)}
	found.with(p.Feasible)
	return recommendationAnswer{Recommendation: found}, nil
}

func (s *Server) help(context.Context, *request) (any, error) {
	var answer helpAnswer
	for _, o := range operations {
		answer.Operations = append(answer.Operations, described{o.name, append([]string{}, o.fields...), o.does})
	}
	for _, c := range s.Study.Constraints() {
		answer.Constraints = append(answer.Constraints, c.String())
	}
	for _, p := range s.Study.Space().Parameters() {
		line := p.Name + ": " + wanted(p)
		for i, c := range p.Conditions {
			line += []string{", where ", " and "}[min(i, 1)] + c.String()
		}
		answer.Parameters = append(answer.Parameters, line)
	}
	return answer, nil
}

func (s *Server) state(context.Context, *request) (any, error) {
	result := s.Study.Result()
	answer := stateAnswer{
		Evaluations: len(result.Evaluations), Budget: result.Budget, Cost: amount(result.Cost), BudgetCost: result.BudgetCost, Pending: []open{}, Coverage: result.Coverage,
		Best: foundOf(s.Study.Space(), result.Best), Recommended: foundOf(s.Study.Space(), result.Recommended), Expected: predictionOf(result.Expected),
		Safety: result.Safety,
		Policy: result.Policy, Seed: result.Seed, Minimize: result.Minimize, Ended: result.Reason, Paused: s.Paused(),
	}
	if answer.Expected != nil {
		answer.Expected.with(result.Feasible)
	}
	for _, e := range result.Evaluations {
		answer.Counts[e.Status]++
		if e.Status != tarry.Pending {
			continue
		}
		p := open{ID: e.ID.Evaluation, Attempt: e.ID.Attempt, X: point{s.Study.Space(), e.X}, Waiting: !e.Running}
		if e.ID.Attempt > 0 {
			p.Age = seconds((result.Elapsed - e.Began).Seconds())
		}
		answer.Pending = append(answer.Pending, p)
	}
	return answer, nil
}
