package experiment

import "github.com/tarry-bo/tarry/sim/fidelity"

func init() {
	add(Experiment{
		Name: "mf-misleading", Title: "The Branin function with a cheap fidelity that may mislead", Source: "tarry's own",
		About: "Each seed moves the function a little. An exact query costs 10 and a cheap one 1, of a budget of 200. What is cheap is alike, or says nothing of the function, " +
			"by its unit, its level, its sign, or since it is another one. There is no noise.",
		Rounds: levelledRounds, Unit: levelledUnit,
		Plan: func(in Input) (Plan, error) {
			var families []family
			for _, l := range fidelity.Lowers() {
				draw := func(seed uint64, task int) (fidelity.Problem, error) { return l.Branin(seed, task), nil }
				families = append(families, family{group: l.Name, draw: draw, judged: logRegretOf(1e-6), shown: levelledRegret})
			}
			return planLevelled(in, families, levelledPaces[:1], "The Branin function with a cheap fidelity that may mislead"), nil
		},
	})
}
