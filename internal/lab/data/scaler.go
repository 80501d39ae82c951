package data

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
)

// Scaler shifts and scales every feature to mean 0 and standard deviation 1 on the data it was fitted to.
type Scaler struct {
	Mean []float64 // of each feature
	SD   []float64 // standard deviation of each feature (divided by n, not n-1); 0 where the feature is constant
}

// FitScaler returns the scaler for the columns of x. Fit it to the training part only: a test part that helped to
// choose the scale would no longer be unseen. An error, unwrapping to check.ErrInvalidOption, is returned when x is
// empty or ragged, or when the mean or the standard deviation of a column is not finite. Cost O(rows x features).
func FitScaler(x [][]float64) (Scaler, error) {
	var c check.List
	if len(x) == 0 {
		c.Add("x", "no rows", "at least one row")
		return Scaler{}, c.Err()
	}
	features := len(x[0])
	if row := slices.IndexFunc(x, func(r []float64) bool { return len(r) != features }); row >= 0 {
		c.Add(fmt.Sprintf("len(x[%d])", row), len(x[row]), fmt.Sprintf("%d features like row 0", features))
		return Scaler{}, c.Err()
	}
	s := Scaler{Mean: make([]float64, features), SD: make([]float64, features)}
	for j := range features {
		s.Mean[j], s.SD[j] = moments(x, j)
		c.Finite(fmt.Sprintf("mean of feature %d", j), s.Mean[j])
		c.Finite(fmt.Sprintf("standard deviation of feature %d", j), s.SD[j])
	}
	if err := c.Err(); err != nil {
		return Scaler{}, err
	}
	return s, nil
}

// moments returns the mean and the standard deviation of column j. A column of equal values is told apart by its
// values: the rounded mean may miss them by an ulp, which would leave a tiny deviation to divide by.
func moments(x [][]float64, j int) (mean, sd float64) {
	n := float64(len(x))
	constant := true
	for _, row := range x {
		mean += row[j] / n
		constant = constant && row[j] == x[0][j]
	}
	if constant {
		return x[0][j], 0
	}
	for _, row := range x {
		sd += (row[j] - mean) * (row[j] - mean) / n
	}
	return mean, math.Sqrt(sd)
}

// Apply returns (x - Mean) / SD in fresh memory, and 0 for a feature that was constant, whatever x says about it. Rows
// of another length than Mean are a bug and panic.
func (s Scaler) Apply(x [][]float64) [][]float64 {
	scaled := make([][]float64, len(x))
	for i, row := range x {
		if len(row) != len(s.Mean) {
			panic("data: row of another length than the scaler")
		}
		scaled[i] = make([]float64, len(row))
		for j, v := range row {
			if s.SD[j] > 0 {
				scaled[i][j] = (v - s.Mean[j]) / s.SD[j]
			}
		}
	}
	return scaled
}

// Standardize returns both parts with fresh rows and labels, scaled by the mean and standard deviation of the training
// part. An error, unwrapping to check.ErrInvalidOption, is returned when a part fails Validate, when the parts differ
// in their number of features, or when FitScaler refuses.
func Standardize(train, test Dataset) (Dataset, Dataset, error) {
	var c check.List
	c.Join(train.Validate())
	c.Join(test.Validate())
	c.Require(len(test.Features) == len(train.Features), "len(test.Features)", len(test.Features),
		fmt.Sprintf("%d as in the training part", len(train.Features)))
	if err := c.Err(); err != nil {
		return Dataset{}, Dataset{}, err
	}
	s, err := FitScaler(train.X)
	if err != nil {
		return Dataset{}, Dataset{}, err
	}
	train.X, test.X = s.Apply(train.X), s.Apply(test.X)
	train.Y, test.Y = slices.Clone(train.Y), slices.Clone(test.Y)
	return train, test, nil
}
