package classifiers

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/lab/learn"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// Epochs of a training that reports after each of them.
const (
	NetworkEpochs  = 27
	LogisticEpochs = 50
)

// curves are trainings that report the accuracy after each epoch. A point is trained once.
type curves struct {
	train func(x space.Point, after func(accuracy float64)) error
	mutex sync.Mutex
	known map[string]func() []float64
}

// at returns the accuracies at a point; nil where training fails.
func (c *curves) at(x space.Point) []float64 {
	key := fmt.Sprint(x)
	c.mutex.Lock()
	found, there := c.known[key]
	if !there {
		found = sync.OnceValue(func() (all []float64) {
			if c.train(x, func(accuracy float64) { all = append(all, accuracy) }) != nil {
				return nil
			}
			return all
		})
		c.known[key] = found
	}
	c.mutex.Unlock()
	return found()
}

// problem is that of the accuracy after the last epoch.
func (c *curves) problem(name string, parameters ...space.Parameter) (sim.Problem, error) {
	s, err := space.New(parameters...)
	return sim.Problem{
		Name: name, Space: s, Trains: true,
		Value: func(x space.Point) float64 {
			if all := c.at(x); all != nil {
				return all[len(all)-1]
			}
			return math.NaN()
		},
		Reports: func(x space.Point, _ *rand.Rand) (out []delay.Interim) {
			all := c.at(x)
			for i := range max(len(all)-1, 0) {
				out = append(out, delay.Interim{Share: float64(i+1) / float64(len(all)), Step: float64(i + 1), Value: all[i]})
			}
			return out
		},
	}, err
}

// NetworkCurve returns the training of a convolutional network on handwritten digits that reports the accuracy after each of 27 epochs, on
// images that training does not see; its parameters are those of Epochs, and so is a seed.
func NetworkCurve(seed uint64) (sim.Problem, error) {
	train, test, err := splitDigits(seed, 0)
	c := &curves{known: map[string]func() []float64{}, train: func(x space.Point, after func(accuracy float64)) error {
		n := learn.CNN{BatchSize: int(x[0]), LearningRate: x[1], Decay: x[2], Epochs: NetworkEpochs}
		n.After = func(_ int, m *learn.CNNModel) { after(m.Accuracy(test.X, test.Y)) }
		_, err := n.Train(train.X, train.Y, train.Width, train.Height, train.Classes, rng.New(seed, rng.Train, 0))
		return err
	}}
	p, spaceErr := c.problem("network", space.Int("batch", 32, 128), space.LogFloat("rate", 1e-6, 1), space.LogFloat("decay", 1e-6, 1))
	if err == nil {
		err = spaceErr
	}
	return p, err
}

// LogisticCurve returns the training of a logistic regression that tells odd from even handwritten digits and reports the accuracy after
// each of 50 epochs, on images that training does not see. Chosen are batch size, learning rate and decay.
func LogisticCurve(seed uint64) (sim.Problem, error) {
	train, test, err := splitDigits(seed, 0)
	trained, tested := odd(train.Y), odd(test.Y)
	c := &curves{known: map[string]func() []float64{}, train: func(x space.Point, after func(accuracy float64)) error {
		l := learn.Logistic{BatchSize: int(x[0]), LearningRate: x[1], Decay: x[2], Epochs: LogisticEpochs}
		l.After = func(_ int, m *learn.LogisticModel) { after(m.Accuracy(test.X, tested)) }
		_, err := l.Train(train.X, trained, rng.New(seed, rng.Train, 0))
		return err
	}}
	p, spaceErr := c.problem("logistic regression", space.Int("batch", 32, 128), space.LogFloat("rate", 1e-6, 1), space.LogFloat("decay", 1e-6, 1))
	if err == nil {
		err = spaceErr
	}
	return p, err
}
