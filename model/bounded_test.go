package model

import (
	"fmt"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
	"slices"
	"testing"
)

// Of more queries without an answer than half the rows the latest stay. An answer brings its query back, whatever happened
// to it; a failure does not.
func TestQueriesThatLostTheirRowComeBackWithTheirAnswer(t *testing.T) {
	for _, how := range []feedback.Imputation{feedback.Censor, feedback.Hallucinate} {
		m := crowdedModel(how, 100, 1, 9)
		m.Sync()
		if want := naiveMembers(m); !slices.Equal(m.rows.now, want) || want[0] != 79 || len(want) != 22 {
			t.Fatalf("%v: rows %v, want the 22 latest", how, m.rows.now)
		}
		m.Remove(3)                                            // without a row
		m.Remove(90)                                           // with one
		m.Reveal(Objective, 7, Measurement{Value: 5}, 101, 0)  // without one
		m.Remove(9)                                            // without one, and its answer comes after all
		m.Reveal(Objective, 9, Measurement{Value: -5}, 102, 0) //
		m.Reveal(Objective, 95, Measurement{Value: 1}, 102, 0) // with one
		m.Reveal(Objective, 90, Measurement{Value: 2}, 102, 0) // with one that failed and answered between two asks
		m.Reveal(Objective, 3, Measurement{Value: 4}, 102, 0)  // the same without
		m.Remove(4)                                            // without one, for good
		generation := m.rows.generation
		m.Sync()
		if m.rows.generation != generation || fmt.Sprint(m.rows.now[22:]) != "[3 7 9]" {
			t.Fatalf("%v: new rows %v", how, m.rows.now[22:])
		}
		for i, number := range m.rows.now {
			value, answered := map[int]float64{3: 4, 7: 5, 9: -5, 90: 2, 95: 1}[number]
			if slices.Contains(m.unanswered, i) == answered || answered && m.targets[i] != m.units.To(value) {
				t.Errorf("%v: query %d has target %v in units %+v, answered %v", how, number, m.targets[i], m.units, answered)
			}
		}
	}
}

// Queries that come and fail leave no trace that grows for ever.
func TestEditsAreBounded(t *testing.T) {
	prior := surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{1}, Outputscale: 1}, Noise: 1e-2}
	where, err := space.New(space.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	m := New(Config{
		Space: where, Active: MinActive, Outputs: []Spec{{Prior: prior, Known: true}}, Beliefs: []Want{{Pending: feedback.Hallucinate}},
	}).of(0)
	for n := 1; n <= 400; n++ {
		m.Open(n, n, 0, []float64{0.5})
		m.Sync()
		m.Remove(n)
		m.Sync()
		if len(m.rows.edits) > 51 {
			t.Fatalf("%d edits after %d queries", len(m.rows.edits), n)
		}
	}
}
