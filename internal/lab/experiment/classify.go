package experiment

import (
	"math"
	"os"
	"path/filepath"

	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/lab/learn"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// trainShare is the share of the rows that a classifier is trained on; it is judged on the others.
const trainShare = 0.7

// halves are the two parts of a data set.
type halves struct {
	train, test data.Dataset
	gram        *learn.Gram // of the training rows
}

// halve splits a data set by the seed, stratified by class.
func halve(d data.Dataset, seed uint64, standardize bool) (halves, error) {
	train, test, err := d.Split(rng.New(seed, rng.Split, 0), trainShare)
	if err != nil {
		return halves{}, err
	}
	if standardize {
		return standardized(train, test)
	}
	gram, err := learn.Distances(train.X)
	return halves{train, test, gram}, err
}

// standardized are two parts after standardization by the training rows.
func standardized(train, test data.Dataset) (halves, error) {
	train, test, err := data.Standardize(train, test)
	if err != nil {
		return halves{}, err
	}
	gram, err := learn.Distances(train.X)
	return halves{train, test, gram}, err
}

// svm returns the accuracy on the test part of an RBF-SVM that was trained on the other, NaN where it cannot be.
func (h halves) svm(c, gamma float64) float64 {
	m, err := learn.SVM{C: c, Gamma: gamma}.TrainOn(h.gram, h.train.Y)
	if err != nil {
		return math.NaN()
	}
	return m.Accuracy(h.test.X, h.test.Y)
}

// accuracyProblem is a problem whose values are shares of hits, with a model as in Verma et al. 2022: an SE kernel whose
// hyperparameters are learned, values censored at zero, five initial queries.
func accuracyProblem(name string, s space.Space, value func(x space.Point) float64) sim.Problem {
	floor := 0.0
	return sim.Problem{
		Name: name, Space: s, Value: value, Maximum: 1, Initial: paperInitial, Floor: &floor, Range: 1,
		Model: loop.Model{Kernel: "se"}, Options: []string{"sigma=predictive"}, Trains: true,
	}
}

// paperInitial is the number of initial queries in the released script of Verma et al. 2022.
const paperInitial = 5

// delaysOfPaper are the settings of the experiments with real models.
var delaysOfPaper = []struct {
	group, law string
	window     int
}{
	{"Poisson(10), m = 20", "poisson:10", 20},
	{"always 10, m = 10", "fixed:10", 10},
}

const (
	linearScales = "linear scales"
	logScales    = "log scales"
)

// inFolder is the file of that name where the path is a folder, and otherwise the path itself.
func inFolder(path, name string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, name)
	}
	return path
}

// scaled is a float on a linear or a logarithmic scale.
func scaled(log bool, name string, low, high float64) space.Parameter {
	if log {
		return space.LogFloat(name, low, high)
	}
	return space.Float(name, low, high)
}

// accuracyArms are all rivals under both delays of the paper, on linear and on logarithmic scales.
func accuracyArms(problem func(log bool) func(uint64) (sim.Problem, error), rounds int, measure func(sim.Scenario, sim.Performance) Record) []Arm {
	var arms []Arm
	for _, scale := range []string{linearScales, logScales} {
		for _, delay := range delaysOfPaper {
			for _, policy := range rivals {
				s := study{problem: problem(scale == logScales), policy: policy, law: delay.law, rounds: rounds, window: strict(delay.window)}
				arms = append(arms, s.arm(delay.group+", "+scale, policy, paperInitial, measure))
			}
		}
	}
	return arms
}

// paperModel is the model of the experiments with real models.
var paperModel = []Fact{
	{"model", "SE kernel, hyperparameters learned from the answers; B_y = 1, values censored at 0, late answers thrown away by ucb-sdf and ts-sdf"},
	{"initial queries", "5, uniform, delayed like all others; queries are counted after them"},
}
