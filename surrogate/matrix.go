package surrogate

import (
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/blas/blas64"
)

const (
	// panelRows is how many consecutive rows lie together: enough for products to run on whole panels.
	panelRows = 64
	// stripColumns is how many columns are worked on at a time: a strip of a panel fits into a level-2 cache.
	stripColumns = 256
)

// matrix grows by rows without moving those that are there. It is a header of n rows on panels that several headers
// share: rows that a header sees never change. The zero matrix is an empty lower triangle, whose row i has length i+1.
type matrix struct {
	n         int
	rectangle bool // all rows have the same width
	width     int
	panels    []*panel
}

// panel holds up to panelRows rows. The stride of a triangle's panel is that of its last row.
type panel struct {
	data   []float64
	stride int
	used   atomic.Int32 // rows that some header has claimed
}

func newPanel(stride int) *panel {
	return &panel{data: make([]float64, panelRows*stride), stride: stride}
}

// row returns row i of the panel up to its last column that counts.
func (p *panel) row(i, width int) []float64 {
	return p.data[i*p.stride : i*p.stride+width : i*p.stride+width]
}

// general returns the given rows and columns of the panel as an operand.
func (p *panel) general(rows, column, columns int) blas64.General {
	return blas64.General{Rows: rows, Cols: columns, Stride: p.stride, Data: p.data[column:]}
}

// row returns row i, which must not be changed.
func (m matrix) row(i int) []float64 {
	width := m.width
	if !m.rectangle {
		width = i + 1
	}
	return m.panels[i/panelRows].row(i%panelRows, width)
}

// diag returns entry (i, i).
func (m matrix) diag(i int) float64 {
	p := m.panels[i/panelRows]
	return p.data[i%panelRows*p.stride+i]
}

// span returns the first row of panel k and the row after its last.
func (m matrix) span(k int) (from, to int) {
	return k * panelRows, min((k+1)*panelRows, m.n)
}

// grow returns the matrix with one more row, zero or stale, which the caller fills. Headers that see fewer rows see no
// difference. Where another branch took the place, the last panel is copied. Cost O(n) at most.
func (m matrix) grow() (matrix, []float64) {
	used := m.n % panelRows
	switch {
	case used == 0:
		p := newPanel(m.stride(len(m.panels)))
		p.used.Store(1)
		m.panels = append(slices.Clip(m.panels), p)
	case !m.panels[len(m.panels)-1].used.CompareAndSwap(int32(used), int32(used)+1):
		last := m.panels[len(m.panels)-1]
		p := newPanel(last.stride)
		copy(p.data, last.data[:used*last.stride])
		p.used.Store(int32(used) + 1)
		m.panels = append(slices.Clip(m.panels[:len(m.panels)-1]), p)
	}
	m.n++
	return m, m.row(m.n - 1)
}

// prefix returns the first n rows.
func (m matrix) prefix(n int) matrix {
	m.n = n
	m.panels = m.panels[:(n+panelRows-1)/panelRows]
	return m
}

// stride is that of panel k: the width, or the length of a triangle's last row there.
func (m matrix) stride(k int) int {
	if m.rectangle {
		return m.width
	}
	return (k + 1) * panelRows
}

// reserve returns the matrix with n rows that nobody else sees, zero or stale. Its panels, which nobody else may see
// either, are used again.
func (m matrix) reserve(n int) matrix {
	m.n = n
	for k := len(m.panels); k*panelRows < n; k++ {
		m.panels = append(m.panels, newPanel(m.stride(k)))
	}
	m.panels = m.panels[:(n+panelRows-1)/panelRows]
	for k, p := range m.panels {
		from, to := m.span(k)
		p.used.Store(int32(to - from))
	}
	return m
}

// renewed returns a matrix of n rows that shares the panels before the given one, which are full, and whose other panels are new. Nobody else sees these.
func (m matrix) renewed(panel, n int) matrix {
	m.n, m.panels = n, slices.Clone(m.panels[:panel])
	for k := panel; k*panelRows < n; k++ {
		p := newPanel(m.stride(k))
		p.used.Store(int32(min(n-k*panelRows, panelRows)))
		m.panels = append(m.panels, p)
	}
	return m
}

// vector is a slice as an operand.
func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Inc: 1, Data: v} }
