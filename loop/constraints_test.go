package loop

import (
	"math"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// constrained is a study that names two constraints, and whose first six queries are under way.
type constrained struct {
	t *testing.T
	*Loop
}

func newConstrained(t *testing.T, change func(*Config)) constrained {
	t.Helper()
	c := valid(t)
	c.Constraints = []outcome.Constraint{outcome.AtMost("latency", 0.2), outcome.AtLeast("recall", 0.5)}
	c.Initial = 6
	if change != nil {
		change(&c)
	}
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	s := constrained{t, l}
	s.step(WorkerJoined{1, 6})
	return s
}

func (s constrained) step(e Event) Reaction {
	s.t.Helper()
	r, err := s.Step(Stamped{Seq: s.seq + 1, At: s.now, Event: e})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		s.t.Fatal(err)
	}
	return r
}

func (s constrained) tell(n int, value float64, constraints ...float64) Reaction {
	s.t.Helper()
	return s.step(FeedbackArrived{Evaluation: n, Attempt: 1, Outcome: outcome.Outcome{Value: value, Constraints: constraints}})
}

// valuesOf are those that an output of the model has seen.
func (s constrained) valuesOf(o model.Output) []float64 {
	return s.model.Answers(o).Values(s.config.Traits.Pending)
}

func TestAViolatedConstraintIsNoFailure(t *testing.T) {
	s := newConstrained(t, nil)
	s.tell(1, 3, 0.2, 0.5) // both hold, just so
	s.tell(2, 9, 0.31, 0.9)
	s.tell(3, 1, 0.1, 0.6)
	e := s.Evaluations()[1]
	if e.Status != Infeasible || !e.Infeasible || !e.Measured || e.Value != 9 || e.Seen == 0 || e.Reason != "latency is 0.31: want at most 0.2" {
		t.Errorf("%+v", e)
	}
	if got := s.valuesOf(model.Objective); len(got) != 3 {
		t.Errorf("the objective learned %v", got)
	}
	if got := s.valuesOf(model.Constraint(0)); len(got) != 3 || math.Abs(got[1]+0.11) > 1e-12 {
		t.Errorf("the margins of latency are %v", got)
	}
	if got := s.valuesOf(model.Constraint(1)); len(got) != 3 || got[0] != 0 {
		t.Errorf("the margins of recall are %v", got)
	}
	r := s.Result()
	if r.Best.Number != 1 || r.Recommended.Status != Observed || r.Feasible == nil || len(r.Feasible.Constraints) != 2 {
		t.Errorf("best %+v, recommended %+v, feasible %+v", r.Best, r.Recommended, r.Feasible)
	}
	if c := s.Counters(); c.Infeasible != 1 || c.Failures != 0 {
		t.Errorf("%+v", c)
	}
	if h := s.ledger.history; len(h) != 3 || !h[1].Infeasible || h[0].Infeasible {
		t.Errorf("history %+v", h)
	}
}

func TestValuesOfInfeasiblePointsCanBeIgnored(t *testing.T) {
	s := newConstrained(t, func(c *Config) { c.IgnoreInfeasible = true })
	s.tell(1, 3, 0.2, 0.5)
	s.tell(2, 9, 0.31, 0.9)
	if got := s.valuesOf(model.Objective); len(got) != 1 || got[0] != 3 {
		t.Errorf("the objective learned %v", got)
	}
	if got := s.valuesOf(model.Constraint(1)); len(got) != 2 {
		t.Errorf("the margins of recall are %v", got)
	}
	if len(s.ledger.history) != 1 {
		t.Errorf("history %+v", s.ledger.history)
	}
}

