package learn

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/rng"
)

// byHand is a network of one cell and one filter, which adds up the middle column of its window and a half. The scores
// are feature + 1, -feature and 2.
func byHand() *CNNModel {
	s := newShape(4, 4, 3, 1, 0)
	m := &CNNModel{shape: s, params: s.view(make([]float64, s.parameters()))}
	m.params.filters[1], m.params.filters[4], m.params.filters[7] = 1, 1, 1
	m.params.filterBiases[0] = 0.5
	copy(m.params.dense, []float64{1, -1, 0})
	copy(m.params.denseBiases, []float64{1, 0, 2})
	return m
}

// The columns 1 and 2 of the image hold 1 and 0, 2 and 5, 3 and 0, 0 and 4: windows of 6, 5, 5 and 9.
var byHandImage = []float64{
	7, 1, 0, 7,
	7, 2, 5, 7,
	7, 3, 0, 7,
	7, 0, 4, 7,
}

func TestScoresByHand(t *testing.T) {
	m, scores := byHand(), make([]float64, 3)
	m.Scores(byHandImage, scores)
	if scores[0] != 10.5 || scores[1] != -9.5 || scores[2] != 2 {
		t.Errorf("scores %v, want 10.5, -9.5 and 2", scores)
	}
	dark := make([]float64, 16)
	m.Scores(dark, scores)
	if scores[0] != 1.5 || scores[1] != -0.5 || scores[2] != 2 {
		t.Errorf("scores %v, want 1.5, -0.5 and 2", scores)
	}
	if m.Predict(byHandImage) != 0 || m.Predict(dark) != 2 {
		t.Errorf("predictions %d and %d", m.Predict(byHandImage), m.Predict(dark))
	}
	if got := m.Accuracy([][]float64{byHandImage, dark, dark, dark}, []int{0, 2, 1, 2}); got != 0.75 {
		t.Errorf("accuracy %g, want 3/4", got)
	}
	// For class 2 the best score is 8.5 more, for class 0 it is 0.5 more; the penalty is on five weights of ±1, and not
	// on the biases.
	want := (8.5+math.Log1p(math.Exp(-8.5)+math.Exp(-20)))/2 + (0.5+math.Log1p(math.Exp(-0.5)+math.Exp(-2.5)))/2 + 0.4/2*5
	near(t, "loss", m.loss(newPass(m.shape), [][]float64{byHandImage, dark}, []int{2, 0}, []int{0, 1}, 0.4), want, 1e-14)
}

func TestEqualScoresAreTheFirstClass(t *testing.T) {
	m := byHand()
	copy(m.params.denseBiases, []float64{-1, 2.5, 2})
	if got := m.Predict(make([]float64, 16)); got != 1 {
		t.Errorf("class %d, want the first of two equal ones", got)
	}
}

// Far from the boundary the loss is the difference of the scores itself, not the logarithm of an overflow.
func TestLossOfTheNetworkDoesNotOverflow(t *testing.T) {
	m := byHand()
	m.params.dense[0] = 1e6
	memory := newPass(m.shape)
	near(t, "loss", m.loss(memory, [][]float64{byHandImage}, []int{1}, []int{0}, 0), 9.5e6+1+9.5, 1e-8)
	gradient := m.shape.view(make([]float64, m.shape.parameters()))
	m.gradient(gradient, memory, [][]float64{byHandImage}, []int{1}, []int{0}, 0)
	if b := gradient.denseBiases; b[0] != 1 || b[1] != -1 || b[2] != 0 {
		t.Errorf("gradient in the biases %v, want 1, -1 and 0", b)
	}
}

