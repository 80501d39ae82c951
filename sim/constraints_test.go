package sim

import (
	"context"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// gramacy is two-dimensional, with two constraints.
func gramacy(t testing.TB) Problem {
	t.Helper()
	return must.Get(NewProblem("gramacy", 1))(t)
}

func TestPoliciesFindTheBestFeasiblePoint(t *testing.T) {
	for i, name := range []string{"auto", "gp-bucb", "log-ei", "pi", "asy-ts", "ucb-sdf", "locbo", "ensemble", "mes", "pes"} {
		if raced && i%3 > 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Scenario{Problem: gramacy(t), Policy: must.Get(policies.Parse(name))(t), Delay: delay.Fixed{Delay: 1}, Rounds: 30, Seed: 3}
			p := must.Get(Run(context.Background(), s, func(l *loop.Loop, _ loop.Stamped, _ []loop.Effect) error { return l.Check() }))(t)
			n := len(p.SimpleRegret)
			infeasible := 0
			for _, e := range p.Result.Evaluations {
				if e.Status == loop.Infeasible {
					infeasible++
				}
			}
			t.Logf("regret %.4f after 10, %.4f at the end; %d of %d infeasible", p.SimpleRegret[9], p.SimpleRegret[n-1], infeasible, len(p.Result.Evaluations))
			if p.Result.Counters.Fallbacks > 0 {
				t.Errorf("%d proposals failed", p.Result.Counters.Fallbacks)
			}
			if r := p.SimpleRegret[n-1]; !(r < 0.05) {
				t.Errorf("regret %v", r)
			}
		})
	}
}

// grid is gramacy on a list of points.
func grid(t testing.TB) Problem {
	t.Helper()
	p := gramacy(t)
	var points []space.Point
	for i := range 17 {
		for j := range 17 {
			points = append(points, space.Point{float64(i) / 16, float64(j) / 16})
		}
	}
	p.Space = must.Get(space.List(points, p.Space.Parameters()...))(t)
	p.Maximizers, p.Maximum = nil, math.Inf(-1)
	for _, x := range points {
		if p.feasible(x) {
			p.Maximum = max(p.Maximum, p.Value(x))
		}
	}
	return p
}

// What is measured where a constraint is violated may mean nothing, the feasible points may be few, and where queries are may be a list,
// or chosen in part by the world.
func TestConstraintsHoldInStudiesOfEveryKind(t *testing.T) {
	few := gramacy(t)
	few.Constraints = []outcome.Constraint{outcome.AtMost("distance", 0.01)}
	few.Measure = func(x space.Point) []float64 {
		return []float64{(x[0]-0.8)*(x[0]-0.8) + (x[1]-0.25)*(x[1]-0.25)}
	}
	few.Maximum = -0.8 - 0.25 + 0.1*math.Sqrt2
	for name, c := range map[string]struct {
		scenario Scenario
		within   float64 // regret at the end
	}{
		"few feasible":   {Scenario{Problem: few, Rounds: 25}, 0.05},
		"a list":         {Scenario{Problem: grid(t), Rounds: 25}, 1e-9},
		"a context":      {Scenario{Problem: gramacy(t), Rounds: 12, Contextual: true}, math.Inf(1)},
		"many at a time": {Scenario{Problem: gramacy(t), Rounds: 40, Workers: 4, Delay: delay.Exponential{Scale: 3}}, 0.05},
		"late and noisy": {Scenario{Problem: gramacy(t), Rounds: 25, Noise: 0.01, Delay: delay.Poisson{Lambda: 3}}, 0.1},
	} {
		for _, policy := range []string{"gp-bucb", "log-ei", "auto", "gp-bts", "ts-sdf"} {
			t.Run(name+"/"+policy, func(t *testing.T) {
				t.Parallel()
				s := c.scenario
				s.Policy, s.Seed = must.Get(policies.Parse(policy))(t), 4
				if s.Delay == nil {
					s.Delay = delay.Fixed{Delay: 1}
				}
				p := must.Get(Run(context.Background(), s, func(l *loop.Loop, _ loop.Stamped, _ []loop.Effect) error { return l.Check() }))(t)
				if n := p.Result.Counters.Fallbacks; n > 0 {
					t.Errorf("%d proposals failed", n)
				}
				if r := p.SimpleRegret[len(p.SimpleRegret)-1]; !(r <= c.within) {
					t.Errorf("regret %v, want at most %v", r, c.within)
				}
			})
		}
	}
}
