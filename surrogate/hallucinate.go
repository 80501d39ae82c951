package surrogate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// Hallucinate returns the posterior with the targets y, except that each pending row gets the posterior mean given the
// other rows alone (GP-BUCB, Desautels, Krause & Burdick 2014). The mean is then that of the other rows everywhere,
// while the variance counts all. Entries of y at pending rows are not looked at. One factor serves both: with P the
// pending rows and y_P first set to the prior mean, the wanted targets are m - [((K + λI)⁻¹)_PP]⁻¹ α_P, because they
// make the weights of the pending rows zero. Cost O(n² + nN), and for each pending row i another O((n - i)(n - i + |P|)).
// Where very many pend, and the other rows are conditioned on for less, that is done: O((n - |P|)³).
// A row that does not exist is a bug and panics.
func (p *Posterior) Hallucinate(y []float64, pending []int) *Posterior {
	rows := slices.Clone(pending)
	slices.Sort(rows)
	rows = slices.Compact(rows)
	if len(y) != len(p.x) {
		panic("surrogate: wrong number of targets")
	}
	if len(rows) > 0 && (rows[0] < 0 || rows[len(rows)-1] >= len(y)) {
		panic("surrogate: pending row that does not exist")
	}
	filled := slices.Clone(y)
	for _, i := range rows {
		filled[i] = p.rowMean(i)
	}
	if len(rows) == 0 {
		return p.Retarget(filled)
	}
	if len(rows) > manyPending && p.cheaperFromScratch(rows) {
		return p.hallucinateFromScratch(filled, rows)
	}
	weights := p.weights(filled)
	shift := make([]float64, len(rows))
	for a, i := range rows {
		shift[a] = weights[i]
	}
	if !p.solveInverseBlock(rows, shift) {
		return p.hallucinateFromScratch(filled, rows)
	}
	for a, i := range rows {
		if !isFinite(filled[i] - shift[a]) {
			return p.hallucinateFromScratch(filled, rows)
		}
		filled[i] -= shift[a]
	}
	return p.Retarget(filled)
}

// weights returns (K + λI)⁻¹ (y - m).
func (p *Posterior) weights(y []float64) []float64 {
	w := slices.Clone(y)
	for i := range w {
		w[i] -= p.rowMean(i)
	}
	p.factor.forward(0, 0, w)
	p.factor.backward(w)
	return w
}

// manyPending is the most pending rows that are always taken out of the one factor that there is.
const manyPending = 256

// cubed is about how many multiplications a factor of n rows takes.
func cubed(n int) float64 { return float64(n) * float64(n) * float64(n) / 6 }

// cheaperFromScratch reports whether a factor of the other rows takes fewer multiplications than the block of the inverse.
func (p *Posterior) cheaperFromScratch(rows []int) bool {
	block := cubed(len(rows))
	for a, i := range rows {
		behind := float64(len(p.x) - i)
		block += behind * (behind/2 + float64(a))
	}
	return cubed(len(p.x)-len(rows)) < block
}

// pendingBatch is how many columns of the inverse are computed at a time.
const pendingBatch = 16

// solveInverseBlock replaces b by [((K + λI)⁻¹)_PP]⁻¹ b for the sorted rows P.
func (p *Posterior) solveInverseBlock(rows []int, b []float64) bool {
	_, gram, ok := p.inverseBlock(rows)
	if ok {
		gram.forward(0, 0, b)
		gram.backward(b)
	}
	return ok
}

// inverseBlock returns the columns P of L⁻¹, of which column i is zero before i, for the sorted rows P, and the factor of their Gram matrix,
// which is the block ((K + λI)⁻¹)_PP. It is false where that is singular in floating point.
func (p *Posterior) inverseBlock(rows []int) (columns [][]float64, gram matrix, ok bool) {
	columns = make([][]float64, len(rows))
	for at := 0; at < len(rows); at += pendingBatch {
		part := columns[at:min(at+pendingBatch, len(rows))]
		for a := range part {
			part[a] = make([]float64, len(p.x))
			part[a][rows[at+a]] = 1
		}
		p.factor.forward(rows[at], rows[at], part...)
	}
	for a, i := range rows {
		wider, block := gram.grow()
		for c := range block {
			block[c] = floats.Dot(columns[a][i:], columns[c][i:])
		}
		total := block[a]
		pivot := gram.border(block)
		if !(pivot > leastPivot*total) {
			return nil, matrix{}, false
		}
		block[a] = math.Sqrt(pivot)
		gram = wider
	}
	return columns, gram, true
}

// hallucinateFromScratch conditions on the other rows alone, for the case that noise and distances are so small that
// the block above is singular in floating point, and where that is cheaper.
func (p *Posterior) hallucinateFromScratch(y []float64, rows []int) *Posterior {
	var x []space.Unit
	for i := range p.x {
		x = append(x, p.X(i))
	}
	prior := p.prior
	prior.Noise += p.jitter
	if others, err := prior.condition(except(x, rows), except(y, rows), except(p.known, rows), nil); err == nil {
		for _, i := range rows {
			if mean := others.Mean(p.x[i]); isFinite(mean) {
				y[i] = mean
			}
		}
	}
	return p.Retarget(y)
}
