// Package learn holds the small models that experiments really train: a support vector machine with a Gaussian kernel
// and a logistic regression, both for two classes, and a convolutional network for gray images of several classes. They
// are there so that a study can tune something real that trains in milliseconds, without leaving the process.
//
// Training is deterministic: an SVM depends on its data and settings alone, a logistic regression also on the stream
// that shuffles its batches, a network on the stream that draws its first weights and shuffles. Nothing here starts a
// goroutine, reads a clock or prints. Bad settings and data are errors that name the field; a training that diverges is
// ErrDiverged, one that runs out of iterations says so in its model.
//
//	g, err := learn.Distances(train.X)                              // once for a data set
//	model, err := learn.SVM{C: 10, Gamma: 0.03}.TrainOn(g, train.Y) // 0.4 to 3 ms on 398 x 30
//	fmt.Println(model.Accuracy(test.X, test.Y), model.SupportVectors, model.Converged)
//
//	net, err := learn.CNN{BatchSize: 32, LearningRate: 0.01}.Train(d.X, d.Y, 8, 8, 10, stream) // 30 ms on 1258 images
package learn

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/internal/check"
)

// checkRows wants at least one row, rows of one length that is not zero, and finite values. It records the first row
// that is wrong and says nothing about those after it.
func checkRows(c *check.List, x [][]float64) {
	if len(x) == 0 {
		c.Add("x", "no rows", "at least one row")
		return
	}
	features := len(x[0])
	if features == 0 {
		c.Add("len(x[0])", 0, "at least one feature")
		return
	}
	for i, row := range x {
		if len(row) != features {
			c.Add(fmt.Sprintf("len(x[%d])", i), len(row), fmt.Sprintf("%d features like row 0", features))
			return
		}
		for j, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				c.Add(fmt.Sprintf("x[%d][%d]", i, j), v, "a finite number")
				return
			}
		}
	}
}

// checkLabels wants one label for each row, labels 0 or 1, and both of them present.
func checkLabels(c *check.List, y []int, rows int) {
	if len(y) != rows {
		c.Add("len(y)", len(y), fmt.Sprintf("one label for each of %d rows", rows))
		return
	}
	var seen [2]bool
	for i, label := range y {
		if label != 0 && label != 1 {
			c.Add(fmt.Sprintf("y[%d]", i), label, "0 or 1")
			return
		}
		seen[label] = true
	}
	if rows > 0 && seen[0] != seen[1] {
		c.Add("y", fmt.Sprintf("%d times %d", rows, y[0]), "both classes, 0 and 1")
	}
}

// accuracy returns the fraction of rows whose label predict hits; NaN when there are no rows.
func accuracy(predict func([]float64) int, x [][]float64, y []int) float64 {
	if len(x) != len(y) {
		panic("learn: rows and labels differ in number")
	}
	hits := 0
	for i, row := range x {
		if predict(row) == y[i] {
			hits++
		}
	}
	return float64(hits) / float64(len(x))
}
