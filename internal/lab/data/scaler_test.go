package data

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// Column 0 is 1, 3, 5, 7: mean 4, squared deviations 9, 1, 1, 9, so sd = sqrt(20/4) = sqrt(5).
func TestScalerByHand(t *testing.T) {
	s := must.Get(FitScaler(small().X))(t)
	if s.Mean[0] != 4 || s.Mean[1] != 5 || math.Abs(s.SD[0]-math.Sqrt(5)) > 1e-15 {
		t.Errorf("%+v", s)
	}
	if got, want := s.Apply([][]float64{{9, 5}})[0], math.Sqrt(5); math.Abs(got[0]-want) > 1e-15 || got[1] != 0 {
		t.Errorf("(9, 5) is scaled to %v, want (sqrt 5, 0)", got)
	}
}

func TestStandardizedTrainingPartHasMeanZeroAndVarianceOne(t *testing.T) {
	train, test, err := cancer(t).Split(rng.New(1, rng.Split, 0), 0.7)
	if err != nil {
		t.Fatal(err)
	}
	scaledTrain, scaledTest, err := Standardize(train, test)
	if err != nil {
		t.Fatal(err)
	}
	largest := 0.0
	for j := range train.Features {
		mean, sd := moments(scaledTrain.X, j)
		if math.Abs(mean) > 1e-12 || math.Abs(sd-1) > 1e-12 {
			t.Errorf("feature %d: mean %g, sd %g", j, mean, sd)
		}
		mean, _ = moments(scaledTest.X, j)
		largest = max(largest, math.Abs(mean))
		mean, sd = moments(train.X, j)
		if want := (test.X[0][j] - mean) / sd; scaledTest.X[0][j] != want {
			t.Errorf("feature %d of the test part: %g, want %g", j, scaledTest.X[0][j], want)
		}
	}
	if largest < 1e-3 {
		t.Error("the test part was centred by its own mean")
	}
	scaledTrain.X[0][0], scaledTrain.Y[0] = 99, 1-train.Y[0]
	if train.X[0][0] == 99 || train.Y[0] == scaledTrain.Y[0] {
		t.Error("the scaled part shares memory with the raw one")
	}
}

// 0.1 added up seven times and divided by 7 is not 0.1: the constant must be recognised by its values.
func TestConstantFeaturesBecomeZero(t *testing.T) {
	var x [][]float64
	for i := range 7 {
		x = append(x, []float64{0.1, float64(i)})
	}
	s := must.Get(FitScaler(x))(t)
	for i, row := range s.Apply(append(x, []float64{1e6, 3})) {
		if row[0] != 0 {
			t.Errorf("row %d: constant feature scaled to %g", i, row[0])
		}
	}
}

func TestFitScalerRefuses(t *testing.T) {
	for _, tc := range []struct {
		want string
		x    [][]float64
	}{
		{"x = no rows", nil},
		{"len(x[1]) = 2: want 1 features like row 0", [][]float64{{1}, {1, 2}}},
		{"mean of feature 1 = NaN", [][]float64{{1, math.NaN()}, {2, 1}}},
		{"mean of feature 0 = +Inf", [][]float64{{math.Inf(1)}, {math.Inf(1)}}},
		{"standard deviation of feature 0 = +Inf", [][]float64{{1e300}, {-1e300}}},
	} {
		_, err := FitScaler(tc.x)
		if err == nil || !strings.Contains(err.Error(), tc.want) || !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}

func TestStandardizeRefusesPartsThatDoNotMatch(t *testing.T) {
	wide := small()
	for i := range wide.X {
		wide.X[i] = append(wide.X[i], 0)
	}
	wide.Features = append(wide.Features, "c")
	if _, _, err := Standardize(small(), wide); err == nil || !strings.Contains(err.Error(), "len(test.Features) = 3: want 2") {
		t.Errorf("error %v", err)
	}
	huge := small()
	huge.X[0][0], huge.X[1][0] = 1e300, -1e300
	if _, _, err := Standardize(huge, small()); !errors.Is(err, check.ErrInvalidOption) {
		t.Errorf("error %v", err)
	}
}

func TestApplyPanicsOnRowsOfAnotherLength(t *testing.T) {
	defer func() {
		if got := recover(); got != "data: row of another length than the scaler" {
			t.Errorf("panic %v", got)
		}
	}()
	Scaler{Mean: []float64{0}, SD: []float64{1}}.Apply([][]float64{{1, 2}})
}
