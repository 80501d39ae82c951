package learn

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// shownAndHidden returns the embedded digits, 1258 to train on and 539 to test with.
func shownAndHidden(t testing.TB) (shown, hidden data.Images) {
	t.Helper()
	d, err := data.Digits()
	if err != nil {
		t.Fatal(err)
	}
	shown, hidden, err = d.Split(rng.New(1, rng.Split, 0), 0.7)
	if err != nil {
		t.Fatal(err)
	}
	return shown, hidden
}

// fit trains on a set of images.
func fit(t testing.TB, c CNN, d data.Images, seed uint64) *CNNModel {
	t.Helper()
	return must.Get(c.Train(d.X, d.Y, d.Width, d.Height, d.Classes, rng.New(seed, rng.Train, 0)))(t)
}

func TestCNNOnDigitsAboveNinetyFivePercent(t *testing.T) {
	shown, hidden := shownAndHidden(t)
	for _, c := range []CNN{
		{BatchSize: 32, LearningRate: 0.01, Decay: 1e-4},
		{BatchSize: 32, LearningRate: 0.03, Decay: 1e-5},
		{BatchSize: 128, LearningRate: 0.03, Decay: 1e-6, Channels: 16},
	} {
		m := fit(t, c, shown, 1)
		if got := m.Accuracy(hidden.X, hidden.Y); got <= 0.95 {
			t.Errorf("%+v: test accuracy %g", c, got)
		}
		if want := 5 * ((1258 + c.BatchSize - 1) / c.BatchSize); m.Steps != want {
			t.Errorf("%+v: %d steps, want %d", c, m.Steps, want)
		}
	}
}

// The settings matter, or there would be nothing to tune.
func TestBadSettingsTrainAWorseNetwork(t *testing.T) {
	shown, hidden := shownAndHidden(t)
	good := fit(t, CNN{BatchSize: 32, LearningRate: 0.01}, shown, 1)
	for what, c := range map[string]CNN{
		"a rate far too small": {BatchSize: 32, LearningRate: 1e-9},
		"a rate far too large": {BatchSize: 32, LearningRate: 10},
		"strong decay":         {BatchSize: 32, LearningRate: 0.01, Decay: 10},
		"few steps":            {BatchSize: math.MaxInt32, LearningRate: 0.01},
	} {
		m := fit(t, c, shown, 1)
		if got, best := m.Accuracy(hidden.X, hidden.Y), good.Accuracy(hidden.X, hidden.Y); got > best-0.05 {
			t.Errorf("%s: accuracy %g, %g with good settings", what, got, best)
		}
	}
}

// A rate of 1e-9 moves no weight by more than 200 steps of it, so that no prediction changes but by chance.
func TestATinyRateLearnsNothing(t *testing.T) {
	shown, hidden := shownAndHidden(t)
	c := CNN{BatchSize: 32, LearningRate: 1e-9}
	m := fit(t, c, shown, 1)
	start := &CNNModel{shape: m.shape, params: m.shape.view(make([]float64, len(m.params.all)))}
	start.params.initialize(m.shape, rng.New(1, rng.Train, 0))
	for i, p := range m.params.all {
		near(t, fmt.Sprintf("parameter %d", i), p, start.params.all[i], 200*1.1e-9)
	}
	if got, before := m.Accuracy(hidden.X, hidden.Y), start.Accuracy(hidden.X, hidden.Y); got > 0.3 || math.Abs(got-before) > 0.01 {
		t.Errorf("accuracy %g, before training %g", got, before)
	}
}

// The weights drawn have the variance 2 over the number of inputs; 5000 of them estimate it within 10 %.
func TestInitialWeightsHaveTheVarianceOfHe(t *testing.T) {
	s := newShape(8, 8, 10, 256, 0)
	p := s.view(make([]float64, s.parameters()))
	p.initialize(s, rng.New(1, rng.Train, 0))
	variance := func(w []float64) (v float64) {
		for _, w := range w {
			v += w * w
		}
		return v / float64(len(w))
	}
	near(t, "filters", variance(p.filters)*9, 2, 0.2)
	near(t, "dense", variance(p.dense)*256*9, 2, 0.2)
	if slices.ContainsFunc(slices.Concat(p.filterBiases, p.denseBiases), func(b float64) bool { return b != 0 }) {
		t.Error("a bias is not zero")
	}
}

// Full batches need no shuffling, so one step of Train is one step of Adam against the gradient at the initial weights.
func TestOneStepOfTrainingIsOneStepOfAdam(t *testing.T) {
	x, y := strokes(20, 6)
	c := CNN{BatchSize: 20, LearningRate: 0.01, Decay: 0.1, Epochs: 1, Channels: 3}
	m := must.Get(c.Train(x, y, 6, 6, 10, rng.New(1, rng.Train, 0)))(t)
	s := newShape(6, 6, 10, 3, 0)
	want := &CNNModel{shape: s, params: s.view(make([]float64, s.parameters()))}
	want.params.initialize(s, rng.New(1, rng.Train, 0))
	gradient := s.view(make([]float64, s.parameters()))
	want.gradient(gradient, newPass(s), x, y, all(20), 0.1)
	newAdam(s.parameters(), 0.01, 0).step(want.params.all, gradient.all)
	for i, p := range m.params.all {
		near(t, fmt.Sprintf("parameter %d", i), p, want.params.all[i], 1e-9)
	}
	near(t, "loss", m.Loss, want.loss(newPass(s), x, y, all(20), 0.1), 1e-9)
	if m.Steps != 1 {
		t.Errorf("%d steps", m.Steps)
	}
}

