// Package stat summarizes numbers that independent runs gave: their mean with its standard error, at one place or along
// curves, and what their differences show.
package stat

import (
	"fmt"
	"math"
	"strconv"
)

// Estimate is a mean over runs with its standard error.
type Estimate struct {
	N    int     // runs
	Mean float64 // NaN when the value of any run is, or there are none
	SE   float64 // NaN with fewer than two values
}

// Of returns the mean and the standard error of independent values: sqrt(Σ(v − mean)² / (n(n−1))).
func Of(values []float64) Estimate {
	n, mean, square := 0, 0.0, 0.0
	for _, v := range values {
		n++
		d := v - mean
		mean += d / float64(n)
		square += d * (v - mean)
	}
	if n == 0 {
		return Estimate{Mean: math.NaN(), SE: math.NaN()}
	}
	return Estimate{n, mean, math.Sqrt(square / float64(n) / float64(n-1))}
}

// Known reports whether every run had a value.
func (e Estimate) Known() bool { return !math.IsNaN(e.Mean) }

// Ends returns the mean less and plus one standard error; twice the mean where there is none.
func (e Estimate) Ends() (low, high float64) {
	if math.IsNaN(e.SE) {
		return e.Mean, e.Mean
	}
	return e.Mean - e.SE, e.Mean + e.SE
}

// Unknown stands in tables for an estimate that some run has no value for.
const Unknown = "-"

// roundOff is the share of a mean below which its error is that of the arithmetic: equal values have it.
const roundOff = 1e-12

// mostDecimals is what is printed of a mean at most; a smaller error has one digit and an exponent.
const mostDecimals = 6

// String prints mean ± standard error, both to the second digit of the error, and small numbers with an exponent.
func (e Estimate) String() string {
	if e.SE < roundOff*math.Abs(e.Mean) {
		e.SE = 0
	}
	switch {
	case !e.Known():
		return Unknown
	case math.IsNaN(e.SE):
		return strconv.FormatFloat(e.Mean, 'g', 4, 64)
	case max(math.Abs(e.Mean), e.SE) < 1e-3 && e.SE > 0:
		return fmt.Sprintf("%.1e ± %.1e", e.Mean, e.SE)
	case e.SE == 0 || math.IsInf(e.SE, 0):
		return fmt.Sprintf("%.4g ± %g", e.Mean, e.SE)
	}
	// The second digit of the error, or the first if that makes more than five digits of the mean.
	digits := 1 - decade(e.SE)
	if digits+decade(e.Mean) > 4 {
		digits--
	}
	digits = min(max(digits, 0), mostDecimals)
	scale := math.Pow10(digits)
	mean := math.Round(e.Mean*scale)/scale + 0 // no negative zero
	if e.SE*scale < 0.5 {
		return fmt.Sprintf("%.*f ± %.0e", digits, mean, e.SE)
	}
	return fmt.Sprintf("%.*f ± %.*f", digits, mean, digits, e.SE)
}

// Signed is String with a plus before a positive mean.
func (e Estimate) Signed() string {
	if e.Mean > 0 {
		return "+" + e.String()
	}
	return e.String()
}

// decade is the place of the first digit: 0 for 1 … 9.99, -1 for 0.1 … 0.999.
func decade(v float64) int {
	if v == 0 {
		return 0
	}
	return int(math.Floor(math.Log10(math.Abs(v))))
}
