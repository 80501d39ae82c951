package experiment

import (
	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/lab/classifiers"
	"github.com/tarry-bo/tarry/sim/fidelity"
)

var levelledAccuracy = measure{levelledMeasure, "accuracy of what is recommended, %", chart.Linear, true}

// Budgets of the trainings: twenty evaluations of the greatest fidelity.
const (
	epochsBudget = 20 * 27
	rowsBudget   = 20 * 10
)

func init() {
	add(Experiment{
		Name: "mf-training", Title: "Epochs of a network and rows of an SVM as fidelities", Source: "tarry's own",
		About: "Handwritten digits, split anew by each seed. A convolutional network after 1, 3, 9 or 27 epochs, which is the cost; an RBF-SVM on an eighth, a quarter, " +
			"half or all of the rows, at costs of 1, 2, 4 and 10. The budget pays for 20 evaluations of the greatest fidelity. Accuracies are those of that fidelity, on images that training did not see.",
		Rounds: levelledRounds, Unit: levelledUnit,
		Plan: func(in Input) (Plan, error) {
			percent := func(value, _ float64) float64 { return 100 * value }
			network := func(seed uint64, task int) (fidelity.Problem, error) { return classifiers.Epochs(seed, task) }
			svm := func(seed uint64, task int) (fidelity.Problem, error) { return classifiers.Rows(seed, task) }
			return planLevelled(in, []family{
				{group: "network", draw: network, budget: epochsBudget, judged: percent, shown: levelledAccuracy, measured: true},
				{group: "SVM", draw: svm, budget: rowsBudget, judged: percent, shown: levelledAccuracy, measured: true},
			}, levelledPaces, "Epochs of a network and rows of an SVM as fidelities"), nil
		},
	})
}
