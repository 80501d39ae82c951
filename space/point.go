package space

// Unit is a point of the unit cube, on which everything inside works. Point is a point in the user's units. They are two types so
// that one does not compile where the other is meant; Space.Unit and Space.Value lead from one to the other, and nothing else does. A
// []float64 can be given as either, and says nothing of what it is.
//
// A point has a coordinate for each parameter, in their order; where a function says so, for each action or for each context only.
type (
	Unit  []float64
	Point []float64
)

// PointsOf returns the rows of a table as points in the user's units. They share their numbers with the rows.
func PointsOf(rows [][]float64) []Point {
	points := make([]Point, len(rows))
	for i, row := range rows {
		points[i] = row
	}
	return points
}
