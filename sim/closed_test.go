package sim

import (
	"math"
	"testing"
)

// Where all queries are under way before anything is known, the last regret is that of nothing: what more would be queried then would be as blind.
func TestRegretOfQueriesThatAllBeginAtOnce(t *testing.T) {
	s := Scenario{Problem: problem(t, "branin", 1), Policy: parsed(t, "random"), Delay: law(t, "fixed:3"), Rounds: 17, Initial: 4, Seed: 3, Workers: 40}
	for i, r := range mustRun(t, s).SimpleRegret {
		if !math.IsNaN(r) {
			t.Errorf("simple regret %v after query %d of 17, when no answer has come", r, i+1)
		}
	}
}
