package experiment

import (
	"context"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

// study is an arm that simulates a scenario.
type study struct {
	problem func(seed uint64) (sim.Problem, error)
	policy  string // as policies.Parse reads it
	law     string // as delay.ParseLaw reads it
	rounds  int
	window  feedback.Window
	adjust  func(*sim.Scenario) // whatever else is to be set; nil: nothing
}

// named is the problem of that name, drawn by the seed.
func named(spec string) func(uint64) (sim.Problem, error) {
	return func(seed uint64) (sim.Problem, error) { return sim.NewProblem(spec, seed) }
}

// strict is the window of Verma et al. 2022: what comes later than m rounds is thrown away.
func strict(m int) feedback.Window { return feedback.Window{Rounds: m, Strict: true} }

// kept is a window that keeps late answers.
func kept(m int) feedback.Window { return feedback.Window{Rounds: m} }

// arm makes the study an arm; measure turns an outcome into a record.
func (s study) arm(group, name string, initial int, measure func(sim.Scenario, sim.Performance) Record) Arm {
	return Arm{Group: group, Name: name, Policy: s.policy, Steps: initial + s.rounds, Run: func(ctx context.Context, seed uint64, step func()) (Record, error) {
		scenario, err := s.scenario(seed)
		if err != nil {
			return nil, err
		}
		outcome, err := sim.Run(ctx, scenario, sim.Dispatches(step))
		if err != nil {
			return nil, err
		}
		return measure(scenario, outcome), nil
	}}
}

// scenario is everything about a run.
func (s study) scenario(seed uint64) (sim.Scenario, error) {
	problem, err := s.problem(seed)
	if err != nil {
		return sim.Scenario{}, err
	}
	policy, err := policies.Parse(s.policy, problem.Options...)
	if err != nil {
		return sim.Scenario{}, err
	}
	law, err := delay.ParseLaw(s.law)
	if err != nil {
		return sim.Scenario{}, err
	}
	out := sim.Scenario{
		Problem: problem, Policy: policy, Delay: law, Rounds: s.rounds, Seed: seed, Noise: problem.Noise, Window: s.window,
	}
	if s.adjust != nil {
		s.adjust(&out)
	}
	return out, nil
}

// regrets records both regrets of a run.
func regrets(_ sim.Scenario, o sim.Performance) Record {
	return Record{SimpleRegret: o.SimpleRegret, CumulativeRegret: o.CumulativeRegret}
}

// accuracies records, in percent, the accuracy of the best answered query of a problem whose values are shares of hits.
func accuracies(s sim.Scenario, o sim.Performance) Record {
	best := make([]float64, len(o.SimpleRegret))
	for i, regret := range o.SimpleRegret {
		best[i] = 100 * (s.Problem.Maximum - regret)
	}
	return Record{Accuracy: best}
}
