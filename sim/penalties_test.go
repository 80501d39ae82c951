package sim

import (
	"context"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
)

// slab is a bowl in four dimensions of which a slab is allowed; elsewhere is a penalty.
func slab(t *testing.T, penalty func(by float64) float64) Problem {
	t.Helper()
	p := Problem{Name: "slab", BestIn: func(space.Point) float64 { return 0 }}
	p.Value = func(x space.Point) float64 {
		by := math.Abs(x[0]+x[1]-x[2]-x[3]) / 2
		if by > 0.1 {
			return -penalty(by)
		}
		sum := 0.
		for j, v := range x {
			sum += (v - 0.3 - 0.1*float64(j%2)) * (v - 0.3 - 0.1*float64(j%2))
		}
		return -sum
	}
	p.Maximizers = []space.Point{{0.3, 0.4, 0.3, 0.4}}
	p.Space = must.Get(space.New(space.Float("a", 0, 1), space.Float("b", 0, 1), space.Float("c", 0, 1), space.Float("d", 0, 1)))(t)
	return p
}

// Whatever a penalty is, good values are told from better ones.
func TestPenaltiesDoNotHideWhatIsGood(t *testing.T) {
	if raced || testing.Short() {
		t.Skip("16 studies")
	}
	const within, enough, studies = 0.003, 6, 8
	for name, penalty := range map[string]func(by float64) float64{
		"a constant": func(float64) float64 { return 1e6 }, "more the farther off": func(by float64) float64 { return 1e6 * (1 + by) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := 0
			for seed := range uint64(studies) {
				s := Scenario{Problem: slab(t, penalty), Policy: parsed(t, "auto"), Delay: law(t, "poisson:4"), Rounds: 60, Seed: seed + 1}
				o := must.Get(Run(context.Background(), s))(t)
				r := o.SimpleRegret[len(o.SimpleRegret)-1]
				if t.Logf("regret %.5f", r); r <= within {
					found++
				}
				if seed == 0 {
					recomputeRestored(t, s)
				}
			}
			if found < enough {
				t.Errorf("%d of %d studies end within %v", found, studies, within)
			}
		})
	}
}
