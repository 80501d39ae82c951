package surrogate

import (
	"math"

	"github.com/tarry-bo/tarry/space"
)

// Inputs are warps of the coordinates of the unit cube, one for each (Snoek et al. 2014, with another family):
//
//	w(u) = log(1 + (r-1)u) / log r
//
// takes [0, 1] to itself and is r > 0 times as steep at 0 as at 1. A great ratio r spreads what is near 0, as a logarithmic scale does; a
// small one, 1/r, does the same at the other end; 1 leaves the coordinate as it is. Nil leaves all of them.
type Inputs []float64

// The range of the ratios. The greatest is a logarithmic scale over six decades.
const leastRatio, greatestRatio = 1e-6, 1e6

// nearlyStraight is the logarithm of a ratio, to either side, below which its warp is computed by its series.
const nearlyStraight = 1e-4

// InputsOf returns the warps of the coordinates that a kernel is over; nil for one without any.
func InputsOf(k Kernel) Inputs {
	if k, ok := k.(Warped); ok {
		return k.inputs()
	}
	return nil
}

// To returns the point (length d) of warped coordinates; x itself where nothing is warped.
func (w Inputs) To(x space.Unit) space.Unit {
	if w == nil {
		return x
	}
	out := make(space.Unit, len(w))
	for j, r := range w {
		out[j], _, _ = warp(math.Log(r), x[j])
	}
	return out
}

// From returns the point that To takes to v, up to round-off; v itself where nothing is warped.
func (w Inputs) From(v space.Unit) space.Unit {
	if w == nil {
		return v
	}
	out := make(space.Unit, len(w))
	for j, r := range w {
		out[j] = unwarp(math.Log(r), v[j])
	}
	return out
}

// Unbend turns derivatives by the coordinates at x (length d) into those by the warped ones, in place.
func (w Inputs) Unbend(grad []float64, x space.Unit) {
	for j, r := range w {
		_, slope, _ := warp(math.Log(r), x[j])
		grad[j] /= slope
	}
}

// bend turns derivatives by the warped coordinates of x into those by its own, in place.
func (w Inputs) bend(grad []float64, x space.Unit) {
	for j, r := range w {
		_, slope, _ := warp(math.Log(r), x[j])
		grad[j] *= slope
	}
}

// warp returns w(u) for the ratio e^t, with the derivatives by u and by t.
func warp(t, u float64) (w, byU, byT float64) {
	if math.Abs(t) < nearlyStraight {
		half, third := (u-u*u)/2, u/6-u*u/2+u*u*u/3
		return u + t*(half+t*third), 1 + t*(0.5-u), half + 2*t*third
	}
	e := math.Expm1(t)
	w = math.Log1p(u*e) / t
	share := 1 / ((1 + u*e) * t)
	return w, e * share, u*(e+1)*share - w/t
}

// unwarp returns the u with w(u) = w for the ratio e^t.
func unwarp(t, w float64) float64 {
	if math.Abs(t) < nearlyStraight {
		return w - t*(w-w*w)/2
	}
	return math.Expm1(t*w) / math.Expm1(t)
}
