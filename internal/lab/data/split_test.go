package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/rng"
)

// keys returns the address of every row: the parts share rows with the whole, so an address names a row even where two
// rows are equal.
func keys(d Dataset) []string {
	var k []string
	for i, row := range d.X {
		k = append(k, fmt.Sprintf("%p/%d", &row[0], d.Y[i]))
	}
	slices.Sort(k)
	return k
}

func TestSplitIsStratifiedExactly(t *testing.T) {
	d := cancer(t)
	for _, tc := range []struct {
		fraction float64
		want     [2]int // rows of class 0 and 1 in the training part
	}{
		{0.7, [2]int{148, 250}}, // 148.4 and 249.9: 398 rows
		{0.5, [2]int{106, 179}}, // 106 and 178.5
		{0.1, [2]int{21, 36}},   // 21.2 and 35.7
		{0.999, [2]int{0, 0}},   // 211.8 would leave no row of class 0
		{0.997, [2]int{211, 356}},
	} {
		train, test, err := d.Split(rng.New(1, rng.Split, 0), tc.fraction)
		if tc.want == [2]int{} {
			if !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), "a row of class malignant in both parts") {
				t.Errorf("fraction %g: error %v", tc.fraction, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("fraction %g: %v", tc.fraction, err)
			continue
		}
		if got := train.Counts(); got != tc.want {
			t.Errorf("fraction %g: training counts %v, want %v", tc.fraction, got, tc.want)
		}
		if got := test.Counts(); got != [2]int{212 - tc.want[0], 357 - tc.want[1]} {
			t.Errorf("fraction %g: test counts %v", tc.fraction, got)
		}
	}
}

func TestSplitLosesNothingAndShuffles(t *testing.T) {
	d := cancer(t)
	train, test, err := d.Split(rng.New(2, rng.Split, 0), 0.7)
	if err != nil {
		t.Fatal(err)
	}
	both := Dataset{X: slices.Concat(train.X, test.X), Y: slices.Concat(train.Y, test.Y)}
	if !slices.Equal(keys(both), keys(d)) {
		t.Error("the parts are not a partition of the rows")
	}
	if slices.IsSorted(train.Y) || &train.X[0][0] == &d.X[0][0] && &train.X[1][0] == &d.X[1][0] {
		t.Error("the training part is in the order of the file")
	}
	if err := errors.Join(train.Validate(), test.Validate()); err != nil {
		t.Error(err)
	}
}

func TestEqualStreamsGiveEqualParts(t *testing.T) {
	d := cancer(t)
	split := func(seed uint64) []float64 {
		train, _, err := d.Split(rng.New(seed, rng.Split, 0), 0.7)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Concat(train.X...)
	}
	if !slices.Equal(split(3), split(3)) {
		t.Error("one stream, two splits")
	}
	if slices.Equal(split(3), split(4)) {
		t.Error("two streams, one split")
	}
}

func TestSplitRefusesBadFractions(t *testing.T) {
	for _, fraction := range []float64{0, 1, -0.1, 1.5, math.NaN(), math.Inf(1), 1e-9} {
		_, _, err := small().Split(rng.New(1, rng.Split, 0), fraction)
		if !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), "fraction = ") {
			t.Errorf("fraction %g: error %v", fraction, err)
		}
	}
	broken := small()
	broken.Y[0] = 7
	if _, _, err := broken.Split(rng.New(1, rng.Split, 0), 0.5); err == nil || !strings.Contains(err.Error(), "Y[0] = 7") {
		t.Errorf("broken data: %v", err)
	}
}

func TestFoldsAreStratifiedPartitions(t *testing.T) {
	d := cancer(t)
	for _, k := range []int{2, 3, 5, 7, 10, 212} {
		folds, err := d.Folds(rng.New(1, rng.Split, 0), k)
		if err != nil {
			t.Fatalf("k = %d: %v", k, err)
		}
		if len(folds) != k {
			t.Fatalf("k = %d: %d folds", k, len(folds))
		}
		var all Dataset
		for i, fold := range folds {
			counts := fold.Test.Counts()
			for class, n := range d.Counts() {
				if counts[class] != n/k && counts[class] != (n+k-1)/k {
					t.Errorf("k = %d, fold %d: %d rows of class %d, of %d", k, i, counts[class], class, n)
				}
			}
			if size := len(fold.Test.X); size != 569/k && size != (569+k-1)/k {
				t.Errorf("k = %d, fold %d: %d rows of 569", k, i, size)
			}
			both := Dataset{X: slices.Concat(fold.Train.X, fold.Test.X), Y: slices.Concat(fold.Train.Y, fold.Test.Y)}
			if !slices.Equal(keys(both), keys(d)) {
				t.Errorf("k = %d, fold %d is not a partition", k, i)
			}
			all.X, all.Y = append(all.X, fold.Test.X...), append(all.Y, fold.Test.Y...)
		}
		if !slices.Equal(keys(all), keys(d)) {
			t.Errorf("k = %d: the test parts are not a partition", k)
		}
	}
}

func TestFoldsRefuseBadK(t *testing.T) {
	for _, k := range []int{-1, 0, 1, 213, 1 << 40} {
		_, err := cancer(t).Folds(rng.New(1, rng.Split, 0), k)
		if !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), "want 2 ≤ k ≤ 212") {
			t.Errorf("k = %d: error %v", k, err)
		}
	}
	broken := small()
	broken.X[0][0] = math.NaN()
	if _, err := broken.Folds(rng.New(1, rng.Split, 0), 2); !errors.Is(err, check.ErrInvalidOption) {
		t.Errorf("broken data: %v", err)
	}
}
