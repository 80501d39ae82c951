package surrogate

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// invert returns L⁻¹, a triangle as well, on the memory of an old one that nobody else may see. Cost n³/3 flops.
func (l matrix) invert(old matrix) matrix {
	w := old.reserve(l.n)
	for k, p := range w.panels {
		clear(p.data)
		low, high := w.span(k)
		for i := range high - low {
			p.data[i*p.stride+low+i] = 1
		}
		factor := l.panels[k]
		for c := 0; c < high; c += stripColumns {
			columns := min(stripColumns, high-c)
			for j := c / panelRows; j < k; j++ {
				strip := w.panels[j].general(panelRows, c, min(columns, w.panels[j].stride-c))
				for i := range high - low {
					at := factor.data[i*factor.stride+j*panelRows:]
					blas64.Gemv(blas.Trans, -1, strip, vector(at[:panelRows]), 1, vector(p.data[i*p.stride+c:][:strip.Cols]))
				}
			}
			factor.forwardPanel(p, low, high-low, c, columns)
		}
	}
	return w
}

// gram returns the lower triangle of wᵀw for a lower triangle w: the inverse of L Lᵀ when w is L⁻¹. It is written on the
// memory of an old triangle that nobody else may see. Cost n³/3 flops.
func (w matrix) gram(old matrix) matrix {
	g := old.reserve(w.n)
	var columns [panelRows * panelRows]float64
	for k, p := range g.panels {
		clear(p.data)
		low, high := g.span(k)
		for m := k; m < len(w.panels); m++ {
			from, to := w.span(m)
			source := w.panels[m]
			transpose(columns[:(high-low)*panelRows], source.data[low:], source.stride, to-from)
			for c := 0; c < high; c += stripColumns {
				strip := source.general(to-from, c, min(stripColumns, high-c))
				for i := range high - low {
					x := vector(columns[i*panelRows:][:to-from])
					blas64.Gemv(blas.Trans, 1, strip, x, 1, vector(p.data[i*p.stride+c:][:strip.Cols]))
				}
			}
		}
	}
	return g
}

// transpose fills columns, each panelRows long, with those of the rows that begin stride apart. Beyond the rows they stay as they are.
//
//go:norace
//go:nocheckptr
func transpose(columns, source []float64, stride, rows int) {
	width := len(columns) / panelRows
	writes(columns)
	for r := range rows {
		reads(source[r*stride:][:width])
		for i, v := range source[r*stride:][:width] {
			columns[i*panelRows+r] = v
		}
	}
}

// columnSquares returns for each column of the triangle the sum of the squares of its entries: the diagonal of wᵀw.
func (w matrix) columnSquares() []float64 {
	sum := make([]float64, w.n)
	for i := range w.n {
		for j, v := range w.row(i) {
			sum[j] += v * v
		}
	}
	return sum
}
