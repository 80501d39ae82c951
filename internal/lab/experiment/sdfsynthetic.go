package experiment

import "github.com/tarry-bo/tarry/feedback"

func init() {
	add(Experiment{
		Name: "sdf-synthetic", Title: "All policies on the synthetic problem", Source: "Verma et al. 2022, Fig. 1c, 1d and 5",
		About: "One query a round on the synthetic problem. Delays are Poisson with mean 10 rounds or always 10. The window of the policies " +
			"that censor is 20 or 10 rounds; later answers are thrown away (strict) or kept. The other policies use every answer.",
		Rounds: 300,
		Plan:   planSynthetic,
	})
}

// rivals are the policies of the paper with random search, as policies.Parse reads them.
var rivals = []string{"ucb-sdf", "ts-sdf", "gp-ucb", "asy-ts", "gp-bucb", "gp-bts", "random"}

// synthetic are the settings under which they meet.
var synthetic = []struct {
	group, law string
	window     feedback.Window
}{
	{"Poisson(10), m = 20, strict", "poisson:10", strict(20)},
	{"Poisson(10), m = 20, late answers kept", "poisson:10", kept(20)},
	{"Poisson(10), m = 10, strict", "poisson:10", strict(10)},
	{"Poisson(10), m = 10, late answers kept", "poisson:10", kept(10)},
	{"always 10, m = 10", "fixed:10", strict(10)},
}

func planSynthetic(in Input) (Plan, error) {
	var arms []Arm
	for _, c := range synthetic {
		for _, policy := range rivals {
			s := study{problem: named("gp1d"), policy: policy, law: c.law, rounds: in.Rounds, window: c.window}
			arms = append(arms, s.arm(c.group, policy, gp1dInitial, regrets))
		}
	}
	return Plan{Arms: arms, Facts: gp1dFacts, Show: func(r Results) []Section {
		return r.everyGroup("sdf-synthetic", "All policies on the synthetic problem", in.Rounds)
	}}, nil
}
