package main

import (
	"time"

	"github.com/tarry-bo/tarry/internal/figures"
	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// record is an evaluation in a file. Times are seconds since the study began.
type record struct {
	ID          int                  `json:"id"`
	Attempt     int                  `json:"attempt"` // 0 before the first
	Status      string               `json:"status"`
	Value       *float64             `json:"value"`                 // also of an infeasible point, where it does not count
	Cost        *float64             `json:"cost"`                  // what its answer says, or else what its fidelity does
	Constraints any                  `json:"constraints,omitempty"` // by name where they have some, else a list
	X           hindsight.Point      `json:"x"`
	Chosen      float64              `json:"chosen_s"`
	Dispatched  *float64             `json:"dispatched_s"`
	Ended       *float64             `json:"ended_s"`
	Delay       *float64             `json:"delay_s"`
	Foreign     bool                 `json:"foreign"`
	list        []float64            // of the constraints, in their order
	names       []outcome.Constraint // of the study; none, or as many as the list has
	Forecast    *portrait.Forecast   `json:"forecast,omitempty"`
	Reason      string               `json:"reason,omitempty"`
}

func (s *inspected) record(e loop.Evaluation) record {
	where := s.header.Config.Space
	r := record{
		ID: e.Number, Attempt: e.Attempt, Status: e.Status.String(), Constraints: s.measured(e), list: e.Constraints, names: s.constraints(), X: hindsight.Point{Space: where, X: e.Point(where)},
		Chosen: e.At.Seconds(), Foreign: e.Foreign, Forecast: portrait.ForecastOf(s.loop, e), Reason: e.Reason,
	}
	if e.Measured {
		cost := portrait.CostOf(where.Cost(e.X), e)
		if e.Foreign {
			cost = e.Cost
		}
		r.Value, r.Cost = &e.Value, &cost
	}
	if e.Attempt > 0 {
		r.Dispatched = seconds(e.Dispatched)
	}
	if e.Status != loop.Pending {
		r.Ended = seconds(e.Ended)
	}
	if d, ended := figures.Delay(e); ended {
		r.Delay = seconds(d)
	}
	return r
}

func seconds(d time.Duration) *float64 {
	s := d.Seconds()
	return &s
}

// foretold is a forecast for people.
func foretold(f *portrait.Forecast) string {
	switch {
	case !f.Mean.Finite():
		return "beyond all numbers"
	case !f.Stddev.Finite():
		return numeral(f.Mean) + ", with a standard deviation beyond all numbers"
	}
	return spread(f.Mean, f.Stddev)
}
