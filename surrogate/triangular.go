package surrogate

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// Both substitutions go through the factor panel by panel and strip by strip, so that nearly all the work is a product
// of a small rectangle with a vector, and serve any number of right sides with one look at the factor. What they
// compute for one right side does not depend on the others.

// forward replaces each b (length n) by L⁻¹ b. Entries before zero are known to be zero. Rows before from are done
// already; from is rounded down to the beginning of its panel, so that the numbers are those of a run from the start.
// Cost n² flops for each b.
func (l matrix) forward(from, zero int, bs ...[]float64) {
	if l.n == 0 {
		return
	}
	start := zero / panelRows * panelRows
	for k := max(from, start) / panelRows; k < len(l.panels); k++ {
		low, high := l.span(k)
		p := l.panels[k]
		for c := start; c < low; c += stripColumns {
			strip := p.general(high-low, c, min(stripColumns, low-c))
			for _, b := range bs {
				blas64.Gemv(blas.NoTrans, -1, strip, vector(b[c:c+strip.Cols]), 1, vector(b[low:high]))
			}
		}
		for _, b := range bs {
			p.forwardDiagonal(b[low:high], low)
		}
	}
}

// forwardDiagonal is the substitution in the triangle that begins at the given column of the panel.
func (p *panel) forwardDiagonal(b []float64, column int) {
	for i := range b {
		row := p.data[i*p.stride+column : i*p.stride+column+i+1]
		b[i] = (b[i] - dotShort(row[:i], b[:i])) / row[i]
	}
}

// backward replaces each b (length n) by L⁻ᵀ b. Cost n² flops for each b.
func (l matrix) backward(bs ...[]float64) {
	for k := len(l.panels) - 1; k >= 0; k-- {
		low, high := l.span(k)
		p := l.panels[k]
		for _, b := range bs {
			p.backwardDiagonal(b[low:high], low)
		}
		for c := 0; c < low; c += stripColumns {
			strip := p.general(high-low, c, min(stripColumns, low-c))
			for _, b := range bs {
				blas64.Gemv(blas.Trans, -1, strip, vector(b[low:high]), 1, vector(b[c:c+strip.Cols]))
			}
		}
	}
}

// backwardDiagonal is the substitution in the transpose of the triangle that begins at the given column of the panel.
func (p *panel) backwardDiagonal(b []float64, column int) {
	for i := len(b) - 1; i >= 0; i-- {
		row := p.data[i*p.stride+column : i*p.stride+column+i+1]
		v := b[i] / row[i]
		b[i] = v
		addShort(b[:i], -v, row[:i])
	}
}

// shortLength is the length from which a call of an assembly routine pays.
const shortLength = 12

func dotShort(a, b []float64) float64 {
	if len(a) >= shortLength {
		return floats.Dot(a, b)
	}
	var sum float64
	b = b[:len(a)]
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

func addShort(dst []float64, alpha float64, s []float64) {
	if len(dst) >= shortLength {
		floats.AddScaled(dst, alpha, s)
		return
	}
	s = s[:len(dst)]
	for i, v := range s {
		dst[i] += alpha * v
	}
}

// sumColumns is how many columns of a sum are worked on at a time: each row is used once, so long runs are better.
const sumColumns = 2048

// addRows adds Σ_i w_i row_i to dst (length width), over the rows from on. Cost 2 (n - from) width flops.
func (m matrix) addRows(dst []float64, from int, w []float64) {
	for k := from / panelRows; k < len(m.panels); k++ {
		low, high := m.span(k)
		skip := max(from-low, 0)
		p := m.panels[k]
		for c := 0; c < m.width; c += sumColumns {
			strip := p.general(high-low-skip, c, min(sumColumns, m.width-c))
			strip.Data = p.data[skip*p.stride+c:]
			blas64.Gemv(blas.Trans, 1, strip, vector(w[low+skip:high]), 1, vector(dst[c:c+strip.Cols]))
		}
	}
}

// forwardRows replaces the rows of m by those of L⁻¹ m, from a panel on before which they are that, strip by strip, so that a strip of earlier rows serves all rows
// of a panel. Cost n² flops for each column.
func (l matrix) forwardRows(from int, m matrix) {
	for k := from; k < len(l.panels); k++ {
		p := l.panels[k]
		low, high := l.span(k)
		for c := 0; c < m.width; c += stripColumns {
			columns := min(stripColumns, m.width-c)
			for j := range k {
				strip := m.panels[j].general(panelRows, c, columns)
				for i := range high - low {
					at := p.data[i*p.stride+j*panelRows:]
					blas64.Gemv(blas.Trans, -1, strip, vector(at[:panelRows]), 1, vector(m.panels[k].data[i*m.panels[k].stride+c:][:columns]))
				}
			}
			p.forwardPanel(m.panels[k], low, high-low, c, columns)
		}
	}
}

// forwardPanel is the substitution in the triangle that begins at the given column of the panel, for some columns of the
// rows of another panel.
func (p *panel) forwardPanel(m *panel, column, rows, c, columns int) {
	for i := range rows {
		l := p.data[i*p.stride+column : i*p.stride+column+i+1]
		dst := m.data[i*m.stride+c:][:columns]
		if i > 0 {
			blas64.Gemv(blas.Trans, -1, m.general(i, c, columns), vector(l[:i]), 1, vector(dst))
		}
		floats.Scale(1/l[i], dst)
	}
}
