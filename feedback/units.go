package feedback

import "math"

// Units maps values in the maximization sense to the model's units: u = (T(y) − Shift) / Scale for the increasing map T of Warp,
// which is the identity unless a fit chose another. In the model's units the prior mean is zero.
type Units struct {
	Warp         Warp
	Shift, Scale float64
	Censored     float64 // of a censored query, in the model's units
	Failed       float64 // of a query that failed, in the model's units
}

// largest is the greatest magnitude of a value in the model's units: its square, times many, is still finite.
const largest = 1e100

// To maps a value in the maximization sense to the model's units, cut off at ±1e100.
func (u Units) To(y float64) float64 {
	y = u.Warp.At(y)
	v := (y - u.Shift) / u.Scale
	if math.IsInf(y-u.Shift, 0) {
		v = y/u.Scale - u.Shift/u.Scale // the difference of two huge values overflows, that of their quotients may not
	}
	return min(max(v, -largest), largest)
}

// From maps a value in the model's units back to the maximization sense; quantiles become quantiles.
func (u Units) From(v float64) float64 {
	y := v*u.Scale + u.Shift
	if math.IsInf(y, 0) {
		y = 2 * (v/2*u.Scale + u.Shift/2) // a product that overflows may have a sum that does not
	}
	return u.Warp.Inverse(y)
}

// Deviation returns how far sd to either side of v is in the units of the values: half the distance between both images, which
// without a warp is sd·Scale.
func (u Units) Deviation(v, sd float64) float64 {
	if u.Warp.Straight() {
		return u.Scale * sd
	}
	upper, lower := u.From(v+sd), u.From(v-sd)
	if math.IsInf(upper-lower, 0) {
		return upper/2 - lower/2
	}
	return (upper - lower) / 2
}
