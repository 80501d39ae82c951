package sim

import (
	"context"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
)

// byOrder is a bowl in the order of magnitude of a dose of 0 … 1000, with a further parameter on either side of it: one that the world sets, which
// moves the best dose by a decade, or a fidelity, of which the lower ones are off.
func byOrder(t *testing.T, further space.Parameter) Problem {
	t.Helper()
	value := func(x space.Point) float64 {
		by := math.Log10(max(x[0], 1e-3)/3) - x[1]
		return -by*by - (x[2]-0.4)*(x[2]-0.4)
	}
	p := Problem{Name: "by order", Value: value, BestIn: func(space.Point) float64 { return 0 }}
	if further.Role == space.Fidelity {
		p.Value = func(x space.Point) float64 { return value(space.Point{x[0], 0, x[2]}) - (27-x[1])/100*(1+x[2]) }
		p.Maximizers = []space.Point{{3, 27, 0.4}}
	}
	p.Space = must.Get(space.New(space.Float("dose", 0, 1000), further, space.Float("share", 0, 1)))(t)
	return p
}

// Studies with contexts, and those over a fidelity, find the scale of a range that is far too wide, and can be recomputed.
func TestScalesAreFoundAtContextsAndOverFidelities(t *testing.T) {
	for name, further := range map[string]space.Parameter{
		"context": space.Float("weight", 0, 1).AsContext(), "fidelity": space.Ordered("samples", 1, 9, 27).AsFidelity(1, 9, 27),
	} {
		if raced && name == "context" {
			continue
		}
		s := Scenario{Problem: byOrder(t, further), Policy: parsed(t, "auto"), Delay: law(t, "poisson:3"), Rounds: 60, Workers: 4, Seed: 2, Noise: 0.01}
		o, err := Run(context.Background(), s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		worst := 0.
		for _, e := range o.Result.Evaluations[len(o.Result.Evaluations)-10:] {
			x := s.Problem.Space.Value(e.X)
			by := math.Log10(max(x[0], 1e-3) / 3)
			if name == "context" {
				by -= x[1]
			}
			worst = max(worst, math.Abs(by))
		}
		if worst > 1 {
			t.Errorf("%s: of the last ten queries one is %.2f decades off", name, worst)
		}
		if !raced {
			recomputeRestored(t, s)
		}
	}
}
