package surrogate

import (
	"math"
	"slices"

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

// nearlyStraight is the logarithm of a ratio, to either side, below which the derivative by it is computed by its series.
const nearlyStraight = 1e-4

// InputsOf returns the warps of the coordinates that a kernel is over, with or without a fidelity; nil for one without any, and for
// kernels of several, whose parts may differ.
func InputsOf(k Kernel) Inputs {
	switch k := k.(type) {
	case Warped:
		return k.inputs()
	case ICM:
		if w := InputsOf(k.base); w != nil {
			return slices.Insert(slices.Clone(w), k.axis.At, 1)
		}
	}
	return nil
}

// Unwarped returns the kernel of the coordinates as they are, with or without a fidelity, that one of warped coordinates is of; false for any
// other kernel.
func Unwarped(k Kernel) (of Kernel, warped bool) {
	switch k := k.(type) {
	case Warped:
		return k.Of, true
	case ICM:
		if w, is := k.base.(Warped); is {
			return k.with(w.Of, k.decay), true
		}
	}
	return nil, false
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

// warp returns w(u) for the ratio e^t, with the derivatives by u and by t.
func warp(t, u float64) (w, byU, byT float64) {
	if t == 0 {
		return u, 1, (u - u*u) / 2
	}
	e := math.Expm1(t)
	w = math.Log1p(u*e) / t
	share := 1 / ((1 + u*e) * t)
	byT = u*(e+1)*share - w/t
	if math.Abs(t) < nearlyStraight { // where that is a difference of numbers that are nearly the same
		byT = (u-u*u)/2 + 2*t*(u/6-u*u/2+u*u*u/3)
	}
	return w, e * share, byT
}

// unwarp returns the u with w(u) = w for the ratio e^t.
func unwarp(t, w float64) float64 {
	if t == 0 {
		return w
	}
	return math.Expm1(t*w) / math.Expm1(t)
}
