package experiment

import (
	"fmt"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/safety"
)

func init() {
	add(Experiment{
		Name: "safe-delayed", Title: "Safe optimization whose answers come late", Source: "tarry's own, after Zhang 2024, ch. 6",
		About: "The world of safe-synthetic with the kernel that is too smooth, where one query is made each round and its answer comes later, or never. " +
			"The source knows each answer before the next query. Its promise holds under delays if each query without an answer counts as a " +
			"violation; counting it as safe until the answer comes does not keep it.",
		Rounds: 50,
		Plan:   planSafeDelayed,
	})
}

const (
	armPendingBad  = armDSafe + ", pending counts as a violation"
	armPendingGood = armDSafe + ", pending counts as safe"
)

// safeLaws are the delays, in rounds.
var safeLaws = []struct{ name, law string }{
	{"answers at once", "fixed:1"},
	{"Poisson(8)", "poisson:8"},
	{"heavy tails (Pareto, mean 8)", "pareto:2.6667,1.5"},
	{"30 % never, otherwise Poisson(8)", "never:0.3+poisson:8"},
}

func planSafeDelayed(in Input) (Plan, error) {
	p := safety.Promise{Alpha: 0.3, Queries: in.Rounds, Eta: safeEta}
	world := safeLine(safeWrong, 0)
	var arms []Arm
	for _, l := range safeLaws {
		law, err := delay.ParseLaw(l.law)
		if err != nil {
			return Plan{}, err
		}
		later := func(method func(safeWorld) (safeMethod, error), asSafe bool) func(safeWorld) (safeMethod, error) {
			return func(w safeWorld) (safeMethod, error) {
				m, err := method(w)
				m.law, m.asSafe, m.seedFree = law, asSafe, true
				return m, err
			}
		}
		arms = append(arms,
			safeArm{l.name, armPendingBad, p, world, later(dSafe(p), false)}.arm(),
			safeArm{l.name, armPendingGood, p, world, later(dSafe(p), true)}.arm(),
			safeArm{l.name, armSafeOpt, p, world, later(safeOpt(safeNorm, p.Queries, 0.1), false)}.arm())
	}
	facts := append([]Fact{
		{"promise", fmt.Sprintf("fewer than %s of %d queries violate", percentOf(p.Alpha), p.Queries)},
		{"pending queries", "are in the models at their posterior mean; queries of the seed, which is known to be safe, count as safe at once"},
	}, safeLineFacts...)
	return Plan{Arms: arms, Facts: facts, Show: func(r Results) []Section {
		return showSafe(r, "safe-delayed", "Safe optimization under delays",
			"No source has this. What is to be expected follows from the proof: with pending queries as violations no run has more violations than promised, under any delays.")
	}}, nil
}