func TestAnAttemptWithoutEveryConstraintHasFailed(t *testing.T) {
	s := newConstrained(t, func(c *Config) { c.Retries = 1 })
	for i, values := range [][]float64{nil, {0.1}, {0.1, 0.6, 0.7}} {
		if r := s.tell(i+1, 5, values...); r.Fate != FateTriedAgain {
			t.Errorf("%v: %v", values, r.Fate)
		}
	}
	e := s.Evaluations()[1]
	if e.Measured || e.Status != Pending || !strings.Contains(e.Reason, "constraints.recall = missing: want a finite number") {
		t.Errorf("%+v", e)
	}
	if c := s.Counters(); c.NotFinite != 0 || c.Failures != 3 {
		t.Errorf("%+v", c)
	}
	s.step(FeedbackArrived{Evaluation: 1, Attempt: 2, Outcome: outcome.Outcome{Value: 5, Constraints: []float64{0.1, 0.9}}})
	if got := s.Evaluations()[0]; got.Status != Observed || got.Value != 5 {
		t.Errorf("%+v", got)
	}
}

func TestAPointThatIsInfeasibleByWordHasNoMargins(t *testing.T) {
	s := newConstrained(t, nil)
	s.step(FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Outcome{Value: 5, Constraints: []float64{0.1, 0.9}, Infeasible: true}})
	s.step(EvaluationFailed{Evaluation: 2, Attempt: 1, Failure: outcome.Failure{Verdict: outcome.Infeasible}})
	s.tell(2, 5, 0.3, 0.9) // and all the same it has a value, which violates a constraint
	for n, seen := range []bool{false, true} {
		e := s.Evaluations()[n]
		if e.Status != Infeasible || e.Seen > 0 != seen || s.model.Answers(model.Constraint(0)).Revealed(n+1) != seen {
			t.Errorf("%+v", e)
		}
	}
}

func TestAnObservationNeedsEveryConstraintToo(t *testing.T) {
	s := newConstrained(t, nil)
	x := []float64{0.5, 1}
	if r := s.step(ObservationArrived{X: x, Value: 7}); r.Fate != FateRefused {
		t.Errorf("%v", r.Fate)
	}
	s.step(ObservationArrived{X: x, Value: 7, Constraints: []float64{0.1, 0.4}})
	s.step(ObservationArrived{X: x, Value: 6, Constraints: []float64{0.1, 0.6}})
	all := s.Evaluations()
	if n := len(all); all[n-2].Status != Infeasible || all[n-1].Status != Observed || s.Result().Best.Value != 6 {
		t.Errorf("%+v", all[n-2:])
	}
}

// As long as no feasible point is known the policy is not asked; the view chooses where one is likely.
func TestAViewHasAModelOfEachConstraint(t *testing.T) {
	s := newConstrained(t, nil)
	for n := range 6 {
		x := s.Evaluations()[n].X
		s.tell(n+1, 1, 0.3+x[0], 0.9)
	}
	if f, open := s.model.Fitting(); open {
		s.step(FitFailed{f.ID, "no time"})
	}
	for {
		f, open := s.model.Fitting()
		if !open {
			break
		}
		s.step(FitFailed{f.ID, "no time"})
	}
	v := s.View()
	if len(v.Constraints) != 2 || v.Constraints[0].Name != "latency" || v.Constraints[1].Posterior.Len() != 6 || v.Incumbent != nil {
		t.Fatalf("%+v", v.Constraints)
	}
	e := s.Task().Run(must.Get(policies.Parse("gp-bucb"))(t))
	p, is := e.(Proposed)
	if !is || p.Proposals[0].X[0] > 0.1 {
		t.Errorf("%+v: want a small x, where latency is least", e)
	}
}

func TestConstraintsOfAStudyAreValidated(t *testing.T) {
	c := valid(t)
	c.IgnoreInfeasible = true
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "Config.IgnoreInfeasible = true: want false, or Constraints") {
		t.Error(err)
	}
	c.Constraints = []outcome.Constraint{outcome.AtMost("a", 1), outcome.AtLeast("a", 0)}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "Config.Constraints") || !strings.Contains(err.Error(), "a is there twice") {
		t.Error(err)
	}
}
