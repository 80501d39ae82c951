package learn

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/check"
)

const defaultEpochs = 50

// Logistic is logistic regression trained by stochastic gradient descent on mini-batches. It minimises
//
//	mean over the rows of log(1 + exp(-s_i (w·x_i + b))) + ½ Decay ||w||²,   s_i = 1 for class 1 and -1 for class 0.
//
// BatchSize, LearningRate and Decay have no default: they are what an experiment tunes, as in the logistic regression
// of Verma et al. 2022. The decay is that of the weights, the coefficient of the L2 penalty; the learning rate stays
// the same throughout.
type Logistic struct {
	// BatchSize is the number of rows in a step, ≥ 1; 32 to 128 is usual. The last batch of an epoch has what is left,
	// and a size beyond the number of rows means one step an epoch on all of them.
	BatchSize int
	// LearningRate is the length of a step as a multiple of the gradient, > 0; 1e-6 to 1 is the usual range to tune.
	LearningRate float64
	// Decay is the coefficient of the L2 penalty on the weights, ≥ 0; 1e-6 to 1 is the usual range to tune. Each step
	// shrinks the weights by the factor 1 - LearningRate·Decay; beyond LearningRate·Decay = 2 they grow without end.
	// The bias is not shrunk.
	Decay float64
	// Epochs is the number of passes over the rows. 0 means 50.
	Epochs int
	// After, if set, hears of the model as it is after each epoch, from 1. It must not change it.
	After func(epoch int, m *LogisticModel)
}

// Validate returns nil or everything that is wrong with the settings; errors unwrap to check.ErrInvalidOption.
func (l Logistic) Validate() error {
	var c check.List
	c.Between("Logistic.BatchSize", l.BatchSize, 1, math.MaxInt32)
	c.Positive("Logistic.LearningRate", l.LearningRate)
	c.NotNegative("Logistic.Decay", l.Decay)
	c.Between("Logistic.Epochs", l.Epochs, 0, maxEpochs)
	return c.Err()
}

// Train fits the model to the rows of x with labels y, which must be 0 or 1, both present. It starts at zero weights;
// the stream shuffles the rows before each epoch and nothing else is random. x is neither kept nor written to.
//
// An error that unwraps to check.ErrInvalidOption names every setting and the first row that is wrong. ErrDiverged is
// returned when the weights after an epoch or the final loss are not finite, which takes settings far outside the
// usual ranges or features far from unit scale. Cost O(epochs x rows x features).
func (l Logistic) Train(x [][]float64, y []int, stream *rand.Rand) (*LogisticModel, error) {
	var c check.List
	c.Join(l.Validate())
	checkRows(&c, x)
	checkLabels(&c, y, len(x))
	if err := c.Err(); err != nil {
		return nil, err
	}
	if l.Epochs == 0 {
		l.Epochs = defaultEpochs
	}
	m := &LogisticModel{Weights: make([]float64, len(x[0]))}
	gradient := make([]float64, len(x[0]))
	var err error
	m.Steps, m.Loss, err = descent{
		batchSize: l.BatchSize, epochs: l.Epochs, learningRate: l.LearningRate, decay: l.Decay,
		step: func(batch []int) {
			slope := m.gradient(gradient, x, y, batch, l.Decay)
			floats.AddScaled(m.Weights, -l.LearningRate, gradient)
			m.Bias -= l.LearningRate * slope
		},
		sound: m.finite,
		loss:  func(rows []int) float64 { return m.loss(x, y, rows, l.Decay) },
		after: heard(l.After, m),
	}.run(len(x), stream)
	if err != nil {
		return nil, err
	}
	return m, nil
}
