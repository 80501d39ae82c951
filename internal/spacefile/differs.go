package spacefile

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/space"
)

// Differs says what another description has that this one has not, as in "other points: 3, not 4"; empty where they are the same.
func (d Description) Differs(other Description) string {
	switch {
	case !bytes.Equal(Format(d.Space), Format(other.Space)):
		return "another one: " + parameterOf(d.Space, other.Space)
	case !slices.EqualFunc(d.Space.Points(), other.Space.Points(), alike):
		return "other points: " + among(d.Space.Points(), other.Space.Points())
	case !slices.Equal(d.Constraints, other.Constraints):
		return "other constraints"
	case !slices.EqualFunc(d.Seeds, other.Seeds, alike):
		return "other seeds"
	}
	return ""
}

// parameterOf says in which parameter two spaces differ first, as descriptions have it.
func parameterOf(these, others space.Space) string {
	ours, theirs := parameterLines(these), parameterLines(others)
	for k := range min(len(ours), len(theirs)) {
		if ours[k] != theirs[k] {
			return fmt.Sprintf("parameter %d is %s, not %s", k+1, theirs[k], ours[k])
		}
	}
	return fmt.Sprintf("%d parameters, not %d", len(theirs), len(ours))
}

// parameterLines describes each parameter in a line.
func parameterLines(s space.Space) (lines []string) {
	all := strings.Split(strings.TrimSpace(string(Format(s))), "\n")
	for _, line := range all[2 : len(all)-2] {
		lines = append(lines, strings.TrimSuffix(strings.TrimSpace(line), ","))
	}
	return lines
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
