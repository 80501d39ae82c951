package model

import (
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
	"math"
	"slices"
	"testing"
)

// A policy that draws gets a pool at a context where that comes again: the first draw costs less without. Other policies get
// theirs at once, filled after what was known then.
func TestThePoolIsFilledWhenTheContextChanges(t *testing.T) {
	actions, err := space.List([]space.Point{{0}, {0.5}, {1}}, space.Float("day", 0, 9).AsContext(), space.Float("dose", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, draws := range []bool{false, true} {
		m := empty(feedback.Ignore, Config{Space: actions, Draws: draws, Most: 9, Active: MinActive})
		var filled []int
		for k, day := range []float64{1, 1, 2, 2, 2, 1, 2, 2, math.Copysign(0, -1), 0} {
			m.Open(k+1, k+1, 0, nil)
			m.Reveal(Objective, k+1, Measurement{Value: 1}, k+2, 0)
			if k == 7 {
				m.next = &m.learned // new hyperparameters
			}
			m.Sync()
			m.Face([]float64{day})
			filled = append(filled, m.rows.filled)
		}
		want := []int{1, 1, 3, 3, 3, 6, 7, 0, 1, 2}
		if draws {
			want = []int{-1, 2, -1, 4, 4, -1, -1, 0, -1, -1}
		}
		if !slices.Equal(filled, want) {
			t.Errorf("draws %v: filled after %v edits, want %v", draws, filled, want)
		}
	}
}
