package asktell

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/outcome"
)

type okAnswer struct {
	OK       bool   `json:"ok"`
	ID       int    `json:"id,omitempty"`
	Repeated bool   `json:"repeated,omitempty"`
	Stands   string `json:"stands,omitempty"` // the outcome that a failure or a cancellation did not change
	Late     bool   `json:"late,omitempty"`
}

type errorAnswer struct {
	Error string `json:"error"`
	Line  int    `json:"line"`
	Ended bool   `json:"ended,omitempty"`
}

type queriesAnswer struct {
	Queries []query `json:"queries"`
	Held    string  `json:"held,omitempty"`
	Error   string  `json:"error,omitempty"` // why there are no more, where nothing holds them
	Line    int     `json:"line,omitempty"`
}

type query struct {
	ID       int     `json:"id"`
	Attempt  int     `json:"attempt,omitempty"`
	X        point   `json:"x"`
	Cost     float64 `json:"cost,omitempty"` // that is expected of its fidelity
	Deadline string  `json:"deadline,omitempty"`
}

type bestAnswer struct {
	Best *found `json:"best"`
}

// found is an evaluation with its value.
type found struct {
	ID    int     `json:"id"`
	X     point   `json:"x"`
	Value float64 `json:"value"`
}

func foundOf(s tarry.Space, e *tarry.Evaluation) *found {
	if e == nil {
		return nil
	}
	return &found{ID: e.ID.Evaluation, X: point{s, e.X}, Value: e.Value}
}

// prediction is what the model says at a point.
type prediction struct {
	Mean   float64 `json:"mean"`
	Stddev float64 `json:"stddev"`
	Noise  float64 `json:"noise"`

	Feasible    *float64              `json:"feasible,omitempty"`    // probability that every constraint holds
	Constraints map[string]prediction `json:"constraints,omitempty"` // what is expected of each
}

// with adds what the model says of the constraints, if any have names.
func (p *prediction) with(f *tarry.Feasibility) {
	if f == nil {
		return
	}
	p.Feasible, p.Constraints = &f.Probability, map[string]prediction{}
	for _, m := range f.Constraints {
		p.Constraints[m.Name] = prediction{Mean: m.Mean, Stddev: m.Stddev, Noise: m.Noise}
	}
}

func predictionOf(p *tarry.Prediction) *prediction {
	if p == nil {
		return nil
	}
	return &prediction{Mean: p.Mean, Stddev: p.Stddev, Noise: p.Noise}
}

type predictionAnswer struct {
	Prediction *prediction `json:"prediction"`
	Reason     string      `json:"reason,omitempty"` // why there is none
}

// recommendation is a point with what the model says there.
type recommendation struct {
	X point `json:"x"`
	prediction
}

type recommendationAnswer struct {
	Recommendation *recommendation `json:"recommendation"`
	Reason         string          `json:"reason,omitempty"` // why there is none
}

// described is an operation for whoever asks what there is.
type described struct {
	Op     string   `json:"op"`
	Fields []string `json:"fields"`
	Does   string   `json:"does"`
}

type helpAnswer struct {
	Operations  []described `json:"operations"`
	Parameters  []string    `json:"parameters"`            // each with its values
	Constraints []string    `json:"constraints,omitempty"` // each with its bound
}

type stateAnswer struct {
	Evaluations int            `json:"evaluations"`
	Budget      int            `json:"budget"`
	Cost        amount         `json:"cost,omitempty"`        // of the evaluations that count
	BudgetCost  float64        `json:"budget_cost,omitempty"` // what they may cost together
	Pending     []open         `json:"pending"`
	Counts      counts         `json:"counts"`
	Coverage    tarry.Coverage `json:"coverage"`
	Best        *found         `json:"best"`
	Recommended *found         `json:"recommended"`
	Expected    *prediction    `json:"expected"`         // at the recommended one
	Safety      *tarry.Safety  `json:"safety,omitempty"` // where the policy keeps constraints while it searches
	Policy      string         `json:"policy"`
	Seed        uint64         `json:"seed"`
	Minimize    bool           `json:"minimize"`
	Paused      bool           `json:"paused,omitempty"` // by somebody: no queries are given
	Ended       string         `json:"ended,omitempty"`  // why
}

// open is an evaluation without an outcome.
type open struct {
	ID      int     `json:"id"`
	Attempt int     `json:"attempt"` // 0: none yet
	X       point   `json:"x"`
	Age     seconds `json:"age"`
	Waiting bool    `json:"waiting,omitempty"` // to be given out, again where there was an attempt
}

// amount is null where it is beyond all numbers, as a sum may be.
type amount float64

func (a amount) MarshalJSON() ([]byte, error) {
	if v := float64(a); outcome.Finite(v) {
		return jsonOf(v), nil
	}
	return []byte("null"), nil
}

// seconds are rounded to milliseconds.
type seconds float64

func (s seconds) MarshalJSON() ([]byte, error) {
	return jsonOf(math.Round(float64(s)*1000) / 1000), nil
}

// counts are how many evaluations have each status.
type counts [tarry.Stopped + 1]int

// MarshalJSON returns an object in the order of the statuses, with all of them.
func (c counts) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for status, n := range c {
		if status > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "%s:%d", jsonOf(tarry.Status(status).String()), n)
	}
	return append(out, '}'), nil
}

// jsonOf returns a value as JSON, with <, > and & as they are. What is not UTF-8 in a text is replaced. In the place of what is no JSON, since
// a number in it is not finite, there is an error that says so.
func jsonOf(v any) []byte {
	out, err := asJSON(v)
	if err != nil {
		out, _ = asJSON(errorAnswer{Error: "the answer cannot be written: " + err.Error()})
	}
	return out
}

func asJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // a user may read this
	err := e.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// encode returns an answer, which has fields, as a line with its end.
func encode(answer any, tag json.RawMessage) []byte {
	out := jsonOf(answer)
	if tag != nil {
		out = append(append(out[:len(out)-1], `,"tag":`...), jsonOf(tag)...)
		out = append(out, '}')
	}
	// Readers of lines may take these for line ends; in JSON they are only ever in texts.
	out = bytes.ReplaceAll(out, []byte("\u2028"), []byte(`\u2028`))
	out = bytes.ReplaceAll(out, []byte("\u2029"), []byte(`\u2029`))
	return append(out, '\n')
}
