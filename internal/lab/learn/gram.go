package learn

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
)

// MaxRows is the largest training set an SVM accepts: its squared distances and its kernel matrix take up to 32 MB each.
const MaxRows = 2000

// Gram holds a training set with the squared distances between its rows, from which the kernel matrix follows for any
// Gamma. Make it once for a data set and train on it as often as you like: it is never written to again and may be
// shared by trainings that run at the same time.
type Gram struct {
	n, features int
	x           []float64 // n x features, by rows
	squared     []float64 // n x n, by rows; both triangles, so that a row is contiguous
}

// Distances returns the squared distances between the rows of x, which it copies. An error, unwrapping to
// check.ErrInvalidOption, is returned unless x has 1 to MaxRows rows of equal length with finite values. Cost
// O(rows² x features), 8·rows² bytes.
func Distances(x [][]float64) (*Gram, error) {
	var c check.List
	checkRows(&c, x)
	c.Require(len(x) <= MaxRows, "len(x)", len(x), fmt.Sprintf("at most %d rows", MaxRows))
	if err := c.Err(); err != nil {
		return nil, err
	}
	n, features := len(x), len(x[0])
	g := &Gram{n: n, features: features, x: slices.Concat(x...), squared: make([]float64, n*n)}
	for i := range n {
		for j := range i {
			d := squaredDistance(g.row(i), g.row(j))
			g.squared[i*n+j], g.squared[j*n+i] = d, d
		}
	}
	return g, nil
}

// row returns row i of the training set.
func (g *Gram) row(i int) []float64 { return g.x[i*g.features : (i+1)*g.features] }

// squaredDistance returns ||a-b||². Four sums run beside each other because a single one would wait for each addition.
func squaredDistance(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	for ; len(a) >= 4; a, b = a[4:], b[4:len(a)] {
		d0, d1, d2, d3 := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for i, v := range a {
		s0 += (v - b[i]) * (v - b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// kernel is the matrix exp(-gamma ||x_i-x_j||²) of one training. Rows are computed when they are first asked for and
// then kept: a training that ends with few support vectors never needs most of them.
type kernel struct {
	gram  *Gram
	gamma float64
	rows  [][]float64 // nil where not computed yet
}

func newKernel(g *Gram, gamma float64) *kernel {
	return &kernel{gram: g, gamma: gamma, rows: make([][]float64, g.n)}
}

// row returns row i.
func (k *kernel) row(i int) []float64 {
	if k.rows[i] == nil {
		n := k.gram.n
		row := make([]float64, n)
		for t, d := range k.gram.squared[i*n : (i+1)*n] {
			row[t] = math.Exp(-k.gamma * d)
		}
		k.rows[i] = row
	}
	return k.rows[i]
}
