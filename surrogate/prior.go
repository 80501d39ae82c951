package surrogate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// Prior is what is believed before any data: a mean, a kernel and independent Gaussian noise.
type Prior struct {
	Kernel Kernel
	Noise  float64 // variance λ of the noise; zero means none
	Mean   float64 // prior mean m, the same everywhere but for Trend
	Trend  Trend   // what is added to Mean; nil: nothing
}

// Validate reports every field out of range, as check.FieldError.
func (p Prior) Validate() error {
	var l check.List
	l.NotNegative("Prior.Noise", p.Noise)
	l.Finite("Prior.Mean", p.Mean)
	if p.Kernel == nil {
		l.Add("Prior.Kernel", nil, "a kernel")
		return l.Err()
	}
	return errors.Join(l.Err(), p.Kernel.Validate())
}

// Condition returns the posterior given the targets y at the points x (n×d), factorized from scratch. No data (n = 0)
// gives the prior as a posterior. The pool may be nil; otherwise it must have been made for the same kernel, and the
// posterior then carries mean and variance at each of its N points.
//
// A covariance matrix that is not positive definite in floating point gets more and more noise: ε times its mean
// diagonal entry with ε = 1e-10, 1e-9, …, 1e-4. What was added is told by Jitter and counts as noise everywhere. When
// the last step does not help the error is ErrNotPositiveDefinite. An invalid prior, a pool of another kernel and
// numbers that are not finite are errors too (check.FieldError); x and y of different length and points of the wrong
// dimension are bugs and panic. Cost O(n³ + n²N).
func (p Prior) Condition(x []space.Unit, y []float64, pool *Pool) (*Posterior, error) {
	return p.condition(x, y, nil, pool)
}

func (p Prior) condition(x []space.Unit, y []float64, variances known, pool *Pool) (*Posterior, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := errors.Join(checkData(p.Kernel.Dim(), x, y), variances.check(len(x)), pool.checkKernel(p.Kernel)); err != nil {
		return nil, err
	}
	post := &Posterior{prior: p, pool: pool, x: kept(p.Kernel, clonePoints(x)), known: variances, rowMeans: p.meansAt(x)}
	var err error
	if post.factor, post.jitter, err = factorize(p, post.x, variances, matrix{}); err != nil {
		return nil, err
	}
	if pool != nil {
		post.fillPool()
	}
	post.solve(slices.Clone(y))
	return post, nil
}

// checkData panics on shapes that are bugs and reports numbers that are not finite.
func checkData(dim int, x []space.Unit, y []float64) error {
	if len(x) != len(y) {
		panic("surrogate: different numbers of points and targets")
	}
	var l check.List
	for i, point := range x {
		if len(point) != dim {
			panic("surrogate: point of the wrong dimension")
		}
		for j, v := range point {
			if !isFinite(v) {
				l.Finite(fmt.Sprintf("X[%d][%d]", i, j), v)
			}
		}
		if !isFinite(y[i]) {
			l.Finite(fmt.Sprintf("Y[%d]", i), y[i])
		}
	}
	return l.Err()
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// clonePoints returns a copy of the points on one new array.
func clonePoints(x []space.Unit) []space.Unit {
	out := make([]space.Unit, len(x))
	if len(x) == 0 {
		return out
	}
	backing := make([]float64, 0, len(x)*len(x[0]))
	for i, point := range x {
		at := len(backing)
		backing = append(backing, point...)
		out[i] = backing[at:len(backing):len(backing)]
	}
	return out
}
