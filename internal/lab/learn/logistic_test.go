package learn

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// all returns 0, 1, ..., n-1.
func all(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

func TestGradientAgainstFiniteDifferences(t *testing.T) {
	x, y := blobs(1, 25)
	r := rng.New(1, rng.Test, 1)
	for _, decay := range []float64{0, 0.3} {
		at := make([]float64, 4) // three weights and the bias
		for i := range at {
			at[i] = r.NormFloat64()
		}
		rows := []int{3, 1, 4, 15, 9, 2, 6}
		loss := func(p []float64) float64 {
			return (&LogisticModel{Weights: p[:3], Bias: p[3]}).loss(x, y, rows, decay)
		}
		want := fd.Gradient(nil, loss, at, &fd.Settings{Formula: fd.Central})
		got := make([]float64, 3)
		slope := (&LogisticModel{Weights: at[:3], Bias: at[3]}).gradient(got, x, y, rows, decay)
		for i, g := range append(got, slope) {
			near(t, fmt.Sprintf("decay %g: derivative %d", decay, i), g, want[i], 1e-8)
		}
	}
}

// One row x = 2 of class 1, one step from zero weights: p = ½, so the gradient is (-1, -½) and with rate 0.1 the model
// is (0.1, 0.05). The second row, x = -2 of class 0, has the gradient (-1, ½): the batch of both moves w alone.
func TestFirstStepByHand(t *testing.T) {
	x, y := [][]float64{{2}, {-2}}, []int{1, 0}
	m := must.Get(Logistic{BatchSize: 2, LearningRate: 0.1, Decay: 0.7, Epochs: 1}.Train(x, y, rng.New(1, rng.Train, 0)))(t)
	near(t, "weight", m.Weights[0], 0.1, 1e-15)
	near(t, "bias", m.Bias, 0, 1e-15)
	near(t, "loss", m.Loss, math.Log1p(math.Exp(-0.2))+0.35*0.01, 1e-15)
	near(t, "decision", m.Decision([]float64{3}), 0.3, 1e-15)
	near(t, "probability", m.Probability([]float64{3}), 1/(1+math.Exp(-0.3)), 1e-15)
	if m.Steps != 1 || m.Predict([]float64{1}) != 1 || m.Predict([]float64{-1}) != 0 || m.Predict([]float64{0}) != 0 {
		t.Errorf("%d steps, predictions %d, %d", m.Steps, m.Predict([]float64{1}), m.Predict([]float64{-1}))
	}
	single := &LogisticModel{Weights: []float64{0}}
	gradient := make([]float64, 1)
	slope := single.gradient(gradient, x, y, []int{0}, 0.7)
	near(t, "gradient of the first row", gradient[0], -1, 1e-15)
	near(t, "slope of the first row", slope, -0.5, 1e-15)
}

func TestLogisticOnBreastCancerAboveNinetyFivePercent(t *testing.T) {
	train, test := cancer(t)
	for _, batch := range []int{32, 64, 128} {
		m := must.Get(Logistic{BatchSize: batch, LearningRate: 0.1, Decay: 1e-3}.Train(train.X, train.Y, rng.New(1, rng.Train, 0)))(t)
		if got := m.Accuracy(test.X, test.Y); got <= 0.95 {
			t.Errorf("batch size %d: test accuracy %g", batch, got)
		}
		if want := defaultEpochs * ((398 + batch - 1) / batch); m.Steps != want {
			t.Errorf("batch size %d: %d steps, want %d", batch, m.Steps, want)
		}
	}
}

// The three settings matter, or there would be nothing to tune.
func TestBadSettingsTrainWorse(t *testing.T) {
	train, _ := cancer(t)
	loss := func(l Logistic) float64 {
		m := must.Get(l.Train(train.X, train.Y, rng.New(1, rng.Train, 0)))(t)
		return (&LogisticModel{Weights: m.Weights, Bias: m.Bias}).loss(train.X, train.Y, all(398), 0)
	}
	good := loss(Logistic{BatchSize: 32, LearningRate: 0.1, Decay: 1e-4})
	if slow := loss(Logistic{BatchSize: 32, LearningRate: 1e-6, Decay: 1e-4}); slow < 2*good {
		t.Errorf("loss %g at a tiny learning rate, %g at a good one", slow, good)
	}
	if shrunk := loss(Logistic{BatchSize: 32, LearningRate: 0.1, Decay: 1}); shrunk < 2*good {
		t.Errorf("loss %g with strong decay, %g with little", shrunk, good)
	}
	if few := loss(Logistic{BatchSize: 128, LearningRate: 0.01, Decay: 1e-4}); few < loss(Logistic{BatchSize: 32, LearningRate: 0.01, Decay: 1e-4}) {
		t.Errorf("loss %g: fewer steps at a small rate came closer", few)
	}
}

// Descent with the whole set as one batch comes to where the gradient vanishes.
func TestFullBatchesReachTheMinimum(t *testing.T) {
	x, y := blobs(2, 40)
	m := must.Get(Logistic{BatchSize: math.MaxInt32, LearningRate: 0.5, Decay: 0.1, Epochs: 2000}.Train(x, y, rng.New(1, rng.Train, 0)))(t)
	gradient := make([]float64, 3)
	slope := m.gradient(gradient, x, y, all(40), 0.1)
	for i, g := range append(gradient, slope) {
		near(t, fmt.Sprintf("derivative %d", i), g, 0, 1e-10)
	}
	if m.Steps != 2000 {
		t.Errorf("%d steps, want one an epoch", m.Steps)
	}
}

func TestTrainingDependsOnTheStreamAlone(t *testing.T) {
	x, y := blobs(3, 50)
	weights := func(index uint64) []float64 {
		m := must.Get(Logistic{BatchSize: 8, LearningRate: 0.1, Decay: 0.01, Epochs: 5}.Train(x, y, rng.New(7, rng.Train, index)))(t)
		return append(m.Weights, m.Bias, m.Loss)
	}
	if !slices.Equal(weights(0), weights(0)) {
		t.Error("one stream, two models")
	}
	if slices.Equal(weights(0), weights(1)) {
		t.Error("two streams, one model: the rows are not shuffled")
	}
}

func TestDivergenceIsAnOutcome(t *testing.T) {
	x, y := blobs(4, 50)
	far := [][]float64{{1e200, -1e200}, {1e200, 1e200}, {-1e200, 1e200}}
	for name, train := range map[string]func() (*LogisticModel, error){
		// Rate times decay is 10: the weights grow ninefold in each of 7 steps an epoch.
		"shrinking overshoots": func() (*LogisticModel, error) {
			return Logistic{BatchSize: 8, LearningRate: 1, Decay: 10}.Train(x, y, rng.New(1, rng.Train, 0))
		},
		"the first step overflows": func() (*LogisticModel, error) {
			return Logistic{BatchSize: 8, LearningRate: 1e308, Decay: 1e-6}.Train(x, y, rng.New(1, rng.Train, 0))
		},
		"finite weights with an infinite loss": func() (*LogisticModel, error) {
			return Logistic{BatchSize: 3, LearningRate: 1, Epochs: 1}.Train(far, []int{0, 1, 0}, rng.New(1, rng.Train, 0))
		},
	} {
		m, err := train()
		if !errors.Is(err, ErrDiverged) || errors.Is(err, check.ErrInvalidOption) || m != nil {
			t.Errorf("%s: model %v, error %v", name, m, err)
		}
		if err != nil && !strings.Contains(err.Error(), "learning rate 1") {
			t.Errorf("%s: %q does not name the settings", name, err)
		}
	}
}

// The corners of the ranges that are tuned.
func TestTheTunedRangesDoNotDiverge(t *testing.T) {
	train, _ := cancer(t)
	for _, batch := range []int{32, 128} {
		for _, rate := range []float64{1e-6, 1} {
			for _, decay := range []float64{1e-6, 1} {
				l := Logistic{BatchSize: batch, LearningRate: rate, Decay: decay}
				if _, err := l.Train(train.X, train.Y, rng.New(1, rng.Train, 0)); err != nil {
					t.Errorf("%+v: %v", l, err)
				}
			}
		}
	}
}

// Far from the boundary the loss is the log odds itself, not the logarithm of an overflow.
func TestLossDoesNotOverflow(t *testing.T) {
	m := &LogisticModel{Weights: []float64{1}}
	x, y := [][]float64{{-1e6}, {1e6}, {1e6}}, []int{1, 0, 1}
	for i, want := range []float64{1e6, 1e6, 0} {
		near(t, fmt.Sprintf("loss of row %d", i), m.loss(x, y, []int{i}, 0), want, 1e-9)
	}
	if p := m.Probability(x[0]); p != 0 {
		t.Errorf("probability %g", p)
	}
}

func BenchmarkLogistic(b *testing.B) {
	train, _ := cancer(b)
	for _, batch := range []int{32, 128} {
		b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
			l := Logistic{BatchSize: batch, LearningRate: 0.1, Decay: 1e-3}
			for b.Loop() {
				if _, err := l.Train(train.X, train.Y, rng.New(1, rng.Train, 0)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
