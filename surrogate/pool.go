package surrogate

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
	"gonum.org/v1/gonum/floats"
)

// Pool is a fixed set of N candidate points over which posteriors keep mean and variance up to date. It belongs to one
// kernel and never changes, so that any number of posteriors may share it.
type Pool struct {
	kernel Kernel
	points []space.Unit
	kept   []space.Unit   // the same, as the kernel has them kept
	index  map[string]int // from the bits of a point to its number
	first  []int          // by number: that of the first equal point
	diag   []float64      // prior variances
	factor [][]float64    // r rows of length N whose Gram matrix is the prior covariance; nil without draws, and where r would be too great
}

const (
	poolResidual = 1e-10 // part of the largest prior variance that the factor of a pool may miss at any point
	anyRank      = 1024  // points whose factor is kept whatever its rank
	mostRank     = 512   // the greatest rank of a factor of more points: at full rank 4096 of them would take 20 s and 128 MB after each fit
)

// NewPool returns the pool of the given points (N×d, copied) under a kernel. With draws it also keeps a factor of rank
// r of the prior covariance of the points, which DrawPool needs: a pivoted Cholesky factorization stopped when no
// residual variance exceeds 1e-10 times the largest variance (Harbrecht, Peters & Schneider 2012). For smooth kernels r
// is far below N. Of more than 1024 points there is no factor where r would exceed 512, as with a rough kernel or many
// choices. Cost O(Nd), with draws O(N r²) time and O(N r) memory. Points of the wrong
// dimension or with entries that are not finite are bugs and panic.
func NewPool(k Kernel, points []space.Unit, draws bool) *Pool {
	for _, x := range points {
		checkPoint(k.Dim(), x)
	}
	p := &Pool{points: clonePoints(points), index: make(map[string]int, len(points)), first: make([]int, len(points))}
	var key []byte
	for i, x := range p.points {
		key = pointKey(key[:0], x)
		first, known := p.index[string(key)]
		if !known {
			p.index[string(key)], first = i, i
		}
		p.first[i] = first
	}
	return p.WithKernel(k, draws)
}

// WithKernel returns the pool of the same points under another kernel of the same dimension, without copying the
// points. Cost as NewPool.
func (p *Pool) WithKernel(k Kernel, draws bool) *Pool {
	q := &Pool{kernel: k, points: p.points, kept: kept(k, p.points), index: p.index, first: p.first, diag: make([]float64, len(p.points))}
	for i, x := range q.points {
		q.diag[i] = k.Diag(x)
	}
	if draws {
		q.factor = pivotedCholesky(k, q.kept, q.diag)
	}
	return q
}

func checkPoint(dim int, x space.Unit) {
	if len(x) != dim {
		panic("surrogate: point of the wrong dimension")
	}
	for _, v := range x {
		if !isFinite(v) {
			panic("surrogate: point that is not finite")
		}
	}
}

// pointKey appends the bits of the coordinates; adding zero makes -0 and 0 the same.
func pointKey(key []byte, x space.Unit) []byte {
	for _, v := range x {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v+0))
	}
	return key
}

// pivotedCholesky returns rows R with Σ_m R_m(i) R_m(j) ≈ k(x_i, x_j), largest residual variance first; nil where there would be too many.
func pivotedCholesky(k Kernel, points []space.Unit, diag []float64) [][]float64 {
	rows := [][]float64{}
	if len(points) == 0 {
		return rows
	}
	residual := slices.Clone(diag)
	least := poolResidual * slices.Max(diag)
	for len(rows) < len(points) {
		pivot := floats.MaxIdx(residual)
		if residual[pivot] <= least {
			break
		}
		if len(rows) == mostRank && len(points) > anyRank {
			return nil
		}
		row := make([]float64, len(points))
		k.Row(row, points[pivot], points)
		for _, r := range rows {
			floats.AddScaled(row, -r[pivot], r)
		}
		floats.Scale(1/math.Sqrt(residual[pivot]), row)
		for i, v := range row {
			residual[i] -= v * v
		}
		residual[pivot] = 0
		rows = append(rows, row)
	}
	return rows
}

// Len returns the number N of points.
func (p *Pool) Len() int { return len(p.points) }

// Alike reports whether another pool has the same points in the same order. Cost O(1) where they share them, at most O(Nd).
func (p *Pool) Alike(other *Pool) bool {
	return p == other || len(p.points) == len(other.points) &&
		(len(p.points) == 0 || &p.points[0] == &other.points[0] || slices.EqualFunc(p.points, other.points, slices.Equal[space.Unit]))
}

// Point returns point i, which must not be changed.
func (p *Pool) Point(i int) space.Unit { return p.points[i] }

// First returns the number of the first point that equals point i.
func (p *Pool) First(i int) int { return p.first[i] }

// Index returns the number of the first point that equals x exactly, or -1.
func (p *Pool) Index(x space.Unit) int {
	var buffer [64]byte
	if i, ok := p.index[string(pointKey(buffer[:0], x[:min(len(x), p.kernel.Dim())]))]; ok {
		return i
	}
	return -1
}

// checkKernel reports a pool that was made for another kernel, whose numbers would be silently wrong.
func (p *Pool) checkKernel(k Kernel) error {
	var l check.List
	if p != nil {
		same := p.kernel.Name() == k.Name() && p.kernel.Dim() == k.Dim() && slices.Equal(p.kernel.Params(), k.Params())
		l.Require(same, "Pool.Kernel", p.kernel.Name(), "the kernel of the prior, with the same hyperparameters")
	}
	return l.Err()
}

// WithPool returns the posterior with another pool, or with none where pool is nil. Its numbers are those that Condition gives
// on the same factor: what Append, Remove and Revise would have led to, but for round-off. A pool that was made for another
// kernel is a bug and panics. Cost O(n²N); nothing for none.
func (p *Posterior) WithPool(pool *Pool) *Posterior {
	if err := pool.checkKernel(p.prior.Kernel); err != nil {
		panic("surrogate: pool of another kernel")
	}
	q := *p
	q.pool, q.index, q.pooled = pool, nil, matrix{}
	q.poolMean, q.poolVariance, q.sums = nil, nil, nil
	if pool != nil {
		q.fillPool()
		q.sumPool(0)
	}
	return &q
}

// fillPool computes V and what follows from it for all points at once. Cost n²N flops.
func (p *Posterior) fillPool() {
	p.pooled = matrix{rectangle: true, width: p.pool.Len()}.reserve(len(p.x))
	p.joint = &jointCache{}
	p.index = make([]int, len(p.x))
	for i, x := range p.x {
		p.index[i] = p.pool.Index(x)
		p.prior.Kernel.Row(p.pooled.row(i), x, p.pool.kept)
	}
	p.factor.forwardRows(0, p.pooled)
	p.squarePool()
}
