package experiment

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/lab/learn"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

func init() {
	add(Experiment{
		Name: "sdf-logreg", Title: "Tuning a logistic regression", Source: "Verma et al. 2022, sec. 6",
		About: "Batch size in 32 … 128, learning rate and weight decay in [1e-6, 1] of a logistic regression that is trained by stochastic gradient " +
			"descent for 50 epochs, on linear scales as in the paper, and on logarithmic ones. The data are split 70/30, stratified by class; the " +
			"accuracy on the 30 % is what is maximized. One query a round; delays are Poisson with mean 10 rounds and m = 20, or always 10.",
		Rounds: 50,
		Plan:   planLogreg,
	})
}

func planLogreg(in Input) (Plan, error) {
	set, err := data.BreastCancer()
	if err != nil {
		return Plan{}, err
	}
	facts := []Fact{{"data", fmt.Sprintf("Breast Cancer Wisconsin (embedded), %d rows of %d features, standardized; another split for each seed", len(set.X), len(set.Features))}}
	problem := func(log bool) func(uint64) (sim.Problem, error) {
		return func(seed uint64) (sim.Problem, error) { return logregProblem(set, seed, log) }
	}
	return Plan{Arms: accuracyArms(problem, in.Rounds, accuracies), Facts: append(facts, paperModel...), Show: func(r Results) []Section {
		return showAccuracies(r, "sdf-logreg", "Accuracy of the tuned logistic regression", in.Rounds)
	}}, nil
}

// networkSpace are the three hyperparameters of a model that is trained in batches.
func networkSpace(log bool) (space.Space, error) {
	return space.New(space.Int("batch", 32, 128), scaled(log, "rate", 1e-6, 1), scaled(log, "decay", 1e-6, 1))
}

// logregProblem is the problem of a seed. Every training shuffles its batches in the same order, so that a value depends
// on the query alone.
func logregProblem(set data.Dataset, seed uint64, log bool) (sim.Problem, error) {
	h, err := halve(set, seed, true)
	if err != nil {
		return sim.Problem{}, err
	}
	s, err := networkSpace(log)
	return accuracyProblem("logreg", s, func(x space.Point) float64 {
		l := learn.Logistic{BatchSize: int(x[0]), LearningRate: x[1], Decay: x[2]}
		m, err := l.Train(h.train.X, h.train.Y, rng.New(seed, rng.Train, 0))
		if err != nil {
			return math.NaN()
		}
		return m.Accuracy(h.test.X, h.test.Y)
	}), err
}
