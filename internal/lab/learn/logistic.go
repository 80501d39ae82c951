package learn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/check"
)

// ErrDiverged says that a training came to weights, or to a loss, that are not finite numbers.
var ErrDiverged = errors.New("training diverged")

const (
	defaultEpochs = 50
	maxEpochs     = 100_000
)

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
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	size := min(l.BatchSize, len(order))
	for epoch := range l.Epochs {
		stream.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for start := 0; start < len(order); start += size {
			batch := order[start:min(start+size, len(order))]
			slope := m.gradient(gradient, x, y, batch, l.Decay)
			floats.AddScaled(m.Weights, -l.LearningRate, gradient)
			m.Bias -= l.LearningRate * slope
			m.Steps++
		}
		if !m.finite() {
			return nil, l.diverged(fmt.Sprintf("weights after epoch %d of %d", epoch+1, l.Epochs))
		}
	}
	m.Loss = m.loss(x, y, order, l.Decay)
	if math.IsNaN(m.Loss) || math.IsInf(m.Loss, 0) {
		return nil, l.diverged("final loss")
	}
	return m, nil
}

// diverged returns the error that says what is not finite, and with which settings.
func (l Logistic) diverged(what string) error {
	return fmt.Errorf("learning rate %g, decay %g: %s not finite: %w", l.LearningRate, l.Decay, what, ErrDiverged)
}
