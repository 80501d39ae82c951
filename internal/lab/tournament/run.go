package tournament

import (
	"context"
	"math"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/experiment"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

// Names of what a run records.
const (
	curveRegret      = "regret"      // simple regret in units of ten random points, after each twentieth of the budget
	curveRecommended = "recommended" // regret of what the study recommends at the end, in the same units
	curveCoverage    = "coverage"    // values with a forecast, and of them those in its central 80 %
	curveRepeats     = "repeats"     // share of the queries that are nearly at an earlier one
)

// stations is the number of places of a curve.
const stations = 20

// arms are all policies in all cells.
func arms(cells []Cell, contenders []console.Contender) []experiment.Arm {
	var out []experiment.Arm
	for _, c := range cells {
		for _, p := range contenders {
			out = append(out, experiment.Arm{
				Group: c.Name(), Name: p.Name, Policy: p.Name, Steps: c.Budget, Prepare: c.prepare,
				Run: func(ctx context.Context, seed uint64, step func()) (experiment.Record, error) {
					return c.run(ctx, p, seed, step)
				},
			})
		}
	}
	return out
}

// prepare draws the problem: all policies of a seed share it, and none of them shall pay for it.
func (c Cell) prepare(seed uint64) error {
	_, err := c.Problem.world(seed)
	return err
}

// run plays one policy against one seed.
func (c Cell) run(ctx context.Context, p console.Contender, seed uint64, step func()) (experiment.Record, error) {
	w, err := c.Problem.world(seed)
	if err != nil {
		return nil, err
	}
	s, err := c.scenario(w, p.On(w.problem), seed)
	if err != nil {
		return nil, err
	}
	outcome, err := sim.Run(ctx, s, sim.Dispatches(step))
	if err != nil {
		return nil, err
	}
	return experiment.Record{
		curveRegret:      w.curve(outcome.SimpleRegret, s.Initial, c.Budget),
		curveRecommended: {w.recommended(outcome.Result)},
		curveCoverage:    {float64(outcome.Result.Coverage.Judged), float64(outcome.Result.Coverage.Central)},
		curveRepeats:     {repeats(outcome.Result.Evaluations, s.Initial)},
	}, nil
}

// scenario is everything about a run. Its initial design is that of a study that asks for none.
func (c Cell) scenario(w world, policy policies.Policy, seed uint64) (sim.Scenario, error) {
	law, err := delay.ParseLaw(law(c.Condition.Delay))
	if err != nil {
		return sim.Scenario{}, err
	}
	l, err := loop.New(loop.Config{Space: w.problem.Space, Traits: policy.Traits(), Budget: c.Budget})
	if err != nil {
		return sim.Scenario{}, err
	}
	initial := l.Config().Initial
	return sim.Scenario{
		Problem: under(w.problem, c.Condition.Noise, w.spread.Stddev), Policy: policy, Delay: law, Rounds: c.Budget - initial, Initial: initial,
		Seed: seed, Workers: c.Condition.Workers, Timeout: c.Condition.timeout(), Low: w.spread.Low,
	}, nil
}

// curve is the simple regret after each twentieth of the budget, NaN as long as that is not beyond the initial queries; where these
// are half of the budget, the next query decides what is written there. Without an answer the regret is the largest there is.
func (w world) curve(regret []float64, initial, budget int) []float64 {
	out := make([]float64, stations)
	for i := range out {
		k := min(int(math.Round(float64((i+1)*budget)/stations)), budget) - initial
		switch {
		case k < 1 && i != halfway || len(regret) == 0:
			out[i] = math.NaN()
		default:
			out[i] = w.inUnits(regret[min(max(k, 1), len(regret))-1])
		}
	}
	return out
}

func (w world) inUnits(regret float64) float64 {
	if math.IsNaN(regret) {
		regret = w.problem.Maximum - w.spread.Low
	}
	return max(regret, 0) / w.unit
}

// recommended is the regret of the point that a study recommends.
func (w world) recommended(r loop.Result) float64 {
	if r.Recommended == nil {
		return w.inUnits(math.NaN())
	}
	return w.inUnits(w.problem.Maximum - w.problem.Value(w.problem.Space.Value(r.Recommended.X)))
}

// near is the distance in the unit cube, along each of its axes, below which two queries are nearly the same.
const near = 1e-3

// repeats is the share of the queries after the initial ones that are near an earlier one.
func repeats(all []loop.Evaluation, initial int) float64 {
	count := 0
	for i := initial; i < len(all); i++ {
		for j := range i {
			if apart(all[i].X, all[j].X) < near {
				count++
				break
			}
		}
	}
	return float64(count) / float64(max(len(all)-initial, 1))
}

// apart is the greatest distance along an axis.
func apart(a, b []float64) float64 {
	most := 0.0
	for j := range a {
		most = max(most, math.Abs(a[j]-b[j]))
	}
	return most
}
