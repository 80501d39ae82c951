package learn

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// The one feature of the image by hand is 9.5, that of the dark one 0.5. The hidden outputs are max(0, feature - 1) and
// max(0, 5 - feature).
func TestScoresWithAHiddenLayerByHand(t *testing.T) {
	s := newShape(4, 4, 3, 1, 2)
	m := &CNNModel{shape: s, params: s.view(make([]float64, s.parameters()))}
	m.params.filters[1], m.params.filters[4], m.params.filters[7] = 1, 1, 1
	m.params.filterBiases[0] = 0.5
	copy(m.params.inner, []float64{1, -1})
	copy(m.params.innerBiases, []float64{-1, 5})
	copy(m.params.dense, []float64{1, 0, 0, 1, 1, 1})
	copy(m.params.denseBiases, []float64{0, 0.25, -1})
	for _, c := range []struct {
		image []float64
		want  []float64
	}{{byHandImage, []float64{8.5, 0.25, 7.5}}, {make([]float64, 16), []float64{0, 4.75, 3.5}}} {
		scores := make([]float64, 3)
		m.Scores(c.image, scores)
		if !floats.EqualApprox(scores, c.want, 1e-12) {
			t.Errorf("scores %v, want %v", scores, c.want)
		}
	}
	// The penalty is on three filter weights and six others of ±1, and not on the biases.
	want := math.Log1p(math.Exp(-8.25)+math.Exp(-1)) + 0.4/2*9
	near(t, "loss", m.loss(newPass(s), [][]float64{byHandImage}, []int{0}, []int{0}, 0.4), want, 1e-12)
}

func TestGradientOfAHiddenLayerAgainstFiniteDifferences(t *testing.T) {
	s := newShape(7, 6, 3, 2, 5)
	m, x, y := drawn(s, 9)
	rows, memory := []int{3, 1, 4, 8, 5}, newPass(s)
	loss := func(p []float64) float64 {
		return (&CNNModel{shape: s, params: s.view(p)}).loss(memory, x, y, rows, 0.3)
	}
	want := fd.Gradient(nil, loss, m.params.all, &fd.Settings{Formula: fd.Central})
	got := s.view(make([]float64, s.parameters()))
	m.gradient(got, memory, x, y, rows, 0.3)
	if n := 2*10 + 5*9 + 3*6; len(got.all) != n || len(got.inner) != 5*8 || len(got.dense) != 3*5 {
		t.Fatalf("%d parameters, %d and %d weights in the dense layers", len(got.all), len(got.inner), len(got.dense))
	}
	for i, g := range got.all {
		near(t, fmt.Sprintf("derivative %d", i), g, want[i], 1e-8)
	}
}

func TestAHiddenLayerOnDigitsAboveNinetyFivePercent(t *testing.T) {
	shown, hidden := shownAndHidden(t)
	c := CNN{BatchSize: 32, LearningRate: 0.01, Decay: 1e-4, Channels: 16, Hidden: 24, RateDecay: 1e-4}
	m := fit(t, c, shown, 1)
	if got := m.Accuracy(hidden.X, hidden.Y); got <= 0.95 {
		t.Errorf("test accuracy %g", got)
	}
}

// The first step of Adam is the rate against the sign of the gradient, and so are those after it while the gradient stays.
func TestStepsBecomeSmallerByTheDecayOfTheRate(t *testing.T) {
	a, p := newAdam(1, 0.1, 0.5), []float64{0}
	for n := range 4 {
		before := p[0]
		a.step(p, []float64{3})
		near(t, fmt.Sprintf("step %d", n), before-p[0], 0.1/(1+0.5*float64(n)), 1e-8)
	}
}

func TestHiddenLayersOutOfRangeAreNamed(t *testing.T) {
	x, y := strokes(20, 64)
	for _, c := range []CNN{
		{BatchSize: 1, LearningRate: 1, Hidden: -1}, {BatchSize: 1, LearningRate: 1, Hidden: 4097}, {BatchSize: 1, LearningRate: 1, Hidden: 4096, Channels: 16},
	} {
		if _, err := c.Train(x, y, 64, 64, 10, rng.New(1, rng.Test, 0)); !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), "CNN.Hidden") {
			t.Errorf("%+v: error %v", c, err)
		}
	}
	if err := (CNN{BatchSize: 1, LearningRate: 1, RateDecay: -1}).Validate(); !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), "CNN.RateDecay") {
		t.Errorf("error %v", err)
	}
	must.Get(CNN{BatchSize: 20, LearningRate: 1e-3, Epochs: 1, Channels: 1, Hidden: 4}.Train(x, y, 64, 64, 10, rng.New(1, rng.Test, 0)))(t)
}
