package tarry

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
	"unicode"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// MarshalJSON returns the number of the evaluation, that of the attempt, and the values of what is active by the names of the parameters:
//
//	{"id":12,"attempt":1,"x":{"rate":0.01,"kind":"adam"}}
func (q Query) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ID      int             `json:"id"`
		Attempt int             `json:"attempt"`
		X       json.RawMessage `json:"x"`
	}{q.ID.Evaluation, q.ID.Attempt, q.values()})
}

// values is the point as a JSON object.
func (q Query) values() json.RawMessage {
	if len(q.X) != q.space.Dim() {
		return json.RawMessage("null") // of no study
	}
	return q.space.Object(q.X)
}

// MarshalJSON returns an object with members of the names and units that tarry inspect --json has: id, attempt, status, value (null without
// one), cost, constraints, x, chosen_s, dispatched_s, ended_s, foreign and reason; and reports, each with step and value.
func (e Evaluation) MarshalJSON() ([]byte, error) {
	type report struct {
		Step  float64 `json:"step"`
		Value float64 `json:"value"`
	}
	out := struct {
		ID          int             `json:"id"`
		Attempt     int             `json:"attempt"`
		Status      Status          `json:"status"`
		Value       *float64        `json:"value"`
		Cost        float64         `json:"cost,omitempty"`
		Constraints []float64       `json:"constraints,omitempty"`
		X           json.RawMessage `json:"x"`
		Chosen      float64         `json:"chosen_s"`
		Dispatched  *float64        `json:"dispatched_s"`
		Ended       *float64        `json:"ended_s"`
		Foreign     bool            `json:"foreign"`
		Reason      string          `json:"reason,omitempty"`
		Reports     []report        `json:"reports,omitempty"`
	}{
		ID: e.ID.Evaluation, Attempt: e.ID.Attempt, Status: e.Status, Cost: e.Cost, Constraints: e.Constraints, X: e.values(),
		Chosen: e.Chosen.Seconds(), Foreign: e.Foreign, Reason: e.Reason,
	}
	seconds := func(d time.Duration) *float64 { s := d.Seconds(); return &s }
	if e.Measured {
		out.Value = &e.Value
	}
	if e.ID.Attempt > 0 {
		out.Dispatched = seconds(e.Began)
	}
	if e.Status != Pending {
		out.Ended = seconds(e.Ended)
	}
	for _, r := range e.Reports {
		out.Reports = append(out.Reports, report{r.Step, r.Value})
	}
	return json.Marshal(out)
}

// MarshalJSON returns an object with the point and what the model says there, as tarry asktell answers recommend:
//
//	{"x":{"rate":0.01,"kind":"adam"},"mean":0.33,"stddev":0.01,"noise":0.01}
//
// With constraints feasible is the probability that every one holds there, and constraints has what is expected of each by name.
func (r Recommendation) MarshalJSON() ([]byte, error) {
	out := struct {
		X json.RawMessage `json:"x"`
		expectation
		Feasible    *float64               `json:"feasible,omitempty"`
		Constraints map[string]expectation `json:"constraints,omitempty"`
	}{X: r.values(), expectation: expectation(r.Prediction)}
	if r.Feasible != nil {
		out.Feasible, out.Constraints = &r.Feasible.Probability, map[string]expectation{}
		for _, m := range r.Feasible.Constraints {
			out.Constraints[m.Name] = expectation(m.Prediction)
		}
	}
	return json.Marshal(out)
}

// expectation is a prediction as JSON.
type expectation struct {
	Mean   float64 `json:"mean"`
	Stddev float64 `json:"stddev"`
	Noise  float64 `json:"noise"`
}

// MarshalJSON returns an object with members of the names and units that tarry inspect --json has: policy, seed, minimize, budget, budget_cost, spent, cost, reason, elapsed_s,
// counters, coverage, best, recommended, expected (null without a model), feasible (the probability that every constraint holds there), safety and evaluations.
// It is to be read by other programs; Resume goes on from a journal.
func (r Result) MarshalJSON() ([]byte, error) {
	out := struct {
		Policy      string         `json:"policy"`
		Seed        uint64         `json:"seed"`
		Minimize    bool           `json:"minimize"`
		Budget      int            `json:"budget"`
		BudgetCost  float64        `json:"budget_cost,omitempty"`
		Spent       int            `json:"spent"`
		Cost        *float64       `json:"cost"` // null where it is beyond all numbers
		Reason      string         `json:"reason,omitempty"`
		Elapsed     float64        `json:"elapsed_s"`
		Counters    map[string]int `json:"counters"`
		Coverage    Coverage       `json:"coverage"`
		Best        *Evaluation    `json:"best"`
		Recommended *Evaluation    `json:"recommended"`
		Expected    *expectation   `json:"expected"`
		Feasible    *float64       `json:"feasible,omitempty"`
		Safety      *Safety        `json:"safety,omitempty"`
		Evaluations []Evaluation   `json:"evaluations"`
	}{
		r.Policy, r.Seed, r.Minimize, r.Budget, r.BudgetCost, r.Spent, nil, r.Reason, r.Elapsed.Seconds(), counters(r.Counters), r.Coverage,
		r.Best, r.Recommended, (*expectation)(r.Expected), nil, r.Safety, r.Evaluations,
	}
	if outcome.Finite(r.Cost) {
		out.Cost = &r.Cost
	}
	if r.Feasible != nil {
		out.Feasible = &r.Feasible.Probability
	}
	return json.Marshal(out)
}

// counters are the counters by their names, as in late_values.
func counters(c loop.Counters) map[string]int {
	out := map[string]int{}
	for field, v := range reflect.ValueOf(c).Fields() {
		var name strings.Builder
		for i, r := range field.Name {
			if i > 0 && unicode.IsUpper(r) {
				name.WriteByte('_')
			}
			name.WriteRune(unicode.ToLower(r))
		}
		out[name.String()] = int(v.Int())
	}
	return out
}
