package experiment

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/safety"
)

func init() {
	add(Experiment{
		Name: "safe-noise", Title: "Safe optimization with noise in the constraint", Source: "Zhang 2024, sec. 6.8.3",
		About: "The world of safe-synthetic, whose constraint is measured with noise of some variances. p-safe-bocp promises that with a probability of " +
			"90 % fewer than 10 % of the queries violate; SafeOpt is given ten times the norm of the constraint.",
		Rounds: 25,
		Plan:   planSafeNoise,
	})
}

const (
	safeConfidence = 0.9
	safeTimesNorm  = 10 // B
)

// safeVariances are those of the noise of the constraint.
var safeVariances = []float64{0.001, 0.01, 0.1, 1}

func planSafeNoise(in Input) (Plan, error) {
	p := safety.Promise{Alpha: 0.1, Queries: in.Rounds, Eta: safeEta}
	var arms []Arm
	for _, k := range kernelNames {
		for _, variance := range safeVariances {
			group := fmt.Sprintf("variance %g, %s", variance, k.name)
			world := safeLine(k.h, math.Sqrt(variance))
			arms = append(arms,
				safeArm{group, armSafeOpt, p, world, safeOpt(safeTimesNorm*safeNorm, p.Queries, 1-safeConfidence)}.arm(),
				safeArm{group, armPSafe, p, world, pSafe(p, safeConfidence)}.arm())
		}
	}
	return Plan{Arms: arms, Facts: safeLineFacts, Show: func(r Results) []Section {
		return showSafe(r, "safe-noise", "Safe optimization with noise in the constraint",
			"The source claims that p-safe-bocp keeps the share of runs with more violations than promised at 10 % or less always, SafeOpt with the kernel too smooth "+
				"only from a variance of 0.1 on; and that with the right kernel both are within 5 % of each other in optimality.")
	}}, nil
}
