// Package data holds the data sets that the experiments with real models train on, and what is needed to divide them:
// stratified splits, stratified folds and samples, and standardisation. A table with two classes is a Dataset, a set of
// gray images of several classes is Images.
//
// One of each is embedded in the binary, so that an experiment needs neither network nor files; others are read from
// files. Everything here is deterministic: the only randomness is the stream that the caller passes in.
//
//	cancer, err := data.BreastCancer()                                       // 569 x 30
//	train, test, err := cancer.Split(rng.New(seed, rng.Split, 0), 0.7)       // 398 and 171 rows
//	train, test, err = data.Standardize(train, test)                         // by the training part alone
//	model, err := learn.Logistic{…}.Train(train.X, train.Y, stream)
//
//	digits, err := data.Digits()                                             // 1797 of 8 x 8
//	shown, hidden, err := digits.Split(rng.New(seed, rng.Split, 0), 0.7)     // 1258 and 539 images
//	mnist, err := data.ReadImages("mnist")                                   // 60000 of 28 x 28, from a folder
//	small, err := mnist.Sample(rng.New(seed, rng.Split, 1), 5000)            // as many of each digit as fit its share
package data

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
)

//go:embed breastcancer.csv
var breastCancer []byte

// Dataset is a table of numbers with two classes.
type Dataset struct {
	Name     string
	X        [][]float64 // rows x features, all finite
	Y        []int       // the class of each row, 0 or 1
	Features []string    // the name of each column of X
	Classes  []string    // the names of class 0 and class 1
}

// BreastCancer returns the Breast Cancer Wisconsin (Diagnostic) data set of Wolberg, Street and Mangasarian (UCI, 1995;
// doi:10.24432/C5DW2B): 569 rows of 30 features; class 0 is malignant (212 rows), class 1 benign (357). Every call
// parses the embedded file anew (about 1 ms), so the caller owns all of the memory. README.md tells where the file
// comes from. The error is always nil unless the file was damaged.
func BreastCancer() (Dataset, error) {
	d, err := ParseCSV(bytes.NewReader(breastCancer), "breast cancer")
	if err != nil {
		return Dataset{}, err
	}
	d.Features = breastCancerFeatures()
	return d, nil
}

// breastCancerFeatures returns the thirty standard names: ten quantities, each as mean, standard error and worst.
func breastCancerFeatures() []string {
	quantities := []string{
		"radius", "texture", "perimeter", "area", "smoothness",
		"compactness", "concavity", "concave points", "symmetry", "fractal dimension",
	}
	names := make([]string, 0, 3*len(quantities))
	for _, format := range []string{"mean %s", "%s error", "worst %s"} {
		for _, quantity := range quantities {
			names = append(names, fmt.Sprintf(format, quantity))
		}
	}
	return names
}

// Counts returns the number of rows of class 0 and of class 1.
func (d Dataset) Counts() [2]int {
	var counts [2]int
	for _, label := range d.Y {
		counts[label]++
	}
	return counts
}

// Validate returns nil when the table is sound: at least one row, one label for each row, rows of one length that is
// not zero and matches Features, finite values, labels 0 or 1, two class names. It stops at the first bad row. Errors
// unwrap to check.ErrInvalidOption.
func (d Dataset) Validate() error {
	var c check.List
	c.Require(len(d.X) > 0, "Dataset.X", "no rows", "at least one row")
	c.Require(len(d.Y) == len(d.X), "len(Dataset.Y)", len(d.Y), fmt.Sprintf("one label for each of %d rows", len(d.X)))
	c.Require(len(d.Features) > 0, "Dataset.Features", "none", "at least one feature")
	c.Require(len(d.Classes) == 2, "len(Dataset.Classes)", len(d.Classes), "two classes")
	if row := slices.IndexFunc(d.X, func(x []float64) bool { return len(x) != len(d.Features) }); row >= 0 {
		c.Add(fmt.Sprintf("len(Dataset.X[%d])", row), len(d.X[row]), fmt.Sprintf("%d features", len(d.Features)))
	}
	for row, x := range d.X {
		if column := slices.IndexFunc(x, notFinite); column >= 0 {
			c.Add(fmt.Sprintf("Dataset.X[%d][%d]", row, column), x[column], "a finite number")
			break
		}
	}
	if row := slices.IndexFunc(d.Y, func(label int) bool { return label != 0 && label != 1 }); row >= 0 {
		c.Add(fmt.Sprintf("Dataset.Y[%d]", row), d.Y[row], "0 or 1")
	}
	return c.Err()
}

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
