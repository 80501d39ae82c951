package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/loop"
)

// document is the study as JSON.
type document struct {
	Study       summary               `json:"study"`
	Counts      json.RawMessage       `json:"counts"`
	Counters    json.RawMessage       `json:"counters"`
	Coverage    loop.Coverage         `json:"coverage"`
	Best        *record               `json:"best"`
	Recommended *record               `json:"recommended"`
	Expected    *portrait.Expected    `json:"expected"`           // of the function there; null without a model
	Feasible    *portrait.Feasibility `json:"feasible,omitempty"` // of the constraints there; absent without names or a model
	Safety      *loop.Safety          `json:"safety,omitempty"`   // absent where the policy does not keep constraints while it searches
	Evaluations []record              `json:"evaluations"`
	Parameters  json.RawMessage       `json:"parameters"`
}

// summary is what the study is.
type summary struct {
	File        string              `json:"file"`
	Begun       time.Time           `json:"begun"`
	Policy      string              `json:"policy"`
	Seed        uint64              `json:"seed"`
	Minimize    bool                `json:"minimize"`
	Budget      int                 `json:"budget"`
	Initial     int                 `json:"initial"`
	Points      int                 `json:"points,omitzero"` // of a list
	Constraints []portrait.Bounded  `json:"constraints,omitempty"`
	Command     []string            `json:"command,omitempty"`
	Workers     int                 `json:"workers,omitempty"` // that run the command
	Target      *float64            `json:"target,omitempty"`  // that suffices
	Holder      string              `json:"holder,omitempty"`  // the process that is at it; absent without any
	Ended       string              `json:"ended,omitempty"`   // why; absent while it has not
	Events      uint64              `json:"events"`
	Elapsed     float64             `json:"elapsed_s"` // up to the last event
	Cost        *float64            `json:"cost"`      // of all evaluations; null where it is beyond all numbers
	BudgetCost  float64             `json:"budget_cost,omitempty"`
	Fidelities  []portrait.Spending `json:"fidelities,omitempty"` // that were queried
	Program     maker               `json:"program"`              // that wrote it
	Differences []string            `json:"differences,omitempty"`
}

// maker is a journal.Program as JSON.
type maker struct {
	Tarry      string `json:"tarry"`
	Go         string `json:"go"`
	Arch       string `json:"arch"`
	Level      string `json:"level"`
	Experiment string `json:"experiment"`
}

// writeJSON writes all that is known.
func (s *inspected) writeJSON(w io.Writer) error {
	d := document{Study: s.summary(), Coverage: s.loop.Coverage(), Safety: s.loop.Safety(), Evaluations: []record{}}
	for _, e := range s.evaluations() {
		d.Evaluations = append(d.Evaluations, s.record(e))
	}
	if r := s.result(); r.Best != nil {
		if p := r.Expected; p != nil {
			d.Expected = &portrait.Expected{Mean: p.Mean, Stddev: p.Stddev, Noise: p.Noise}
		}
		d.Feasible = portrait.FeasibilityOf(r.Feasible, r.Recommended)
		d.Best, d.Recommended = &d.Evaluations[r.Best.Number-1], &d.Evaluations[r.Recommended.Number-1]
	}
	var statuses []portrait.Counter
	for status, n := range s.counts() {
		statuses = append(statuses, portrait.Counter{Name: loop.Status(status).String(), N: n})
	}
	d.Counts, d.Counters = counted(statuses), counted(portrait.CountersOf(s.loop))
	text, err := s.header.Config.Space.MarshalJSON()
	if err != nil {
		return err
	}
	var where struct {
		Parameters json.RawMessage `json:"parameters"`
	}
	if err := json.Unmarshal(text, &where); err != nil {
		return err
	}
	d.Parameters = where.Parameters
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false) // a user may read this
	e.SetIndent("", "  ")
	return e.Encode(d)
}

func (s *inspected) summary() summary {
	c, p := s.loop.Config(), s.header.Program
	out := summary{
		File: s.path, Begun: s.begun, Policy: c.Traits.Name, Seed: c.Seed, Minimize: c.Minimize, Budget: c.Budget, Initial: c.Initial, Points: c.Space.Size(),
		Holder: s.holder, Ended: s.ended(), Events: s.events, Elapsed: s.now.Seconds(), Program: maker(p), Differences: s.differences(),
		BudgetCost: c.BudgetCost, Fidelities: s.spendings(),
	}
	for _, c := range s.constraints() {
		out.Constraints = append(out.Constraints, portrait.BoundedOf(c))
	}
	if s.task != nil {
		out.Command, out.Workers, out.Target = s.task.Command, s.task.Workers, s.task.Target
	}
	if cost := s.cost(); !math.IsNaN(cost) && !math.IsInf(cost, 0) {
		out.Cost = &cost
	}
	return out
}

// counted is an object of counts, in their order.
func counted(all []portrait.Counter) json.RawMessage {
	out := []byte{'{'}
	for i, c := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "%q:%d", c.Name, c.N)
	}
	return append(out, '}')
}
