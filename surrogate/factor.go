package surrogate

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// ErrNotPositiveDefinite says that a covariance matrix could not be factorized even with the largest jitter.
var ErrNotPositiveDefinite = errors.New("covariance matrix is not positive definite")

const (
	firstJitter, lastJitter = 1e-10, 1e-4 // the ladder, relative to the mean diagonal entry, in steps of ten
	leastPivot              = 1e-12       // smallest pivot, relative to the diagonal entry, that is more than round-off
)

// factorize returns the Cholesky factor of K + (noise + jitter) I + diag(v) and the jitter that was needed. The memory of old is
// used again; nobody else may see it.
func factorize(p Prior, x []space.Unit, v known, old matrix) (l matrix, jitter float64, err error) {
	l = old.reserve(len(x))
	err = climb(p, x, v, func(added float64) bool {
		jitter = added
		return l.factorize(0, p, x, v, added)
	})
	if err != nil {
		return matrix{}, 0, err
	}
	return l, jitter, nil
}

// climb tries without jitter and then the ladder.
func climb(p Prior, x []space.Unit, v known, try func(jitter float64) bool) error {
	if try(0) {
		return nil
	}
	var mean float64
	for i, point := range x {
		mean += (p.Kernel.Diag(point) + p.Noise + v.at(i)) / float64(len(x))
	}
	for eps := firstJitter; eps < 2*lastJitter; eps *= 10 {
		if try(eps * mean) {
			return nil
		}
	}
	return notPositiveDefinite(p.Kernel, x)
}

// factorize fills the rows from a panel on, panel by panel: a panel is substituted into those before it, then factorized itself. It
// reports false when a pivot is lost in round-off. Cost n³/3 flops.
func (l matrix) factorize(from int, p Prior, x []space.Unit, v known, jitter float64) bool {
	var rows [panelRows][]float64
	for k := from; k < len(l.panels); k++ {
		low, high := l.span(k)
		for i := low; i < high; i++ {
			row := l.row(i)
			covarianceRow(p, row, x, i, jitter+v.at(i))
			rows[i-low] = row[:low]
		}
		l.prefix(low).forward(0, 0, rows[:high-low]...)
		l.panels[k].subtractProducts(low, high-low)
		if !l.panels[k].factorizeDiagonal(p, x[low:high], low, jitter, v) {
			return false
		}
	}
	return true
}

// subtractProducts takes the products of the panel's rows over the columns before its triangle off that triangle.
func (p *panel) subtractProducts(column, rows int) {
	for c := 0; c < column; c += stripColumns {
		width := min(stripColumns, column-c)
		for i := range rows {
			part := vector(p.data[i*p.stride+c : i*p.stride+c+width])
			blas64.Gemv(blas.NoTrans, -1, p.general(i+1, c, width), part, 1, vector(p.data[i*p.stride+column:i*p.stride+column+i+1]))
		}
	}
}

// factorizeDiagonal factorizes the triangle that begins at the given column, row by row.
func (p *panel) factorizeDiagonal(prior Prior, x []space.Unit, column int, jitter float64, v known) bool {
	for i, point := range x {
		row := p.data[i*p.stride+column : i*p.stride+column+i+1]
		for j := range i {
			other := p.data[j*p.stride+column : j*p.stride+column+j+1]
			row[j] = (row[j] - dotShort(row[:j], other[:j])) / other[j]
		}
		pivot := row[i] - dotShort(row[:i], row[:i])
		if !(pivot > leastPivot*(prior.Kernel.Diag(point)+(prior.Noise+jitter+v.at(column+i)))) {
			return false
		}
		row[i] = math.Sqrt(pivot)
	}
	return true
}

// covarianceRow fills row with the covariances of point i with the points up to itself, noise included, that of the
// prior and more, and returns the last of them.
func covarianceRow(p Prior, row []float64, x []space.Unit, i int, more float64) float64 {
	p.Kernel.Row(row[:i], x[i], x[:i])
	row[i] = p.Kernel.Diag(x[i]) + p.Noise + more
	return row[i]
}

// border turns the last row of a covariance matrix (covariances with the earlier points, then the variance including
// noise) into the last row of its factor, all but the root of the pivot, which it returns: what is left of the
// variance once the earlier points are known. Rasmussen & Williams 2006, section A.4; cost n² flops.
func (l matrix) border(row []float64) float64 {
	l.forward(0, 0, row[:l.n])
	return row[l.n] - floats.Dot(row[:l.n], row[:l.n])
}

// notPositiveDefinite says which points are the likely cause.
func notPositiveDefinite(k Kernel, x []space.Unit) error {
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
		len(x), k.Name(), hyperNames(k), exponentials(k.Params()), first, second, math.Sqrt(least), ErrNotPositiveDefinite)
}
