package learn

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/internal/check"
)

// The defaults and limits of CNN.
const (
	defaultChannels  = 8
	defaultCNNEpochs = 5
	maxChannels      = 256
	maxHidden        = 4096
	maxClasses       = 1000
	maxDense         = 10_000_000 // 80 MB, four times in training: weights, gradient and two moments
)

// CNN is a small convolutional network for gray images of several classes: Channels filters of 3 x 3 pixels (stride 1,
// no padding), ReLU, the maximum over blocks of 2 x 2 (an odd row or column is dropped), a dense layer to Hidden outputs
// with ReLU unless that is 0, and a dense layer to one score for each class. It minimizes
//
//	mean over the rows of -log softmax(scores)_label + ½ Decay ||w||²
//
// with Adam (Kingma and Ba 2015, β1 = 0.9, β2 = 0.999, ε = 1e-8) on mini-batches. The penalty is on the weights, not on
// the biases, and is part of the gradient, as in Logistic. BatchSize, LearningRate and Decay have no default: they are
// what an experiment tunes.
type CNN struct {
	// BatchSize is the number of rows in a step, ≥ 1; 32 to 128 is usual. The last batch of an epoch has what is left,
	// and a size beyond the number of rows means one step an epoch on all of them.
	BatchSize int
	// LearningRate is about how far Adam moves each weight in a step, > 0; 1e-4 to 1e-1 is the usual range to tune.
	LearningRate float64
	// Decay is the coefficient of the L2 penalty on the weights, ≥ 0; 1e-6 to 1 is the usual range to tune.
	Decay float64
	// Epochs is the number of passes over the rows. 0 means 5.
	Epochs int
	// Channels is the number of filters, at most 256. 0 means 8.
	Channels int
	// Hidden is the number of outputs of a dense layer between the filters and the scores, at most 4096. 0 means that there is
	// none.
	Hidden int
	// RateDecay makes the learning rate smaller from step to step, ≥ 0: the n-th step, from 0, has
	// LearningRate/(1 + n RateDecay), as in Keras.
	RateDecay float64
	// After, if set, hears of the network as it is after each epoch, from 1. It must not change it; the loss is that of before.
	After func(epoch int, m *CNNModel)
}

// Validate returns nil or everything that is wrong with the settings; errors unwrap to check.ErrInvalidOption.
func (c CNN) Validate() error {
	var l check.List
	l.Between("CNN.BatchSize", c.BatchSize, 1, math.MaxInt32)
	l.Positive("CNN.LearningRate", c.LearningRate)
	l.NotNegative("CNN.Decay", c.Decay)
	l.Between("CNN.Epochs", c.Epochs, 0, maxEpochs)
	l.Between("CNN.Channels", c.Channels, 0, maxChannels)
	l.Between("CNN.Hidden", c.Hidden, 0, maxHidden)
	l.NotNegative("CNN.RateDecay", c.RateDecay)
	return l.Err()
}

// Train fits the network to the images in the rows of x, width*height pixels each, row by row from the top left, with
// labels y from 0 to classes-1, of which at least two must occur. Pixels should be of about unit size, as in [0, 1].
// The stream draws the initial weights (normal, variance 2/inputs, He et al. 2015; biases start at zero) and shuffles
// the rows before each epoch; nothing else is random. x is neither kept nor written to.
//
// An error that unwraps to check.ErrInvalidOption names every setting and the first row that is wrong. ErrDiverged is
// returned when the weights after an epoch or the final loss are not finite, which takes a learning rate far outside
// the usual range. Cost O(epochs x rows x Channels x width x height x (9 + classes or Hidden)): 30 ms for 5 epochs on 1258 images
// of 8 x 8 with 8 channels and 10 classes.
func (c CNN) Train(x [][]float64, y []int, width, height, classes int, stream *rand.Rand) (*CNNModel, error) {
	if c.Channels == 0 {
		c.Channels = defaultChannels
	}
	if c.Epochs == 0 {
		c.Epochs = defaultCNNEpochs
	}
	var l check.List
	l.Join(c.Validate())
	l.Join(checkImages(x, width, height))
	l.Join(checkClasses(y, len(x), classes))
	if err := l.Err(); err != nil {
		return nil, err
	}
	s := newShape(width, height, classes, c.Channels, c.Hidden)
	if c.Hidden > 0 && s.features > maxDense/c.Hidden {
		l.Add("CNN.Hidden", c.Hidden, fmt.Sprintf("at most %d weights in the hidden layer; there are %d x %d", maxDense, c.Hidden, s.features))
		return nil, l.Err()
	}
	if c.Hidden == 0 && s.features > maxDense/classes { // not multiplied, as the product may overflow
		l.Add("CNN.Channels", c.Channels, fmt.Sprintf(
			"at most %d weights in the dense layer; there are %d x %d with images of %d x %d", maxDense, classes, s.features, width, height))
		return nil, l.Err()
	}
	m := &CNNModel{shape: s, params: s.view(make([]float64, s.parameters()))}
	m.params.initialize(s, stream)
	gradient := s.view(make([]float64, s.parameters()))
	optimizer, memory := newAdam(s.parameters(), c.LearningRate, c.RateDecay), newPass(s)
	var err error
	m.Steps, m.Loss, err = descent{
		batchSize: c.BatchSize, epochs: c.Epochs, learningRate: c.LearningRate, decay: c.Decay,
		step: func(batch []int) {
			m.gradient(gradient, memory, x, y, batch, c.Decay)
			optimizer.step(m.params.all, gradient.all)
		},
		// A second moment that overflowed freezes its weight at a finite value, which is no training either.
		sound: func() bool { return finite(m.params.all) && finite(optimizer.square) },
		loss:  func(rows []int) float64 { return m.loss(memory, x, y, rows, c.Decay) },
		after: heard(c.After, m),
	}.run(len(x), stream)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// heard is who hears of a model after each epoch; nil for nobody.
func heard[M any](after func(epoch int, m M), m M) func(epoch int) {
	if after == nil {
		return nil
	}
	return func(epoch int) { after(epoch, m) }
}

// checkImages wants images that one filter and one block of pooling fit into, rows of their size, and finite pixels.
func checkImages(x [][]float64, width, height int) error {
	var l check.List
	l.Between("width", width, minSide, maxSide)
	l.Between("height", height, minSide, maxSide)
	checkRows(&l, x)
	if err := l.Err(); err != nil {
		return err
	}
	l.Require(len(x[0]) == width*height, "len(x[0])", len(x[0]), fmt.Sprintf("%d pixels, %d x %d", width*height, width, height))
	return l.Err()
}

// checkClasses wants one label for each row, labels from 0 to classes-1, and at least two of them.
func checkClasses(y []int, rows, classes int) error {
	var l check.List
	l.Between("classes", classes, 2, maxClasses)
	l.Require(len(y) == rows, "len(y)", len(y), fmt.Sprintf("one label for each of %d rows", rows))
	if err := l.Err(); err != nil {
		return err
	}
	several := false
	for i, label := range y {
		if label < 0 || label >= classes {
			l.Add(fmt.Sprintf("y[%d]", i), label, fmt.Sprintf("0 to %d", classes-1))
			return l.Err()
		}
		several = several || label != y[0]
	}
	if rows > 0 && !several {
		l.Add("y", fmt.Sprintf("%d times %d", rows, y[0]), "at least two classes")
	}
	return l.Err()
}
