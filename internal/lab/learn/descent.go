package learn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
)

// ErrDiverged says that a training came to weights, or to a loss, that are not finite numbers.
var ErrDiverged = errors.New("training diverged")

const maxEpochs = 100_000

// descent is a training by mini-batches of rows.
type descent struct {
	batchSize, epochs   int
	learningRate, decay float64
	step                func(batch []int)        // changes the weights by the gradient over some rows
	sound               func() bool              // the weights, and what they follow from, are finite
	loss                func(rows []int) float64 // over all rows
	after               func(epoch int)          // hears of each epoch that has ended, from 1; nil for nobody
}

// run shuffles the rows before each epoch, takes a step for each batch of them, and returns the number of steps and the
// loss in the end. The error wraps ErrDiverged and says what is not finite, and with which settings.
func (d descent) run(rows int, stream *rand.Rand) (steps int, loss float64, err error) {
	order := make([]int, rows)
	for i := range order {
		order[i] = i
	}
	size := min(d.batchSize, rows)
	for epoch := range d.epochs {
		stream.Shuffle(rows, func(i, j int) { order[i], order[j] = order[j], order[i] })
		for start := 0; start < rows; start += size {
			d.step(order[start:min(start+size, rows)])
			steps++
		}
		if !d.sound() {
			return 0, 0, d.diverged(fmt.Sprintf("weights after epoch %d of %d", epoch+1, d.epochs))
		}
		if d.after != nil {
			d.after(epoch + 1)
		}
	}
	loss = d.loss(order)
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return 0, 0, d.diverged("final loss")
	}
	return steps, loss, nil
}

func (d descent) diverged(what string) error {
	return fmt.Errorf("learning rate %g, decay %g: %s not finite: %w", d.learningRate, d.decay, what, ErrDiverged)
}

// finite reports whether all values are finite numbers.
func finite(values []float64) bool {
	return !floats.HasNaN(values) && !math.IsInf(floats.Norm(values, math.Inf(1)), 1)
}
