package space

import (
	"reflect"
	"slices"
	"testing"
)

// What is of one kind cannot be given as the other, by itself or in a list; numbers that are of no kind can be given as either.
func TestAPointOfOneKindIsNoneOfTheOther(t *testing.T) {
	unit, point, bare := reflect.TypeFor[Unit](), reflect.TypeFor[Point](), reflect.TypeFor[[]float64]()
	if unit.AssignableTo(point) || point.AssignableTo(unit) || reflect.SliceOf(unit).AssignableTo(reflect.SliceOf(point)) {
		t.Error("a point of the unit cube is taken for one in the user's units, or the other way round")
	}
	if !bare.AssignableTo(unit) || !bare.AssignableTo(point) {
		t.Error("numbers cannot be given as a point")
	}
}

func TestRowsBecomePointsWithoutACopy(t *testing.T) {
	rows := [][]float64{{1, 2}, {3, 4}}
	points := PointsOf(rows)
	rows[1][0] = 5
	if len(points) != 2 || !slices.Equal(points[0], Point{1, 2}) || !slices.Equal(points[1], Point{5, 4}) {
		t.Errorf("%v became %v", rows, points)
	}
}
