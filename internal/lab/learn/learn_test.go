package learn

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

func TestBadArgumentsOfTheSVM(t *testing.T) {
	good := SVM{C: 1, Gamma: 1}
	x, y := [][]float64{{0, 1}, {1, 0}, {1, 1}}, []int{0, 1, 1}
	ragged := [][]float64{{0, 1}, {1}, {1, 1}}
	for _, tc := range []struct {
		want string
		svm  SVM
		x    [][]float64
		y    []int
	}{
		{"SVM.C = 0: want a finite number > 0", SVM{Gamma: 1}, x, y},
		{"SVM.C = NaN", SVM{C: math.NaN(), Gamma: 1}, x, y},
		{"SVM.Gamma = -1: want a finite number > 0", SVM{C: 1, Gamma: -1}, x, y},
		{"SVM.Gamma = +Inf", SVM{C: 1, Gamma: math.Inf(1)}, x, y},
		{"SVM.Tolerance = -1", SVM{C: 1, Gamma: 1, Tolerance: -1}, x, y},
		{"SVM.MaxIterations = -1", SVM{C: 1, Gamma: 1, MaxIterations: -1}, x, y},
		{"x = no rows", good, nil, nil},
		{"len(x[0]) = 0: want at least one feature", good, [][]float64{{}, {}, {}}, y},
		{"len(x[1]) = 1: want 2 features like row 0", good, ragged, y},
		{"x[2][1] = NaN: want a finite number", good, [][]float64{{0, 1}, {1, 0}, {1, math.NaN()}}, y},
		{"len(x) = 2001: want at most 2000 rows", good, ones(2001), make([]int, 2001)},
		{"len(y) = 2: want one label for each of 3 rows", good, x, y[:2]},
		{"y[1] = -1: want 0 or 1", good, x, []int{0, -1, 1}},
		{"y = 3 times 1: want both classes, 0 and 1", good, x, []int{1, 1, 1}},
	} {
		_, err := tc.svm.Train(tc.x, tc.y)
		if err == nil || !strings.Contains(err.Error(), tc.want) || !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}

// ones returns n rows with the single feature 1.
func ones(n int) [][]float64 {
	x := make([][]float64, n)
	for i := range x {
		x[i] = []float64{1}
	}
	return x
}

func TestAllComplaintsAtOnce(t *testing.T) {
	g := must.Get(Distances([][]float64{{0}, {1}}))(t)
	if _, err := (SVM{C: -1}).TrainOn(g, []int{1}); err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("want three lines, got %v", err)
	}
}

func TestBadArgumentsOfTheLogisticRegression(t *testing.T) {
	x, y := [][]float64{{0, 1}, {1, 0}, {1, 1}}, []int{0, 1, 1}
	for _, tc := range []struct {
		want string
		l    Logistic
		x    [][]float64
		y    []int
	}{
		{"Logistic.BatchSize = 0: want 1 ≤ BatchSize", Logistic{LearningRate: 1}, x, y},
		{"Logistic.LearningRate = 0", Logistic{BatchSize: 1}, x, y},
		{"Logistic.LearningRate = NaN", Logistic{BatchSize: 1, LearningRate: math.NaN()}, x, y},
		{"Logistic.Decay = -1", Logistic{BatchSize: 1, LearningRate: 1, Decay: -1}, x, y},
		{"Logistic.Epochs = -1: want 0 ≤ Epochs ≤ 100000", Logistic{BatchSize: 1, LearningRate: 1, Epochs: -1}, x, y},
		{"x = no rows", Logistic{BatchSize: 1, LearningRate: 1}, nil, nil},
		{"len(y) = 1", Logistic{BatchSize: 1, LearningRate: 1}, x, y[:1]},
		{"y = 3 times 0: want both classes", Logistic{BatchSize: 1, LearningRate: 1}, x, []int{0, 0, 0}},
		{"x[1][0] = -Inf", Logistic{BatchSize: 1, LearningRate: 1}, [][]float64{{0}, {math.Inf(-1)}}, []int{0, 1}},
	} {
		_, err := tc.l.Train(tc.x, tc.y, rng.New(1, rng.Train, 0))
		if err == nil || !strings.Contains(err.Error(), tc.want) || !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}

func TestWrongLengthsPanic(t *testing.T) {
	x, y := blobs(1, 10)
	svm := must.Get(SVM{C: 1, Gamma: 1}.Train(x, y))(t)
	logistic := &LogisticModel{Weights: []float64{1}}
	for _, tc := range []struct {
		want string
		call func()
	}{
		{"learn: wrong number of features", func() { svm.Decision([]float64{1}) }},
		{"learn: wrong number of features", func() { logistic.Predict(nil) }},
		{"learn: rows and labels differ in number", func() { svm.Accuracy(x, y[:3]) }},
		{"learn: rows and labels differ in number", func() { logistic.Accuracy(nil, y) }},
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
	if !math.IsNaN(svm.Accuracy(nil, nil)) {
		t.Error("the accuracy on no rows is a number")
	}
}
