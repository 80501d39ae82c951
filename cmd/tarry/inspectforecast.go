package main

import (
	"math"

	"github.com/tarry-bo/tarry/loop"
)

// forecast is what the policy said of the value of an evaluation, in the units of the user, and how it did.
type forecast struct {
	Mean    float64 `json:"mean"`
	Stddev  float64 `json:"stddev"`
	Central *bool   `json:"central"` // whether the value is in its central 80 %; null before it is judged
	Held    *bool   `json:"held"`    // whether it is in the calibrated set; null also without one
}

// forecast returns nil where there is none in numbers that can be told.
func (s *inspected) forecast(e loop.Evaluation) *forecast {
	f := e.Forecast
	if f == nil {
		return nil
	}
	out := &forecast{Mean: s.header.Config.Sense().Sign() * f.Quantile(0), Stddev: f.Deviation()}
	if sum := out.Mean + out.Stddev; math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil
	}
	if j, judged := s.loop.Judgment(e.Number); judged {
		out.Central = &j.Central
		if j.Target > 0 {
			out.Held = &j.Held
		}
	}
	return out
}

// cells are those of a forecast in a table; those of what is not there are empty.
func (f *forecast) cells() []string {
	if f == nil {
		return make([]string, 4)
	}
	word := func(b *bool) string {
		switch {
		case b == nil:
			return ""
		case *b:
			return "true"
		}
		return "false"
	}
	return []string{exact(f.Mean), exact(f.Stddev), word(f.Central), word(f.Held)}
}
