package experiment

import "fmt"

func init() {
	add(Experiment{
		Name: "sdf-window", Title: "ucb-sdf with smaller and larger windows", Source: "Verma et al. 2022, Fig. 1b",
		About: "One query a round on the synthetic problem, delays Poisson with mean 10 rounds. The window m is 5, 10, 20 and 40 rounds; " +
			"what comes later is thrown away (strict), as in the paper, or kept.",
		Rounds: 300,
		Plan:   planWindow,
	})
}

// windows are the windows m, in rounds.
var windows = []int{5, 10, 20, 40}

const (
	groupStrict = "late answers thrown away"
	groupKept   = "late answers kept"
)

func planWindow(in Input) (Plan, error) {
	var arms []Arm
	for _, group := range []string{groupStrict, groupKept} {
		for _, m := range windows {
			s := study{problem: named("gp1d"), policy: "ucb-sdf", law: "poisson:10", rounds: in.Rounds, window: strict(m)}
			s.window.Strict = group == groupStrict
			arms = append(arms, s.arm(group, fmt.Sprintf("m = %d", m), gp1dInitial, regrets))
		}
	}
	return Plan{Arms: arms, Facts: gp1dFacts, Show: func(r Results) []Section {
		return r.everyGroup("sdf-window", "ucb-sdf under Poisson(10) delays", in.Rounds)
	}}, nil
}
