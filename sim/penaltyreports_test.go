package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/space"
)

// A study that ends early what reports penalties can be recomputed from snapshots.
func TestReportedPenaltiesAreRestored(t *testing.T) {
	p := slab(t, func(by float64) float64 { return 1e6 * (1 + by) })
	p.Observe = func(x space.Point, _ *rand.Rand) float64 { return p.Value(x) }
	p.Reports = func(x space.Point, _ *rand.Rand) (out []delay.Interim) {
		for k := range 3 {
			out = append(out, delay.Interim{Step: float64(k + 1), Share: float64(k+1) / 4, Value: p.Value(x) * (1 + 0.01*float64(3-k))})
		}
		return out
	}
	s := Scenario{Problem: p, Policy: parsed(t, "auto"), Delay: law(t, "fixed:6"), Rounds: 60, Seed: 2, StopEarly: 0.05}
	recomputeRestored(t, s)
}
