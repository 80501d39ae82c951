package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// A study that begins with a prior and takes values for penalties can be recomputed from snapshots.
func TestPenaltiesUnderAPriorAreRestored(t *testing.T) {
	p := slab(t, func(by float64) float64 { return 1e6 * (1 + by) })
	var past []loop.Past
	for _, seed := range []uint64{1, 2, 3} {
		stream, of := rand.New(rand.NewPCG(seed, 0)), loop.Past{Name: string('a' + rune(seed)), Space: p.Space, Sense: outcome.Maximize}
		for range 40 {
			x := space.Point{stream.Float64(), stream.Float64(), stream.Float64(), stream.Float64()}
			of.Points, of.Values = append(of.Points, x), append(of.Values, p.Value(x))
		}
		past = append(past, of)
	}
	lesson, _, err := loop.NewPriorLesson(p.Space, outcome.Maximize, loop.PriorSettings{Particles: 2, Steps: 50, Mean: []int{4}, Features: []int{4, 2}, Folds: -1}, past...)
	if err != nil {
		t.Fatal(err)
	}
	if err := lesson.Learn(0, func(int, float64) bool { return true }); err != nil {
		t.Fatal(err)
	}
	s := Scenario{Problem: p, Policy: parsed(t, "auto"), Delay: law(t, "fixed:4"), Rounds: 40, Seed: 2, Prior: must.Get(lesson.Prior())(t)}
	recomputeRestored(t, s)
}