func TestTrainingTheNetworkDependsOnTheStreamAlone(t *testing.T) {
	x, y := strokes(100, 8)
	c := CNN{BatchSize: 8, LearningRate: 0.01, Decay: 0.01, Epochs: 2, Channels: 4}
	weights := func(seed uint64) []float64 {
		m := must.Get(c.Train(x, y, 8, 8, 10, rng.New(seed, rng.Train, 0)))(t)
		return append(m.params.all, m.Loss)
	}
	if !slices.Equal(weights(1), weights(1)) {
		t.Error("one stream, two models")
	}
	if slices.Equal(weights(1), weights(2)) {
		t.Error("two streams, one model")
	}
}

func TestTheModelSharesNoMemoryWithItsImages(t *testing.T) {
	x, y := strokes(50, 8)
	copied := make([][]float64, len(x))
	for i := range x {
		copied[i] = slices.Clone(x[i])
	}
	m := must.Get(CNN{BatchSize: 8, LearningRate: 0.01}.Train(x, y, 8, 8, 10, rng.New(1, rng.Train, 0)))(t)
	if !slices.EqualFunc(x, copied, slices.Equal) {
		t.Error("training wrote to its images")
	}
	before, after := make([]float64, 10), make([]float64, 10)
	m.Scores(copied[0], before)
	for i := range x {
		clear(x[i])
	}
	m.Scores(copied[0], after)
	if !slices.Equal(before, after) {
		t.Error("the model changed with the images")
	}
}

// Settings so far off that numbers overflow are ErrDiverged, or end with finite numbers, and never anything else.
func TestHugeRatesDivergeOrStayFinite(t *testing.T) {
	x, y := strokes(60, 8)
	diverged := 0
	for _, rate := range []float64{1e2, 1e10, 1e50, 1e75, 1e100, 1e140, 1e153, 1e160, 1e200, 1e300, math.MaxFloat64} {
		for _, decay := range []float64{0, 1e-3, 1e10, 1e300} {
			c := CNN{BatchSize: 16, LearningRate: rate, Decay: decay, Epochs: 2}
			m, err := c.Train(x, y, 8, 8, 10, rng.New(1, rng.Train, 0))
			if err != nil {
				diverged++
				if !errors.Is(err, ErrDiverged) || errors.Is(err, check.ErrInvalidOption) || m != nil {
					t.Errorf("rate %g, decay %g: model %v, error %v", rate, decay, m, err)
				}
				if want := fmt.Sprintf("learning rate %g, decay %g: ", rate, decay); !strings.HasPrefix(err.Error(), want) {
					t.Errorf("%q does not name the settings", err)
				}
				continue
			}
			if !finite(append(m.params.all, m.Loss)) {
				t.Errorf("rate %g, decay %g: the model is not finite", rate, decay)
			}
			if a := m.Accuracy(x, y); !(a >= 0 && a <= 1) {
				t.Errorf("rate %g, decay %g: accuracy %g", rate, decay, a)
			}
		}
	}
	if diverged < 10 {
		t.Errorf("%d of 44 settings diverged", diverged)
	}
}

// The squared gradients overflow, after which Adam would move nothing any more and leave finite weights.
func TestPixelsFarTooLargeAreADivergence(t *testing.T) {
	x, y := strokes(60, 8)
	for _, image := range x {
		for j := range image {
			image[j] *= 1e160
		}
	}
	m, err := CNN{BatchSize: 16, LearningRate: 0.01}.Train(x, y, 8, 8, 10, rng.New(1, rng.Train, 0))
	if !errors.Is(err, ErrDiverged) || m != nil {
		t.Errorf("model %v, error %v", m, err)
	}
}

func TestTwoClassesOfManyAreEnough(t *testing.T) {
	x, _ := strokes(3, 4)
	if _, err := (CNN{BatchSize: 2, LearningRate: 0.01}).Train(x, []int{7, 2, 7}, 4, 4, 10, rng.New(1, rng.Train, 0)); err != nil {
		t.Error(err)
	}
}

// The corners of the ranges that are tuned.
func TestTheTunedRangesOfTheNetworkDoNotDiverge(t *testing.T) {
	x, y := strokes(100, 8)
	for _, batch := range []int{1, 32, 128} {
		for _, rate := range []float64{1e-6, 1} {
			for _, decay := range []float64{0, 1e-6, 1} {
				c := CNN{BatchSize: batch, LearningRate: rate, Decay: decay}
				if _, err := c.Train(x, y, 8, 8, 10, rng.New(1, rng.Train, 0)); err != nil {
					t.Errorf("%+v: %v", c, err)
				}
			}
		}
	}
}
