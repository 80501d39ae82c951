package surrogate

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// ErrNotPositiveDefinite says that a covariance matrix could not be factorized even with the largest jitter.
var ErrNotPositiveDefinite = errors.New("surrogate: covariance matrix is not positive definite")

const (
	firstJitter, lastJitter = 1e-10, 1e-4 // the ladder, relative to the mean diagonal entry, in steps of ten
	leastPivot              = 1e-12       // smallest pivot, relative to the diagonal entry, that is more than round-off
	blockedFrom             = 32          // points from which LAPACK beats factorization by rows
)

// factorize returns the rows of the Cholesky factor of K + (noise + jitter) I and the jitter that was needed.
func factorize(p Prior, x [][]float64) (rows [][]float64, jitter float64, err error) {
	if len(x) < blockedFrom {
		err = climb(p, x, func(added float64) bool {
			rows, jitter = factorizeByRows(p, x, added), added
			return rows != nil
		})
		return rows, jitter, err
	}
	dense := make([]float64, len(x)*len(x))
	err = climb(p, x, func(added float64) bool {
		jitter = added
		return factorizeDense(p, x, added, dense)
	})
	if err != nil {
		return nil, 0, err
	}
	return rowsOf(dense, len(x)), jitter, nil
}

// climb tries without jitter and then the ladder.
func climb(p Prior, x [][]float64, try func(jitter float64) bool) error {
	if try(0) {
		return nil
	}
	var mean float64
	for _, point := range x {
		mean += (p.Kernel.Diag(point) + p.Noise) / float64(len(x))
	}
	for eps := firstJitter; eps < 2*lastJitter; eps *= 10 {
		if try(eps * mean) {
			return nil
		}
	}
	return notPositiveDefinite(p.Kernel, x)
}

// factorizeByRows borders point by point, exactly as Append does. It returns nil when a pivot is lost in round-off.
func factorizeByRows(p Prior, x [][]float64, jitter float64) [][]float64 {
	rows := make([][]float64, 0, len(x))
	for i := range x {
		row := make([]float64, i+1)
		total := covarianceRow(p, row, x, i, jitter)
		pivot := border(rows, row)
		if !(pivot > leastPivot*total) {
			return nil
		}
		row[i] = math.Sqrt(pivot)
		rows = append(rows, row)
	}
	return rows
}

// covarianceRow fills row with the covariances of point i with the points up to itself, noise included, and returns
// the last of them.
func covarianceRow(p Prior, row []float64, x [][]float64, i int, jitter float64) float64 {
	p.Kernel.Row(row[:i], x[i], x[:i])
	row[i] = p.Kernel.Diag(x[i]) + p.Noise + jitter
	return row[i]
}

// factorizeDense fills the lower triangle of the n×n array with the factor.
func factorizeDense(p Prior, x [][]float64, jitter float64, dense []float64) bool {
	n := len(x)
	least := make([]float64, n)
	for i := range x {
		least[i] = leastPivot * covarianceRow(p, dense[i*n:i*n+i+1], x, i, jitter)
	}
	if _, ok := lapack64.Potrf(blas64.Symmetric{N: n, Stride: n, Data: dense, Uplo: blas.Lower}); !ok {
		return false
	}
	for i, l := range least {
		if pivot := dense[i*n+i]; !(pivot*pivot > l) {
			return false
		}
	}
	return true
}

// rowsOf copies the lower triangle of an n×n array into rows on one packed array.
func rowsOf(dense []float64, n int) [][]float64 {
	rows := make([][]float64, n)
	packed := make([]float64, 0, n*(n+1)/2)
	for i := range rows {
		at := len(packed)
		packed = append(packed, dense[i*n:i*n+i+1]...)
		rows[i] = packed[at:len(packed):len(packed)]
	}
	return rows
}

// notPositiveDefinite says which points are the likely cause.
func notPositiveDefinite(k Kernel, x [][]float64) error {
	first, second, least := 0, 0, math.Inf(1)
	for i, a := range x {
		for j, b := range x[:i] {
			var d2 float64
			for c := range a {
				d2 += (a[c] - b[c]) * (a[c] - b[c])
			}
			if d2 < least {
				first, second, least = j, i, d2
			}
		}
	}
	return fmt.Errorf("factorize %d points under %s with %v = %.4g, closest rows %d and %d at distance %.3g: %w",
		len(x), k.Name(), k.ParamNames(), exponentials(k.Params()), first, second, math.Sqrt(least), ErrNotPositiveDefinite)
}
