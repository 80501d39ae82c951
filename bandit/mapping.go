package bandit

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
)

// Mapping is parameters by the context of a task: θ(c) = Base + V1 V2' κ(c), where κ(c) has the kernel between c and the context of each
// earlier task (Zhang 2024, eq. 4.20). Base is zero in the source; here it may be what all tasks have learned together.
type Mapping struct {
	Base []float64   // of length L; nil: zero
	V1   [][]float64 // L × r
	V2   [][]float64 // N × r, a row for each task
}

// At writes the parameters at a context to theta.
func (m Mapping) At(theta, kappa []float64) {
	inner := m.inner(kappa)
	for l, row := range m.V1 {
		theta[l] = floats.Dot(row, inner)
		if m.Base != nil {
			theta[l] += m.Base[l]
		}
	}
}

// inner is V2' κ.
func (m Mapping) inner(kappa []float64) []float64 {
	inner := make([]float64, len(m.V1[0]))
	for n, row := range m.V2 {
		floats.AddScaled(inner, kappa[n], row)
	}
	return inner
}

// AddSlopes adds to dV1 and dV2 the derivatives of what has the derivatives g by the parameters at a context:
//
//	dV1 = g (V2' κ)',   dV2 = κ (V1' g)'.
func (m Mapping) AddSlopes(dV1, dV2 [][]float64, g, kappa []float64) {
	inner, outer := m.inner(kappa), make([]float64, len(m.V1[0]))
	for l, row := range m.V1 {
		floats.AddScaled(dV1[l], g[l], inner)
		floats.AddScaled(outer, g[l], row)
	}
	for n := range dV2 {
		floats.AddScaled(dV2[n], kappa[n], outer)
	}
}

// NewMapping returns one with small random rows for so many tasks, of a rank, so that parameters differ little from the base (not copied).
func NewMapping(base []float64, tasks, rank int, stream *rand.Rand) Mapping {
	const small, spread = 0.03, 1
	rows := func(n int, scale float64) [][]float64 {
		out := make([][]float64, n)
		for i := range out {
			out[i] = make([]float64, rank)
			for j := range out[i] {
				out[i][j] = scale * stream.NormFloat64()
			}
		}
		return out
	}
	return Mapping{Base: base, V1: rows(len(base), small), V2: rows(tasks, spread)}
}
