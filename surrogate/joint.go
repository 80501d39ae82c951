package surrogate

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// DrawJoint returns the values (length N) of one function drawn from the posterior at the points of the pool: mean and
// Cholesky factor of their posterior covariance K(pool, pool) - VᵀV times normal numbers. Unlike DrawPool it wants neither
// draws in the pool nor the observed points among its own, and it pays for that at each draw. The draw is exact but for an
// independent variance of 1e-10 times the largest prior one at each point, which keeps the matrix positive definite. The
// result is nil without a pool. Cost O(nN² + N³ + N²d) time the first time, then O(N³) while rows are appended; 8N² bytes
// are kept.
func (p *Posterior) DrawJoint(stream *rand.Rand) []float64 {
	if p.pool == nil {
		return nil
	}
	return p.DrawsJoint(1, stream)[0]
}

// DrawsJoint returns as many functions (count×N) as DrawJoint would, called so often, at the cost of one and O(N²) for each. A
// posterior without a pool is a bug and panics.
func (p *Posterior) DrawsJoint(count int, stream *rand.Rand) [][]float64 {
	if p.pool == nil {
		panic("surrogate: draws over no pool")
	}
	draws := make([][]float64, count)
	var root matrix
	if p.pool.Len() > 0 {
		root = p.poolRoot()
	}
	normal := make([]float64, p.pool.Len())
	for k := range draws {
		for i := range normal {
			normal[i] = stream.NormFloat64()
		}
		draws[k] = make([]float64, len(normal))
		for i := range normal {
			draws[k][i] = p.poolMean[i] + dotShort(root.row(i), normal[:i+1])
		}
	}
	return draws
}

// jointCache is the posterior covariance of a pool as far as whole panels of rows go, which never change. Who computes it
// finds the same bits whether or not somebody was there before.
type jointCache struct {
	known atomic.Pointer[partialCovariance]
}

// partialCovariance is K(pool, pool) less the part of some whole panels of V.
type partialCovariance struct {
	panels   []*panel
	triangle matrix
}

// covered is the number of whole panels of the posterior that the known covariance has seen, -1 if it has seen others.
func (c *partialCovariance) covered(m matrix, whole int) int {
	if c == nil || len(c.panels) > whole || !slices.Equal(c.panels, m.panels[:len(c.panels)]) {
		return -1
	}
	return len(c.panels)
}

// poolRoot is the Cholesky factor of the posterior covariance of the pool.
func (p *Posterior) poolRoot() matrix {
	least := poolResidual * slices.Max(p.pool.diag)
	root, whole := p.wholeCovariance(least), len(p.x)/panelRows
	for k := whole; k < len(p.pooled.panels); k++ {
		p.pooled.subtractGram(root, k)
	}
	for i := range p.pool.points {
		row := root.row(i)
		row[i] = math.Sqrt(max(root.prefix(i).border(row), least))
	}
	return root
}

// wholeCovariance is the prior covariance, with the least variance on its diagonal, less the part of the whole panels. The
// caller owns it.
func (p *Posterior) wholeCovariance(least float64) matrix {
	whole := len(p.x) / panelRows
	known := p.joint.known.Load()
	from := known.covered(p.pooled, whole)
	var root matrix
	if from >= 0 {
		root = known.triangle.copied()
	} else {
		from, root = 0, p.priorCovariance(least)
	}
	for k := from; k < whole; k++ {
		p.pooled.subtractGram(root, k)
	}
	if whole > from {
		p.joint.known.Store(&partialCovariance{p.pooled.panels[:whole:whole], root.copied()})
	}
	return root
}

// priorCovariance is that of the pool with the least variance on its diagonal.
func (p *Posterior) priorCovariance(least float64) matrix {
	root := matrix{}.reserve(len(p.pool.points))
	for i, x := range p.pool.kept {
		row := root.row(i)
		p.prior.Kernel.Row(row[:i], x, p.pool.kept[:i])
		row[i] = p.pool.diag[i] + least
	}
	return root
}

// copied returns the same rows on panels of their own.
func (m matrix) copied() matrix {
	c := matrix{rectangle: m.rectangle, width: m.width}.reserve(m.n)
	for k, p := range m.panels {
		copy(c.panels[k].data, p.data)
	}
	return c
}

// subtractGram takes the products of the columns of panel k of m off the triangle. Cost 64·width² flops.
func (m matrix) subtractGram(triangle matrix, k int) {
	column := make([]float64, panelRows)
	p := m.panels[k]
	low, high := m.span(k)
	for i := range triangle.n {
		for r := range high - low {
			column[r] = p.data[r*p.stride+i]
		}
		blas64.Gemv(blas.Trans, -1, p.general(high-low, 0, i+1), vector(column[:high-low]), 1, vector(triangle.row(i)))
	}
}
