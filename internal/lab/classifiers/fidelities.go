package classifiers

import (
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/lab/learn"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/sim/fidelity"
	"github.com/tarry-bo/tarry/space"
)

// digits are the embedded images of handwritten digits.
var digits = sync.OnceValues(data.Digits)

// splitDigits divides them 70/30 by class, differently for each task.
func splitDigits(seed uint64, task int) (train, test data.Images, err error) {
	all, err := digits()
	if err != nil {
		return train, test, err
	}
	return all.Split(rng.New(seed, rng.Split, uint64(task)), trainShare)
}

// Epochs returns the training of a convolutional network on handwritten digits, with the number of epochs as the fidelity and as the cost:
// the accuracy of ten classes on 539 images after 1, 3, 9 or 27 epochs on 1258 others, of which each is the beginning of the next. Chosen
// are batch size, learning rate and weight decay. A task is another split of the images, with other initial weights; the value follows
// from the configuration. The optimum is not known. On average over random configurations the fidelities take about 5, 11, 28 and 78 ms of
// one core.
func Epochs(seed uint64, task int) (fidelity.Problem, error) {
	train, test, err := splitDigits(seed, task)
	levels := []float64{1, 3, 9, 27}
	return fidelity.Problem{
		Name: "mf-epochs", Fidelity: "epochs", Levels: levels, Costs: slices.Clone(levels),
		Parameters: []space.Parameter{space.Int("batch", 32, 128), space.LogFloat("rate", 1e-6, 1), space.LogFloat("decay", 1e-6, 1)},
		Value: func(x space.Point, level int) float64 {
			c := learn.CNN{BatchSize: int(x[0]), LearningRate: x[1], Decay: x[2], Epochs: int(levels[level])}
			m, err := c.Train(train.X, train.Y, train.Width, train.Height, train.Classes, rng.New(seed, rng.Train, uint64(task)))
			if err != nil {
				return math.NaN()
			}
			return m.Accuracy(test.X, test.Y)
		},
	}, err
}

// Rows returns the training of an RBF-SVM that tells odd from even handwritten digits, with the share of the training images as the
// fidelity: the accuracy on 539 images after training on the first 157, 315, 629 or all 1258 of the others. Chosen are C and gamma. A task
// is another split of the images. The optimum is not known. Costs are 1, 2, 4 and 10, about as measured: on average over random
// configurations the fidelities take 5, 9, 20 and 48 ms of one core; training grows faster than the rows, prediction as they do.
func Rows(seed uint64, task int) (fidelity.Problem, error) {
	train, test, err := splitDigits(seed, task)
	levels := []float64{0.125, 0.25, 0.5, 1}
	grams := make([]*learn.Gram, len(levels))
	for l, share := range levels {
		gram, gramErr := learn.Distances(train.X[:rows(train, share)])
		grams[l], err = gram, errors.Join(err, gramErr)
	}
	trained, tested := odd(train.Y), odd(test.Y)
	return fidelity.Problem{
		Name: "mf-rows", Fidelity: "share", Levels: levels, Costs: []float64{1, 2, 4, 10},
		Parameters: []space.Parameter{space.LogFloat("C", 1e-3, 1e4), space.LogFloat("gamma", 1e-4, 10)},
		Value: func(x space.Point, level int) float64 {
			m, err := learn.SVM{C: x[0], Gamma: x[1]}.TrainOn(grams[level], trained[:rows(train, levels[level])])
			if err != nil {
				return math.NaN()
			}
			return m.Accuracy(test.X, tested)
		},
	}, err
}

// rows is how many images a share of them is.
func rows(d data.Images, share float64) int { return int(math.Round(share * float64(len(d.X)))) }

// odd is 1 for each odd label and 0 for the others.
func odd(labels []int) []int {
	out := make([]int, len(labels))
	for i, label := range labels {
		out[i] = label % 2
	}
	return out
}
