package experiment

import "github.com/tarry-bo/tarry/sim/fidelity"

func init() {
	add(Experiment{
		Name: "mf-hartmann", Title: "Hartmann functions in four fidelities", Source: "Zhang 2024, ch. 5",
		About: "Each seed draws a task: the Hartmann function in six dimensions with its exponents multiplied by factors from 0.8 to 1.2. " +
			"Fidelities cost 10, 15, 20 and 25, the budget of a task is 500, the noise has a variance of 0.1; and the same with a budget of 1000 and without noise.",
		Rounds: levelledRounds, Unit: levelledUnit,
		Plan: func(in Input) (Plan, error) {
			draw := func(seed uint64, task int) (fidelity.Problem, error) { return fidelity.Hartmann(seed, task), nil }
			quiet := func(seed uint64, task int) (fidelity.Problem, error) {
				p := fidelity.Hartmann(seed, task)
				p.Noise = 0
				return p, nil
			}
			return planLevelled(in, []family{
				{group: "noise, " + levelledBudget(in, 500), draw: draw, judged: logRegretOf(1e-4), shown: levelledRegret},
				{group: "no noise, " + levelledBudget(in, 1000), draw: quiet, budget: 1000, judged: logRegretOf(1e-4), shown: levelledRegret},
			}, levelledPaces, "Hartmann functions in four fidelities",
				sequence{family: family{draw: draw, judged: logRegretOf(1e-4), shown: levelledRegret}, tasks: 10, arms: sequenceArms(1.2, 10)}), nil
		},
	})
}