func TestBadArgumentsOfTheNetwork(t *testing.T) {
	good := CNN{BatchSize: 1, LearningRate: 1}
	x, y := strokes(3, 4)
	damaged := func(i, j int, v float64) [][]float64 {
		x, _ := strokes(3, 4)
		x[i][j] = v
		return x
	}
	ragged, _ := strokes(3, 4)
	ragged[2] = ragged[2][:15]
	large := [][]float64{make([]float64, 512*512), make([]float64, 512*512)}
	for _, tc := range []struct {
		want                   string
		c                      CNN
		x                      [][]float64
		y                      []int
		width, height, classes int
	}{
		{"CNN.BatchSize = 0: want 1 ≤ BatchSize", CNN{LearningRate: 1}, x, y, 4, 4, 3},
		{"CNN.LearningRate = 0: want a finite number > 0", CNN{BatchSize: 1}, x, y, 4, 4, 3},
		{"CNN.LearningRate = NaN", CNN{BatchSize: 1, LearningRate: math.NaN()}, x, y, 4, 4, 3},
		{"CNN.LearningRate = +Inf", CNN{BatchSize: 1, LearningRate: math.Inf(1)}, x, y, 4, 4, 3},
		{"CNN.Decay = -1: want a finite number ≥ 0", CNN{BatchSize: 1, LearningRate: 1, Decay: -1}, x, y, 4, 4, 3},
		{"CNN.Epochs = -1: want 0 ≤ Epochs ≤ 100000", CNN{BatchSize: 1, LearningRate: 1, Epochs: -1}, x, y, 4, 4, 3},
		{"CNN.Channels = -1: want 0 ≤ Channels ≤ 256", CNN{BatchSize: 1, LearningRate: 1, Channels: -1}, x, y, 4, 4, 3},
		{"CNN.Channels = 257", CNN{BatchSize: 1, LearningRate: 1, Channels: 257}, x, y, 4, 4, 3},
		{"CNN.Channels = 256: want at most 10000000 weights in the dense layer; there are 3 x 16646400 with images of 512 x 512",
			CNN{BatchSize: 1, LearningRate: 1, Channels: 256}, large, y[:2], 512, 512, 3},
		{"width = 3: want 4 ≤ width ≤ 1024", good, x, y, 3, 4, 3},
		{"height = 1025: want 4 ≤ height ≤ 1024", good, x, y, 4, 1025, 3},
		{"classes = 1: want 2 ≤ classes ≤ 1000", good, x, y, 4, 4, 1},
		{"classes = 1001", good, x, y, 4, 4, 1001},
		{"x = no rows", good, nil, nil, 4, 4, 3},
		{"len(x[0]) = 16: want 20 pixels, 4 x 5", good, x, y, 4, 5, 3},
		{"len(x[2]) = 15: want 16 features like row 0", good, ragged, y, 4, 4, 3},
		{"x[1][5] = NaN: want a finite number", good, damaged(1, 5, math.NaN()), y, 4, 4, 3},
		{"x[0][0] = -Inf", good, damaged(0, 0, math.Inf(-1)), y, 4, 4, 3},
		{"len(y) = 2: want one label for each of 3 rows", good, x, y[:2], 4, 4, 3},
		{"y[1] = 3: want 0 to 2", good, x, []int{0, 3, 1}, 4, 4, 3},
		{"y[2] = -1: want 0 to 2", good, x, []int{0, 1, -1}, 4, 4, 3},
		{"y = 3 times 1: want at least two classes", good, x, []int{1, 1, 1}, 4, 4, 3},
	} {
		m, err := tc.c.Train(tc.x, tc.y, tc.width, tc.height, tc.classes, rng.New(1, rng.Train, 0))
		if err == nil || !strings.Contains(err.Error(), tc.want) || !errors.Is(err, check.ErrInvalidOption) || m != nil {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}

func TestAllComplaintsOfTheNetworkAtOnce(t *testing.T) {
	_, err := CNN{Decay: -1}.Train([][]float64{{0}}, []int{7}, 1, 4, 2, rng.New(1, rng.Train, 0))
	if err == nil || strings.Count(err.Error(), "\n") != 4 {
		t.Errorf("want five lines, got %v", err)
	}
}

func TestWrongLengthsPanicInTheNetwork(t *testing.T) {
	m := byHand()
	for _, tc := range []struct {
		want string
		call func()
	}{
		{"learn: wrong number of pixels", func() { m.Predict(make([]float64, 15)) }},
		{"learn: wrong number of pixels", func() { m.Scores(nil, make([]float64, 3)) }},
		{"learn: rows and labels differ in number", func() { m.Accuracy([][]float64{byHandImage}, nil) }},
	} {
		func() {
			defer func() {
				if got := recover(); got != tc.want {
					t.Errorf("panic %v, want %q", got, tc.want)
				}
			}()
			tc.call()
		}()
	}
	if !math.IsNaN(m.Accuracy(nil, nil)) {
		t.Error("the accuracy on no rows is a number")
	}
}

func (m *CNNModel) Scores(x []float64, out []float64) {
	memory := newPass(m.shape)
	m.forward(memory, x)
	copy(out, memory.scores)
}

func (m *CNNModel) Predict(x []float64) int { return m.predict(newPass(m.shape), x) }
