package learn

import (
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// Whoever hears of each epoch sees what a training of so many epochs ends with.
func TestAModelIsHeardOfAfterEachEpoch(t *testing.T) {
	d := must.Get(data.Digits())(t)
	x, y := d.X[:200], d.Y[:200]
	var heard []float64
	n := CNN{BatchSize: 32, LearningRate: 0.01, Epochs: 3, After: func(epoch int, m *CNNModel) {
		if epoch != len(heard)+1 {
			t.Errorf("epoch %d after %d", epoch, len(heard))
		}
		heard = append(heard, m.Accuracy(x, y))
	}}
	must.Get(n.Train(x, y, d.Width, d.Height, d.Classes, rng.New(1, rng.Train, 0)))(t)
	for epochs, got := range heard {
		n.Epochs, n.After = epochs+1, nil
		if want := must.Get(n.Train(x, y, d.Width, d.Height, d.Classes, rng.New(1, rng.Train, 0)))(t).Accuracy(x, y); got != want {
			t.Errorf("after epoch %d it has %v, want %v", epochs+1, got, want)
		}
	}
	if len(heard) != 3 {
		t.Errorf("%d epochs were heard of", len(heard))
	}
}
