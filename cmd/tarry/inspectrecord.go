package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"

	"github.com/tarry-bo/tarry/internal/figures"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// record is an evaluation in a file. Times are seconds since the study began.
type record struct {
	ID          int       `json:"id"`
	Attempt     int       `json:"attempt"` // 0 before the first
	Status      string    `json:"status"`
	Value       *float64  `json:"value"` // also of an infeasible point, where it does not count
	Cost        *float64  `json:"cost"`
	Constraints []float64 `json:"constraints,omitempty"`
	X           point     `json:"x"`
	Chosen      float64   `json:"chosen_s"`
	Dispatched  *float64  `json:"dispatched_s"`
	Ended       *float64  `json:"ended_s"`
	Delay       *float64  `json:"delay_s"`
	Foreign     bool      `json:"foreign"`
	Forecast    *forecast `json:"forecast,omitempty"`
	Reason      string    `json:"reason,omitempty"`
}

func (s *inspected) record(e loop.Evaluation) record {
	where := s.header.Config.Space
	r := record{
		ID: e.Number, Attempt: e.Attempt, Status: e.Status.String(), Constraints: e.Constraints, X: point{where, e.Point(where)},
		Chosen: e.At.Seconds(), Foreign: e.Foreign, Forecast: s.forecast(e), Reason: e.Reason,
	}
	if e.Measured {
		r.Value, r.Cost = &e.Value, &e.Cost
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

// point is a point in user units.
type point struct {
	space space.Space
	x     []float64
}

// MarshalJSON returns the values by the names of the parameters, in their order, without what is inactive.
func (p point) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // a user may read this
	out.WriteByte('{')
	for i, v := range p.x {
		if !p.space.ActiveAt(p.x, i) {
			continue
		}
		q := p.space.Parameter(i)
		var value any = v
		switch q.Kind {
		case space.KindCategorical:
			value = q.Format(v)
		case space.KindBool:
			value = v == 1
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		err := e.Encode(q.Name)
		out.WriteByte(':')
		if err = errors.Join(err, e.Encode(value)); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}
