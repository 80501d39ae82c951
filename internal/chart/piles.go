package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// Piles returns the indices of the points that would look the same, since they are less than about half a typographic point
// apart: a pile for each place, in the order of their first points. Cost O(n).
func Piles(points []vg.Point) [][]int {
	const grain = 0.5
	type place struct{ x, y int }
	var out [][]int
	seen := map[place]int{}
	for i, p := range points {
		at := place{int(math.Round(float64(p.X) / grain)), int(math.Round(float64(p.Y) / grain))}
		pile, known := seen[at]
		if !known {
			pile = len(out)
			seen[at], out = pile, append(out, nil)
		}
		out[pile] = append(out[pile], i)
	}
	return out
}

// PileRadius is that of a mark for so many points where one has a radius: the area is in proportion up to mostPiled.
func PileRadius(one vg.Length, count int) vg.Length {
	return one * vg.Length(math.Sqrt(float64(min(count, MostPiled))))
}

// MostPiled is the number of points beyond which the mark of a pile does not grow.
const MostPiled = 12
