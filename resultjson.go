package tarry

import (
	"encoding/json"
	"time"
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
