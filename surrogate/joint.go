package surrogate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// DrawJoint returns the values (length N) of one function drawn from the posterior at the points of the pool: mean and
// Cholesky factor of their posterior covariance K(pool, pool) - VᵀV times normal numbers. Unlike DrawPool it wants neither
// draws in the pool nor the observed points among its own, and it pays for that at each draw. The draw is exact but for an
// independent variance of 1e-10 times the largest prior one at each point, which keeps the matrix positive definite. The
// result is nil without a pool. Cost O(nN² + N³ + N²d) time and 4N² bytes.
func (p *Posterior) DrawJoint(stream *rand.Rand) []float64 {
	if p.pool == nil {
		return nil
	}
	root := p.poolRoot()
	normal := make([]float64, p.pool.Len())
	for i := range normal {
		normal[i] = stream.NormFloat64()
	}
	draw := make([]float64, len(normal))
	for i := range draw {
		draw[i] = p.poolMean[i] + dotShort(root.row(i), normal[:i+1])
	}
	return draw
}

// poolRoot is the Cholesky factor of the posterior covariance of the pool.
func (p *Posterior) poolRoot() matrix {
	k, points := p.prior.Kernel, p.pool.points
	var most float64
	for _, v := range p.pool.diag {
		most = max(most, v)
	}
	root := matrix{}.reserve(len(points))
	for i, x := range points {
		row := root.row(i)
		k.Row(row[:i], x, points[:i])
		row[i] = p.pool.diag[i] + poolResidual*most
	}
	p.pooled.subtractGram(root)
	for i := range points {
		row := root.row(i)
		row[i] = math.Sqrt(max(root.prefix(i).border(row), poolResidual*most))
	}
	return root
}

// subtractGram takes the products of the columns of m off the triangle. Cost n·width² flops.
func (m matrix) subtractGram(triangle matrix) {
	column := make([]float64, panelRows)
	for k, p := range m.panels {
		low, high := m.span(k)
		for i := range triangle.n {
			for r := range high - low {
				column[r] = p.data[r*p.stride+i]
			}
			blas64.Gemv(blas.Trans, -1, p.general(high-low, 0, i+1), vector(column[:high-low]), 1, vector(triangle.row(i)))
		}
	}
}
