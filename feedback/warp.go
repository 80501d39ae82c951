package feedback

import "math"

// Warp is an increasing map of values, in the maximization sense, that draws apart what lies near the top: for y ≤ Top
//
//	T(y) = −log(1 + (Top − y)/Scale)
//
// and a straight line of the same slope, (y − Top)/Scale, above, so that every value has a finite image, also one that is
// greater than any the warp was made with. Where values are as far from each other as orders of magnitude are, as at the
// bottom of a valley, a stationary model of T sees what a model of y cannot. The zero Warp is the identity.
type Warp struct {
	Top   float64 // the greatest value seen
	Scale float64 // the distance from Top below which T is nearly straight; 0 means the identity
}

// Straight reports whether the warp is the identity.
func (w Warp) Straight() bool { return w.Scale == 0 }

// At returns T(y), finite for finite y as long as (y − Top)/Scale is.
func (w Warp) At(y float64) float64 {
	switch {
	case w.Straight():
		return y
	case y > w.Top:
		return (y - w.Top) / w.Scale
	}
	if below := w.Top - y; !math.IsInf(below, 0) {
		return -math.Log1p(below / w.Scale)
	}
	return -math.Log(w.Top/2-y/2) + math.Log(w.Scale) - math.Ln2 // the difference of two huge values overflows
}

// Inverse returns the y of which t is the image: −Inf where that is below all floating-point numbers.
func (w Warp) Inverse(t float64) float64 {
	switch {
	case w.Straight():
		return t
	case t > 0:
		return w.Top + t*w.Scale
	}
	return w.Top - w.Scale*math.Expm1(-t)
}

// LogSlope returns log T'(y), which the evidence of values adds to that of their images.
func (w Warp) LogSlope(y float64) float64 {
	if w.Straight() {
		return 0
	}
	return min(w.At(y), 0) - math.Log(w.Scale)
}
