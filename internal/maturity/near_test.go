package maturity_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarry-bo/tarry/internal/maturity"
)

// Half of the evaluations never learn anything, and the others gain 0.2: whoever is among these is expected to gain as much, which the
// line through all does not say.
func TestNearPairsDecideWhatIsExpected(t *testing.T) {
	s := rand.New(rand.NewPCG(7, 8))
	var pairs []maturity.Pair
	for range 30 {
		x := 0.5 + 0.2*s.Float64()
		pairs = append(pairs, maturity.Pair{Interim: x, Final: x + 0.2 + 0.005*s.NormFloat64()}, maturity.Pair{Interim: 0.1 + 0.01*s.Float64(), Final: 0.1})
	}
	p, ok := maturity.Near(pairs, 0.55)
	if !ok || math.Abs(p.Mean-0.75) > 0.01 || p.Scale > 0.02 {
		t.Errorf("%+v, %v, want about 0.75", p, ok)
	}
	for i := range pairs {
		pairs[i].Interim *= -1e300 // a loss, in other units
		pairs[i].Final *= 1e-300
	}
	if p, ok := maturity.Near(pairs, -0.55e300); !ok || math.Abs(p.Mean/1e-300-0.75) > 0.01 {
		t.Errorf("%+v, %v, want about 0.75e-300", p, ok)
	}
}

func TestWhoIsNotBehindTheBestIsNotJudged(t *testing.T) {
	var pairs []maturity.Pair
	for i := range 12 {
		pairs = append(pairs, maturity.Pair{Interim: float64(i), Final: float64(10 * i)})
	}
	if _, ok := maturity.Near(pairs, 11); ok {
		t.Error("what is where the best was is judged")
	}
	if _, ok := maturity.Near(pairs[:maturity.MinNear-1], 2); ok {
		t.Error("few pairs are enough")
	}
	if p, ok := maturity.Near(pairs, 3); !ok || math.Abs(p.Mean-30) > 3 {
		t.Errorf("%+v, %v, want about 30", p, ok)
	}
	alike := make([]maturity.Pair, 20)
	if p, ok := maturity.Near(alike, -1); ok {
		t.Errorf("from zeros follows %+v", p)
	}
	for i := range alike {
		alike[i] = maturity.Pair{Interim: 5, Final: float64(i % 2)}
	}
	if p, ok := maturity.Near(alike, 4); ok && (math.IsNaN(p.Mean) || math.IsNaN(p.Scale)) {
		t.Errorf("where interims are alike %+v follows", p)
	}
}
