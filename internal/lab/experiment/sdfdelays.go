package experiment

import "fmt"

func init() {
	add(Experiment{
		Name: "sdf-delays", Title: "ucb-sdf under longer and longer delays", Source: "Verma et al. 2022, Fig. 1a",
		About: "One query a round on the synthetic problem, a draw from a Gaussian process on 1000 points with known hyperparameters. " +
			"Delays are Poisson with means 2, 5, 10 and 20 rounds, the window is twice the mean, and what comes later is thrown away.",
		Rounds: 300,
		Plan:   planDelays,
	})
}

// delayMeans are the means of the delays, in rounds.
var delayMeans = []int{2, 5, 10, 20}

func planDelays(in Input) (Plan, error) {
	const group = "ucb-sdf"
	var arms []Arm
	for _, mean := range delayMeans {
		s := study{problem: named("gp1d"), policy: "ucb-sdf", law: fmt.Sprintf("poisson:%d", mean), rounds: in.Rounds, window: strict(2 * mean)}
		arms = append(arms, s.arm(group, fmt.Sprintf("Poisson(%d), m = %d", mean, 2*mean), gp1dInitial, regrets))
	}
	return Plan{Arms: arms, Facts: gp1dFacts, Show: func(r Results) []Section {
		return []Section{r.oneGroup(group, "sdf-delays", "Regret of ucb-sdf by mean delay", in.Rounds)}
	}}, nil
}

// gp1dInitial is the number of initial queries of gp1d.
const gp1dInitial = 5

var gp1dFacts = []Fact{
	{"objective", "a draw from a Gaussian process with SE kernel, lengthscale 0.02, on 1000 points of [0, 1], scaled to [0, 1]; another for each seed"},
	{"noise", "variance 1e-4; hyperparameters are known to all"},
	{"initial queries", "5, uniform, delayed like all others; queries are counted after them"},
}
