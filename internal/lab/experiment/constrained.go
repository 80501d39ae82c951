package experiment

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

func init() {
	add(Experiment{
		Name: "constrained", Title: "Constraints that are measured, and constraints that say yes or no", Source: "tarry's own; the problems are those of the literature",
		About: "One query a round, delays Poisson with a mean of 8 rounds, no noise. With margins a study hears with each value how far each constraint is " +
			"from its bound, and learns it; with yes and no alone it hears that a point is infeasible, and nothing else of it. A query counts as " +
			"soon as it is chosen, since its answer will come.",
		Rounds: 90,
		Plan:   planConstrained,
	})
}

// constrainedProblems are the problems, a group each.
var constrainedProblems = []string{
	"gramacy", "gardner1", "gardner2", "ackley10", "weldedbeam", "pressurevessel", "vesselcontinuous", "spring", "speedreducer", "reactor",
}

// The arms.
const (
	armMargins = "auto, margins"
	armYesNo   = "auto, yes or no"
)

var constrainedArms = []struct {
	name, policy string
	yesNo        bool
}{
	{armMargins, "auto", false},
	{armYesNo, "auto", true},
	{"gp-bucb, margins", "gp-bucb", false},
	{"gp-bucb, yes or no", "gp-bucb", true},
	{"random", "random", false},
}

// Curves of the experiment, by all queries, initial ones included; the last two are single numbers.
const (
	constrainedRegret = "log_regret"
	constrainedShare  = "feasible_share"
	constrainedFirst  = "first_feasible"
)

const (
	constrainedInitial = 10
	constrainedFloor   = 1e-6 // least regret that counts, in ranges of the feasible values
)

func planConstrained(in Input) (Plan, error) {
	var arms []Arm
	for _, name := range constrainedProblems {
		p, err := sim.NewProblem(name, 0)
		if err != nil {
			return Plan{}, err
		}
		span := sync.OnceValue(func() float64 { return feasibleRange(p) })
		for _, a := range constrainedArms {
			s := study{problem: named(name), policy: a.policy, law: "poisson:8", rounds: in.Rounds}
			s.adjust = func(c *sim.Scenario) {
				c.Initial = constrainedInitial
				if a.yesNo {
					c.Problem = yesOrNo(c.Problem)
				}
			}
			arms = append(arms, s.arm(name, a.name, constrainedInitial, func(_ sim.Scenario, o sim.Performance) Record {
				return constrainedRecord(p, o.Result.Evaluations, span())
			}))
		}
	}
	return Plan{Arms: arms, Facts: []Fact{
		{"initial queries", fmt.Sprintf("%d, the same for all, counted like all others", constrainedInitial)},
		{"regret", fmt.Sprintf("of the best feasible query so far, answered or not; in ranges of the feasible values, from the best to the worst that a long random walk meets, and not less than %g", constrainedFloor)},
		{"before a feasible query", "regret is the whole range: 0 on the logarithmic scale"},
	}, Show: func(r Results) []Section { return showConstrained(r, constrainedInitial+in.Rounds) }}, nil
}

// yesOrNo is the problem whose constraints have no names: an evaluation says whether they hold.
func yesOrNo(p sim.Problem) sim.Problem {
	named, measure := p.Constraints, p.Measure
	p.Constraints = nil
	p.Measure = func(x space.Point) []float64 {
		if outcome.Violation(named, measure(x)) != "" {
			return []float64{1}
		}
		return []float64{0}
	}
	return p
}

// holds reports whether every constraint of the problem holds at x, in user units.
func holds(p sim.Problem, x space.Point) bool {
	return outcome.Violation(p.Constraints, p.Measure(x)) == ""
}

const (
	rangeDraws   = 1000
	rangeSteps   = 8000 // of the walk
	rangeDecades = 4    // from the widest step to the narrowest
)

// feasibleRange is the range of the values at feasible points: points of the box, and those of a walk that begins at the best.
func feasibleRange(p sim.Problem) float64 {
	worst, stream := p.Maximum, rng.New(0, rng.Problem, 0)
	for range rangeDraws {
		if x := p.Space.Value(p.Space.RandomAt(nil, stream)); holds(p, x) {
			worst = min(worst, p.Value(x))
		}
	}
	at, err := p.Space.Unit(p.Maximizers[0])
	if err != nil {
		panic("experiment: the maximizer of " + p.Name + ": " + err.Error())
	}
	for range rangeSteps {
		width, next := math.Pow(10, -rangeDecades*stream.Float64()), slices.Clone(at)
		for j := range next {
			next[j] = min(max(next[j]+width*stream.NormFloat64(), 0), 1)
		}
		next = p.Space.Snap(next)
		if x := p.Space.Value(next); holds(p, x) {
			at, worst = next, min(worst, p.Value(x))
		}
	}
	return p.Maximum - worst
}

// constrainedRecord measures a run by all of its queries.
func constrainedRecord(p sim.Problem, all []loop.Evaluation, span float64) Record {
	curve, best, feasible, first := make([]float64, len(all)), span, 0, len(all)+1
	for i, e := range all {
		if x := p.Space.Value(e.X); holds(p, x) {
			best = min(best, p.Maximum-p.Value(x))
			feasible, first = feasible+1, min(first, i+1)
		}
		curve[i] = math.Log10(max(best/span, constrainedFloor))
	}
	return Record{
		constrainedRegret: curve, constrainedShare: {100 * float64(feasible) / float64(len(all))}, constrainedFirst: {float64(first)},
	}
}
