// Package maturity learns from evaluations that have come to their end how a value that was reported on the way goes with the value
// that came at last: a loss by epoch, a share of conversions after one day and after seven.
//
//	c := maturity.Curve{}.With(maturity.Report{Step: 1, Value: 0.3}) // what an evaluation reported
//	v, ok := c.At(1)                                                 // 0.3, true
//	r := maturity.Learn(pairs, interims)                             // of evaluations that were at that step
//	p := r.Final(0.3)                                                // the value to expect at the end, and how surely
//	m, ok := r.Measurement(0.3)                                      // what the report alone says of that value
//
// The package is pure.
package maturity

import (
	"math"
	"slices"
)

// Report is a value on the way to the end: at a step, which may be a number of epochs, an age in days or anything else that grows.
type Report struct{ Step, Value float64 }

// Finite reports whether both numbers are finite.
func (r Report) Finite() bool {
	return !math.IsNaN(r.Step) && !math.IsInf(r.Step, 0) && !math.IsNaN(r.Value) && !math.IsInf(r.Value, 0)
}

// MaxReports bounds the reports of a curve. One that has as many keeps every second of them, and the latest.
const MaxReports = 256

// Curve is what one evaluation reported, with ascending steps.
type Curve []Report

// Last returns the report of the greatest step, and false where there is none.
func (c Curve) Last() (Report, bool) {
	if len(c) == 0 {
		return Report{}, false
	}
	return c[len(c)-1], true
}

// With returns the curve with one more report, whose step is greater than all before; what shares the older curve does not see it.
// Cost O(1) for most.
func (c Curve) With(r Report) Curve {
	if len(c) < MaxReports {
		return append(c, r)
	}
	thin := make(Curve, 0, MaxReports)
	for i := 0; i < len(c); i += 2 {
		thin = append(thin, c[i])
	}
	return append(thin, r)
}

// At returns the value at a step, on the straight line between the reports around it, or that of the last report where the step is
// beyond. Before the first report there is none. Cost O(log n).
func (c Curve) At(step float64) (value float64, ok bool) {
	i, exact := slices.BinarySearchFunc(c, step, func(r Report, s float64) int {
		switch {
		case r.Step < s:
			return -1
		case r.Step > s:
			return 1
		}
		return 0
	})
	switch {
	case exact:
		return c[i].Value, true
	case i == 0:
		return 0, false
	case i == len(c):
		return c[i-1].Value, true
	}
	a, b := c[i-1], c[i]
	w := (step/2 - a.Step/2) / (b.Step/2 - a.Step/2) // halves, since the distance of huge steps overflows
	return (1-w)*a.Value + w*b.Value, true
}
