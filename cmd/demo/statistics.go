package main

import (
	"fmt"
	"math"
	"strconv"
)

var nan = math.NaN()

// estimate is a mean over seeds with its standard error.
type estimate struct {
	n    int
	mean float64 // NaN when any of the values is, or there are none
	se   float64 // NaN with fewer than two values
}

// estimateOf returns the mean and the standard error of independent values: sqrt(Σ(v − mean)² / (n(n−1))).
func estimateOf(values []float64) estimate {
	n, mean, square := 0, 0.0, 0.0
	for _, v := range values {
		n++
		d := v - mean
		mean += d / float64(n)
		square += d * (v - mean)
	}
	if n == 0 {
		return estimate{mean: nan, se: nan}
	}
	return estimate{n, mean, math.Sqrt(square / float64(n) / float64(n-1))}
}

// known reports whether every run had a value.
func (e estimate) known() bool { return !math.IsNaN(e.mean) }

// unknown stands in tables for an estimate that some run has no value for.
const unknown = "-"

// String prints mean ± standard error, both to the second digit of the error, and small numbers with an exponent.
func (e estimate) String() string {
	switch {
	case !e.known():
		return unknown
	case math.IsNaN(e.se):
		return strconv.FormatFloat(e.mean, 'g', 4, 64)
	case max(math.Abs(e.mean), e.se) < 1e-3 && e.se > 0:
		return fmt.Sprintf("%.1e ± %.1e", e.mean, e.se)
	case e.se == 0:
		return strconv.FormatFloat(e.mean, 'g', 4, 64) + " ± 0"
	}
	// The second digit of the error, or the first if that makes more than five digits of the mean.
	digits := 1 - decade(e.se)
	if digits+decade(e.mean) > 4 {
		digits--
	}
	digits = min(max(digits, 0), 6)
	scale := math.Pow10(digits)
	mean := math.Round(e.mean*scale)/scale + 0 // no negative zero
	return fmt.Sprintf("%.*f ± %.*f", digits, mean, digits, e.se)
}

// decade is the place of the first digit: 0 for 1 … 9.99, -1 for 0.1 … 0.999.
func decade(v float64) int {
	if v == 0 {
		return 0
	}
	return int(math.Floor(math.Log10(math.Abs(v))))
}

// signed is String with a plus before a positive mean.
func (e estimate) signed() string {
	if e.mean > 0 {
		return "+" + e.String()
	}
	return e.String()
}

// curveOf returns the estimate at each place of curves of one length or several; the shortest decides.
func curveOf(curves [][]float64) []estimate {
	if len(curves) == 0 {
		return nil
	}
	length := len(curves[0])
	for _, c := range curves {
		length = min(length, len(c))
	}
	out := make([]estimate, length)
	column := make([]float64, len(curves))
	for k := range out {
		for i, c := range curves {
			column[i] = c[k]
		}
		out[k] = estimateOf(column)
	}
	return out
}

// checkpoints are up to four places between 1 and rounds at which a table shows a curve: the last, and round numbers
// near a sixth, a third and two thirds of it.
func checkpoints(rounds int) []int {
	var out []int
	for _, share := range []float64{1. / 6, 1. / 3, 2. / 3} {
		k := roundNumber(share * float64(rounds))
		if k >= 1 && k < rounds && (len(out) == 0 || k > out[len(out)-1]) {
			out = append(out, k)
		}
	}
	return append(out, rounds)
}

// roundNumber returns the nearest number with one digit other than zero.
func roundNumber(v float64) int {
	if v < 1 {
		return 0
	}
	scale := math.Pow(10, math.Floor(math.Log10(v)))
	return int(math.Round(v/scale) * scale)
}
