package spacefile

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/space"
)

// Differs says what another description has that this one has not, as in "other points: 3, not 4"; empty where they are the same.
func (d Description) Differs(other Description) string {
	switch {
	case !bytes.Equal(Format(d.Space), Format(other.Space)):
		return "another one"
	case !slices.EqualFunc(d.Space.Points(), other.Space.Points(), alike):
		return "other points: " + among(d.Space.Points(), other.Space.Points())
	case !slices.Equal(d.Constraints, other.Constraints):
		return "other constraints"
	case !slices.EqualFunc(d.Seeds, other.Seeds, alike):
		return "other seeds"
	}
	return ""
}

// among says what other points are not these.
func among(these, others []space.Point) string {
	counted := func(points []space.Point) string {
		if points == nil {
			return "all of the space"
		}
		return fmt.Sprint(len(points))
	}
	if a, b := counted(these), counted(others); a != b {
		return fmt.Sprintf("%s, not %s", b, a)
	}
	for k := range these {
		if !alike(these[k], others[k]) {
			return fmt.Sprintf("the one with number %d is the first that is another one", k+1)
		}
	}
	return "none" // it is not asked where all are alike
}

// alike compares two points, NaN where both are inactive.
func alike(x, y space.Point) bool {
	return slices.EqualFunc(x, y, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) })
}
