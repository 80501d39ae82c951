package experiment

import "github.com/tarry-bo/tarry/sim/fidelity"

func init() {
	add(Experiment{
		Name: "mf-gas", Title: "A gas source, by classes of atmospheric stability", Source: "Zhang 2024, ch. 5; wind, sensors and plume are a look-alike",
		About: "Each seed draws a source and 64 sensors: rate, place and height are looked for. The fidelities are six classes of stability under which the plume " +
			"is modelled, which cost 10, 15, …, 35; the budget is 750, the noise has a variance of 0.001.",
		Rounds: levelledRounds, Unit: levelledUnit,
		Plan: func(in Input) (Plan, error) {
			draw := func(seed uint64, task int) (fidelity.Problem, error) { return fidelity.Gas(seed, task), nil }
			return planLevelled(in, []family{{draw: draw, judged: logRegretOf(1e-4), shown: levelledRegret}}, levelledPaces, "A gas source, by classes of atmospheric stability",
				sequence{family: family{draw: draw, judged: logRegretOf(1e-4), shown: levelledRegret}, tasks: 6, arms: sequenceArms(1.5, 10)}), nil
		},
	})
}
