package sim

import (
	"context"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// measuredSlab is slab with a penalty, where how far a point is off is measured besides.
func measuredSlab(t *testing.T) Problem {
	t.Helper()
	p := slab(t, func(by float64) float64 { return 1e6 * (1 + by) })
	off := func(x space.Point) float64 { return (x[0] + x[1] - x[2] - x[3]) / 2 }
	p.Measure = func(x space.Point) []float64 { return []float64{off(x), off(x)} }
	p.Constraints = []outcome.Constraint{outcome.AtMost("up", 0.1), outcome.AtLeast("down", -0.1)}
	p.Seeds = []space.Point{{0.6, 0.6, 0.6, 0.6}}
	return p
}

// What a policy takes for penalties are penalties, also where that which they are for is measured, and where fits are made beside the study; a policy that is safe
// takes no value for one.
func TestPenaltiesAmongConstraints(t *testing.T) {
	if raced || testing.Short() {
		t.Skip("ten studies")
	}
	for name, c := range map[string]struct {
		policy  string
		measure bool
		found   bool // whether penalties are told from values
		change  func(s *Scenario)
	}{
		"measured":         {"auto", true, true, func(*Scenario) {}},
		"beside":           {"auto", false, true, beside},
		"measured, beside": {"auto", true, true, beside},
		"safe":             {"d-safe-bocp:alpha=0.3", true, false, func(*Scenario) {}},
		"safe, noisy":      {"p-safe-bocp:alpha=0.3:sd=0.01", true, false, beside},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(2) {
				p := measuredSlab(t)
				if !c.measure {
					p.Measure, p.Constraints, p.Seeds = nil, nil, nil
				}
				s := Scenario{Problem: p, Policy: parsed(t, c.policy), Delay: law(t, "poisson:4"), Rounds: 40, Seed: seed + 1}
				c.change(&s)
				found := 0
				o := must.Get(Run(context.Background(), s, func(l *loop.Loop, e loop.Stamped, _ []loop.Effect) error {
					if e.Seq%8 > 0 {
						return nil
					}
					penalties := l.View().Penalties
					for _, number := range penalties {
						if v := l.Evaluations()[number-1].Value; v > -1e5 {
							t.Errorf("seed %d: %v is taken for a penalty", s.Seed, v)
						}
					}
					found = max(found, len(penalties))
					return l.Check()
				}))(t)
				r := o.Result
				if t.Logf("regret %.4f, %d of %d penalties known", o.SimpleRegret[len(o.SimpleRegret)-1], found, len(r.Evaluations)); (found > 0) != c.found {
					t.Errorf("seed %d: %d penalties", s.Seed, found)
				}
				if r.Best == nil || r.Best.Value < -1 || r.Counters.Fallbacks > 0 {
					t.Errorf("seed %d: the best is %+v, %d proposals failed", s.Seed, r.Best, r.Counters.Fallbacks)
				}
			}
		})
	}
}

// beside lets four workers evaluate while fits are made.
func beside(s *Scenario) {
	s.Workers, s.FitBeside = 4, true
	s.FitTime = func(n int) time.Duration { return time.Duration(n%3) * Tick }
}
