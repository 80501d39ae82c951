package portrait

import (
	"math"

	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// CountersOf returns what was answered and dropped, or replaced, in the order in which it is told.
func CountersOf(l *loop.Loop) []Counter {
	c := l.Counters()
	return []Counter{
		{"failures", "attempts that failed", c.Failures},
		{"timeouts", "attempts that took too long", c.Timeouts},
		{"vanished", "attempts lost with their workers", c.Vanished},
		{"infeasible", "attempts at infeasible points", c.Infeasible},
		{"expired", "leases that ended", c.Expired},
		{"forgotten", "silent queries left out of the model", c.Forgotten},
		{"given_up", "silent queries given up", c.GivenUp},
		{"reports", "reports on the way", c.Reports},
		{"resaid", "reports that came again", c.Resaid},
		{"contested", "reports of a step that had another value", c.Contested},
		{"stale", "reports of an earlier step", c.Stale},
		{"overdue", "reports after the end", c.Overdue},
		{"malformed", "reports that were not finite", c.Malformed},
		{"stopped", "evaluations ended early", c.Stopped},
		{"late_values", "late values", c.LateValues},
		{"not_finite", "values that were not finite", c.NotFinite},
		{"repeated", "answers that came again", c.Repeated},
		{"contradictory", "second values that differ from the first", c.Contradictory},
		{"unknown", "answers to nothing that was asked", c.Unknown},
		{"dropped", "requests that were dropped", c.Dropped},
		{"restarts", "times it was resumed", c.Restarts},
		{"revisits", "queries at points that had a value", c.Revisits},
		{"fits", "fits of the hyperparameters", c.Fits},
		{"fit_failures", "fits without a result", c.FitFailures},
		{"fallbacks", "queries that fill the space since the policy failed", c.Fallbacks},
		{"jittered", "queries with jitter in the model", c.Jittered},
		{"lifted", "queries with lifted pivots", c.Lifted},
		{"merged", "queries with merged points", c.Merged},
		{"raised", "queries with more noise", c.Raised},
	}
}

// Bounded is a constraint of a study as JSON.
type Bounded struct {
	Name    string   `json:"name"`
	AtMost  *float64 `json:"at_most,omitempty"`
	AtLeast *float64 `json:"at_least,omitempty"`
}

// BoundedOf returns a constraint as JSON.
func BoundedOf(c outcome.Constraint) Bounded {
	if c.Least {
		return Bounded{Name: c.Name, AtLeast: &c.Bound}
	}
	return Bounded{Name: c.Name, AtMost: &c.Bound}
}

// Feasibility is a loop.Feasibility as JSON.
type Feasibility struct {
	Probability float64  `json:"probability"`
	Constraints []Margin `json:"constraints"`
}

// Margin is what is known of a constraint at a point.
type Margin struct {
	Bounded
	Measured    float64 `json:"measured"`
	Margin      float64 `json:"margin"` // of what was measured; >= 0 where the constraint holds
	Mean        float64 `json:"mean"`
	Stddev      float64 `json:"stddev"`
	Noise       float64 `json:"noise"`
	Probability float64 `json:"probability"`
}

// FeasibilityOf returns what is known of the constraints at an evaluation; nil where nothing is.
func FeasibilityOf(f *loop.Feasibility, e *loop.Evaluation) *Feasibility {
	if f == nil {
		return nil
	}
	out := &Feasibility{Probability: f.Probability}
	for i, m := range f.Constraints {
		measured := e.Constraints[i]
		out.Constraints = append(out.Constraints, Margin{BoundedOf(m.Constraint), measured, m.Margin(measured), m.Mean, m.Stddev, m.Noise, m.Probability})
	}
	return out
}

// Spending is what the evaluations of a fidelity cost.
type Spending struct {
	Fidelity    string           `json:"fidelity"` // as it is printed
	Evaluations int              `json:"evaluations"`
	Cost        hindsight.Number `json:"cost"` // null where it is beyond all numbers
}

// SpendingsOf returns the fidelities that were queried, from the least to the greatest; nil where the space has none. Cost O(n).
func SpendingsOf(l *loop.Loop) []Spending {
	where := l.Config().Space
	at, has := where.Fidelity()
	if !has {
		return nil
	}
	p := where.Parameter(at)
	var out []Spending
	var values []float64
	for _, e := range l.Evaluations() {
		v := p.Value(e.X[at])
		k := 0
		for k < len(values) && values[k] < v {
			k++
		}
		if k == len(values) || values[k] != v {
			values = append(values[:k], append([]float64{v}, values[k:]...)...)
			out = append(out[:k], append([]Spending{{Fidelity: p.Format(v)}}, out[k:]...)...)
		}
		out[k].Evaluations++
		if e.Status != loop.Lost && e.Status != loop.Cancelled && !e.Foreign {
			out[k].Cost += hindsight.Number(CostOf(where.Cost(e.X), e))
		}
	}
	return out
}

// CostOf returns what an evaluation cost: what its answer says, or what is expected of its fidelity.
func CostOf(expected float64, e loop.Evaluation) float64 {
	if e.Measured && e.Cost > 0 {
		return e.Cost
	}
	return expected
}

// CostOfAll returns what all evaluations cost; +Inf where that is beyond all numbers. Cost O(n).
func CostOfAll(l *loop.Loop) float64 {
	c := l.Config()
	if _, has := c.Space.Fidelity(); has || c.BudgetCost > 0 {
		return l.Cost()
	}
	total := 0.
	for _, e := range l.Evaluations() {
		total += e.Cost
	}
	if math.IsNaN(total) {
		return math.Inf(1)
	}
	return total
}
