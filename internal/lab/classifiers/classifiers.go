// Package classifiers has problems whose values are the accuracies of classifiers that are really trained. Whoever imports it
// may ask sim.NewProblem for them by name.
package classifiers

import (
	"errors"
	"math"
	"sync"

	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/lab/learn"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// They train real models on Breast Cancer Wisconsin (Diagnostic). The data are split 70/30 by class,
// once and for all. What is tuned is the accuracy in five-fold cross-validation on the 70 %; the other 30 % are held
// out: tuning never sees them, and a chosen configuration is judged on them.
const (
	trainShare = 0.7
	foldCount  = 5
)

// The best values known, from a grid over the whole space (go test ./internal/lab/classifiers -run TestGridOfClassifiers -grid).
const (
	svmMaximum    = 0.974905063291140
	logregMaximum = 0.977405063291140
)

func init() {
	sim.Register("svm-breast", "C and gamma of an RBF-SVM on Breast Cancer Wisconsin: cross-validated accuracy, really trained", svmBreast)
	sim.Register("logreg-breast", "batch size, learning rate and decay of logistic regression on Breast Cancer Wisconsin: cross-validated accuracy, really trained", logregBreast)
}

// part is a division into training and test rows, both standardized by the training rows.
type part struct {
	train, test data.Dataset
	gram        *learn.Gram // of the training rows
}

// breast holds the five folds, and as its last part the 70 % against the held-out 30 %.
var breast = sync.OnceValues(func() ([]part, error) {
	all, err := data.BreastCancer()
	if err != nil {
		return nil, err
	}
	train, test, err := all.Split(rng.New(0, rng.Split, 0), trainShare)
	if err != nil {
		return nil, err
	}
	folds, err := train.Folds(rng.New(0, rng.Split, 1), foldCount)
	if err != nil {
		return nil, err
	}
	var parts []part
	for _, f := range append(folds, data.Fold{Train: train, Test: test}) {
		standardTrain, standardTest, err := data.Standardize(f.Train, f.Test)
		if err != nil {
			return nil, err
		}
		gram, err := learn.Distances(standardTrain.X)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{standardTrain, standardTest, gram})
	}
	return parts, nil
})

// classifier is a model that can be trained on one part and judged on the rest of it.
type classifier func(x space.Point, p part, index int) (accuracy float64, err error)

func classifierProblem(c classifier, maximum float64, parameters ...space.Parameter) (sim.Problem, error) {
	s, err := space.New(parameters...)
	parts, dataErr := breast()
	if err = errors.Join(err, dataErr); err != nil {
		return sim.Problem{}, err
	}
	floor := 0.0
	return sim.Problem{
		Space: s,
		Value: func(x space.Point) float64 {
			sum := 0.0
			for i, p := range parts[:foldCount] {
				accuracy, err := c(x, p, i)
				if err != nil {
					return math.NaN()
				}
				sum += accuracy
			}
			return sum / foldCount
		},
		HeldOut: func(x space.Point) float64 {
			accuracy, err := c(x, parts[foldCount], foldCount)
			if err != nil {
				return math.NaN()
			}
			return accuracy
		},
		Maximum: maximum,
		Floor:   &floor,
		Range:   1,
		Trains:  true,
	}, nil
}

func svmBreast(uint64) (sim.Problem, error) {
	train := func(x space.Point, p part, _ int) (float64, error) {
		m, err := learn.SVM{C: x[0], Gamma: x[1]}.TrainOn(p.gram, p.train.Y)
		if err != nil {
			return 0, err
		}
		return m.Accuracy(p.test.X, p.test.Y), nil
	}
	return classifierProblem(train, svmMaximum, space.LogFloat("C", 1e-3, 1e4), space.LogFloat("gamma", 1e-6, 10))
}

func logregBreast(uint64) (sim.Problem, error) {
	train := func(x space.Point, p part, index int) (float64, error) {
		l := learn.Logistic{BatchSize: int(x[0]), LearningRate: x[1], Decay: x[2]}
		m, err := l.Train(p.train.X, p.train.Y, rng.New(0, rng.Train, uint64(index)))
		if err != nil {
			return 0, err
		}
		return m.Accuracy(p.test.X, p.test.Y), nil
	}
	return classifierProblem(train, logregMaximum, space.Int("batch", 32, 128), space.LogFloat("rate", 1e-6, 1), space.LogFloat("decay", 1e-6, 1))
}
