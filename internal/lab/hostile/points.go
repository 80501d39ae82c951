package hostile

import (
	"fmt"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// Points says where points are forced to lie.
type Points int

// The places of points.
const (
	Free       Points = iota // wherever the policy wants them
	Duplicates               // on three points
	Collinear                // on a segment
	Corners                  // in the corners of the cube
	Close                    // ten of them, 1e-9 apart in each coordinate
	places
)

const (
	distinct = 3
	steps    = 10
	gap      = 1e-9
)

// Forced returns the places other than Free.
func Forced() []Points { return []Points{Duplicates, Collinear, Corners, Close} }

// String returns the name of the place.
func (p Points) String() string {
	names := [...]string{"free", "duplicates", "collinear", "corners", "close"}
	if p < 0 || p >= places {
		return fmt.Sprintf("Points(%d)", int(p))
	}
	return names[p]
}

// At returns a point of the unit cube with dim coordinates, not snapped to any space: that of the given number in the
// study of the seed. Free points are uniform. Cost O(dim).
func (p Points) At(seed uint64, number, dim int) space.Unit {
	own := rng.New(seed, pointStream, uint64(number)+distinct)
	x := make([]float64, dim)
	switch p {
	case Duplicates:
		fixed := rng.New(seed, pointStream, uint64(own.IntN(distinct)))
		for i := range x {
			x[i] = fixed.Float64()
		}
	case Collinear:
		t, ends := own.Float64(), rng.New(seed, pointStream, 0)
		for i := range x {
			a, b := ends.Float64(), ends.Float64()
			x[i] = min(max(a+t*(b-a), 0), 1)
		}
	case Corners:
		for i := range x {
			x[i] = float64(own.IntN(2))
		}
	case Close:
		step, center := float64(own.IntN(steps)), rng.New(seed, pointStream, 0)
		for i := range x {
			x[i] = 0.25 + 0.5*center.Float64() + gap*step
		}
	default:
		for i := range x {
			x[i] = own.Float64()
		}
	}
	return x
}
