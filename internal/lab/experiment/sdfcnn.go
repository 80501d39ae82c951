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
		Name: "sdf-cnn", Title: "Tuning a convolutional network", Source: "Verma et al. 2022, sec. 6",
		About: "Batch size in 32 … 128, learning rate and weight decay in [1e-6, 1] of a small convolutional network (8 channels of 3x3, max-pooling, one " +
			"dense layer) that is trained with Adam, on linear scales as in the paper, and on logarithmic ones. The images are split 70/30, stratified " +
			"by class; the accuracy on the 30 % is what is maximized. One query a round; delays are Poisson with mean 10 rounds and m = 20, or always 10.",
		Rounds: 40,
		Data:   imagesByPath,
		Plan:   planCNN,
	})
}

// imagesByPath says what a path to images may name.
const imagesByPath = "digits.csv[.gz], or a folder with the training files of MNIST, or of CIFAR-10 in its binary version; without it the embedded 8x8 digits"

// maxImages is the number of images that are used of a larger set, a random choice for each seed.
const maxImages = 2000

func planCNN(in Input) (Plan, error) {
	set, fingerprint, err := readImages(in.Data)
	if err != nil {
		return Plan{}, err
	}
	used := min(len(set.X), maxImages)
	facts := []Fact{{"data", fmt.Sprintf("%s, %d of %d images of %dx%d pixels, %d classes; another split for each seed", set.Name, used, len(set.X), set.Width, set.Height, set.Classes)}}
	problem := func(log bool) func(uint64) (sim.Problem, error) {
		return func(seed uint64) (sim.Problem, error) { return cnnProblem(set, seed, log) }
	}
	return Plan{Arms: accuracyArms(problem, in.Rounds, accuracies), Facts: append(facts, paperModel...), Fingerprint: fingerprint, Show: func(r Results) []Section {
		return showAccuracies(r, "sdf-cnn", "Accuracy of the tuned network", in.Rounds)
	}}, nil
}

// readImages reads the images at the path, or takes the embedded ones.
func readImages(path string) (set data.Images, fingerprint string, err error) {
	if path == "" {
		set, err = data.Digits()
		return set, "", err
	}
	if set, err = data.ReadImages(path); err != nil {
		return set, "", err
	}
	fingerprint, err = data.Fingerprint(path)
	return set, fingerprint, err
}

// cnnProblem is the problem of a seed. Every training starts from the same weights and shuffles its batches in the same
// order, so that a value depends on the query alone.
func cnnProblem(set data.Images, seed uint64, log bool) (sim.Problem, error) {
	train, test, err := dividedImages(set, seed)
	if err != nil {
		return sim.Problem{}, err
	}
	s, err := networkSpace(log)
	return accuracyProblem("cnn", s, func(x space.Point) float64 {
		c := learn.CNN{BatchSize: int(x[0]), LearningRate: x[1], Decay: x[2]}
		m, err := c.Train(train.X, train.Y, set.Width, set.Height, set.Classes, rng.New(seed, rng.Train, 0))
		if err != nil {
			return math.NaN()
		}
		return m.Accuracy(test.X, test.Y)
	}), err
}

// dividedImages are the images of a seed to train on, and those to judge by.
func dividedImages(set data.Images, seed uint64) (train, test data.Images, err error) {
	if len(set.X) > maxImages {
		if set, err = set.Sample(rng.New(seed, rng.Split, 1), maxImages); err != nil {
			return train, test, err
		}
	}
	return set.Split(rng.New(seed, rng.Split, 0), trainShare)
}
