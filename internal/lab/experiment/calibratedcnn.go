package experiment

import (
	"fmt"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/lab/learn"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

func init() {
	add(Experiment{
		Name: "calibrated-cnn", Title: "Tuning a convolutional network with and without calibration", Source: "Deshpande et al. 2024, sec. 5",
		About: "Batch size in 32, 64 … 512, learning rate in [1e-7, 0.1], its decay and an L2 penalty in [1e-7, 1e-3] (all three log), and the outputs of the convolution " +
			"and of the dense layer, in 16 … 32 each, a sixteenth of the source's 256 … 512, of a network with one convolution of 3x3, max-pooling and a hidden dense layer. " +
			"Five epochs of Adam on 70 % of the images; what is minimized is the error on the other 30 %.",
		Rounds: 50,
		Data:   imagesByPath,
		Plan:   planCalibratedCNN,
	})
}

func planCalibratedCNN(in Input) (Plan, error) {
	set, fingerprint, err := readImages(in.Data)
	if err != nil {
		return Plan{}, err
	}
	s, err := space.New(
		space.Int("batch", 32, 512).Stepped(32), space.LogFloat("rate", 1e-7, 0.1), space.LogFloat("rate-decay", 1e-7, 1e-3), space.LogFloat("l2", 1e-7, 1e-3),
		space.Int("convolution", 16, 32), space.Int("dense", 16, 32),
	)
	if err != nil {
		return Plan{}, err
	}
	t := training{
		group: set.Name, space: s, cost: func(seed uint64) (func(space.Point) float64, error) { return networkError(set, seed) }, scale: 100,
		shown: measure{leastCost, "least test error so far, %", chart.Log, true},
	}
	used := min(len(set.X), maxImages)
	facts := []Fact{{"data", fmt.Sprintf("%s, %d of %d images of %dx%d gray pixels, %d classes; another split for each seed", set.Name, used, len(set.X), set.Width, set.Height, set.Classes)}}
	return Plan{Arms: t.arms(in.Rounds), Facts: append(facts, tunedFacts...), Fingerprint: fingerprint, Show: func(r Results) []Section {
		return []Section{{Title: "Error by query", Figures: []Figure{r.figure("calibrated-cnn", "Test error of a tuned network", t.shown)},
			Text:   []string{"The source claims a lower error with calibration on CIFAR-10 after 50 queries. Colors are not used here, and SVHN cannot be read."},
			Tables: []Table{t.table(r, in.Rounds)}}}
	}}, nil
}

// networkError is the share of the test images of a seed that a network gets wrong; 1 where its training diverges. Every training
// starts from the same stream, so that a value depends on the query alone.
func networkError(set data.Images, seed uint64) (func(x space.Point) float64, error) {
	train, test, err := dividedImages(set, seed)
	return func(x space.Point) float64 {
		c := learn.CNN{BatchSize: int(x[0]), LearningRate: x[1], RateDecay: x[2], Decay: x[3], Channels: int(x[4]), Hidden: int(x[5])}
		m, err := c.Train(train.X, train.Y, set.Width, set.Height, set.Classes, rng.New(seed, rng.Train, 0))
		if err != nil {
			return 1
		}
		return 1 - m.Accuracy(test.X, test.Y)
	}, err
}
