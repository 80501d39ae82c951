package feedback

import (
	"fmt"
	"math"
)

// Shape says where a warp draws values apart, and where it draws them in.
type Shape int

// The shapes of a warp. With u = (y − Anchor)/Scale:
const (
	// Below draws apart what lies near the top and in what lies far below: T = −log(1 − u) for y ≤ Anchor, the greatest value seen,
	// and the straight line u above. Where values are as far from each other as orders of magnitude are, as at the bottom of a valley, a
	// stationary model of T sees what a model of y cannot.
	Below Shape = iota
	// Both draws in what lies far from the middle, to both sides: T = arsinh u, with the median for Anchor. It is nearly straight
	// within a scale of the median and a logarithm of the distance beyond, so that outliers and heavy tails do not decide the spread.
	Both
	// Above draws in what lies far above: T = log(1 + u) for y ≥ Anchor, the least value seen, and the straight line u below. A
	// function of the form exp f comes back as f.
	Above

	shapes
)

var shapeNames = [shapes]string{"below", "both", "above"}

// Valid reports whether there is such a shape.
func (s Shape) Valid() bool { return s >= 0 && s < shapes }

// String returns "below", "both" or "above".
func (s Shape) String() string {
	if !s.Valid() {
		return fmt.Sprintf("Shape(%d)", int(s))
	}
	return shapeNames[s]
}

// Warp is an increasing map T of values, in the maximization sense, under which every value has a finite image, also one that is
// farther out than any the warp was made with (Snelson et al. 2004, "Warped Gaussian processes"; the shapes are those of Box and
// Cox 1964 with exponent 0, and of Johnson 1949, S_U). The zero Warp is the identity.
type Warp struct {
	Bend
	Anchor float64 // the greatest value seen, the median or the least, as the shape says
}

// Bend is a warp without its anchor, which follows from the values: what a fit chooses.
type Bend struct {
	Shape Shape
	Scale float64 // the distance from the anchor within which T is nearly straight; 0 means the identity
}

// Straight reports whether the warp is the identity.
func (b Bend) Straight() bool { return b.Scale == 0 }

// Sound reports whether there is such a shape, and the scale is a finite number ≥ 0.
func (b Bend) Sound() bool { return b.Shape.Valid() && b.Scale >= 0 && !math.IsInf(b.Scale, 1) }

// At returns T(y), finite for finite y but on the straight line, where it is (y − Anchor)/Scale, which may overflow.
func (w Warp) At(y float64) float64 {
	switch {
	case w.Straight():
		return y
	case w.Shape == Both:
		return w.arsinh(y)
	case w.Shape == Above && y < w.Anchor || w.Shape == Below && y > w.Anchor:
		return (y - w.Anchor) / w.Scale
	}
	u := math.Abs(y-w.Anchor) / w.Scale
	image := math.Log1p(u)
	if math.IsInf(u, 0) {
		image = math.Log(math.Abs(y/2-w.Anchor/2)) - math.Log(w.Scale) + math.Ln2 // the difference of two huge values overflows, or its ratio to a small scale
	}
	return math.Copysign(image, y-w.Anchor)
}

// arsinh is At for both tails.
func (w Warp) arsinh(y float64) float64 {
	half := y/2 - w.Anchor/2
	if u := half / (w.Scale / 2); !math.IsInf(u, 0) {
		return math.Asinh(u)
	}
	return math.Copysign(math.Log(math.Abs(half))-math.Log(w.Scale)+2*math.Ln2, half) // arsinh u = log 2u far out
}

// Inverse returns the y of which t is the image: infinite where that is beyond all floating-point numbers.
func (w Warp) Inverse(t float64) float64 {
	if w.Straight() {
		return t
	}
	y := w.inverse(t)
	if math.IsInf(y, 0) {
		y = 2 * Warp{Bend{w.Shape, w.Scale / 2}, w.Anchor / 2}.inverse(t) // the distance from the anchor may overflow where y does not
	}
	return y
}

// inverse is Inverse where the distance from the anchor does not overflow.
func (w Warp) inverse(t float64) float64 {
	switch {
	case w.Shape == Both:
		return w.Anchor + w.Scale*math.Sinh(t)
	case w.Shape == Above && t < 0 || w.Shape == Below && t > 0:
		return w.Anchor + t*w.Scale
	}
	return w.Anchor + math.Copysign(w.Scale*math.Expm1(math.Abs(t)), t)
}

// LogSlope returns log T'(y), which the evidence of values adds to that of their images.
func (w Warp) LogSlope(y float64) float64 {
	switch {
	case w.Straight():
		return 0
	case w.Shape == Both:
		return -logCosh(w.At(y)) - math.Log(w.Scale)
	case w.Shape == Above:
		return -max(w.At(y), 0) - math.Log(w.Scale)
	}
	return min(w.At(y), 0) - math.Log(w.Scale)
}

// logCosh returns log cosh t, for any t.
func logCosh(t float64) float64 {
	t = math.Abs(t)
	return t + math.Log1p(math.Exp(-2*t)) - math.Ln2
}
