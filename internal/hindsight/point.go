package hindsight

import (
	"encoding/json"
	"math"

	"github.com/tarry-bo/tarry/space"
)

// Point is a point in user units.
type Point struct {
	Space space.Space
	X     space.Point
}

// String returns the parameters with their values, in one line.
func (p Point) String() string { return p.Space.Format(p.X) }

// MarshalJSON returns the values by the names of the parameters, in their order, without what is inactive.
func (p Point) MarshalJSON() ([]byte, error) { return p.Space.Object(p.X), nil }

// Number is a number that JSON may not have: null where it is not finite.
type Number float64

// Finite reports whether it is a number that can be told.
func (n Number) Finite() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// MarshalJSON returns the number or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Finite() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}
