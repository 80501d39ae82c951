package feedback

import "math"

// Units maps values in the maximization sense to the model's units: u = (y − Shift) / Scale. In the model's units the
// prior mean is zero.
type Units struct {
	Shift, Scale float64
	Censored     float64 // of a censored query, in the model's units
	Failed       float64 // of a query that failed, in the model's units
}

// largest is the greatest magnitude of a value in the model's units: its square, times many, is still finite.
const largest = 1e100

// To maps a value in the maximization sense to the model's units, cut off at ±1e100.
func (u Units) To(y float64) float64 {
	v := (y - u.Shift) / u.Scale
	if math.IsInf(y-u.Shift, 0) {
		v = y/u.Scale - u.Shift/u.Scale // the difference of two huge values overflows, that of their quotients may not
	}
	return min(max(v, -largest), largest)
}

// From maps a value in the model's units back to the maximization sense.
func (u Units) From(v float64) float64 { return v*u.Scale + u.Shift }
