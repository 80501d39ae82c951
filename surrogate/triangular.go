package surrogate

import "gonum.org/v1/gonum/floats"

// A lower triangular matrix is kept as its rows; row i has length i+1. Both substitutions walk along rows, so that the
// inner loops are gonum's assembly on contiguous memory.

// forward replaces b by L⁻¹ b, where the entries of b before first are known to be zero. Cost n² flops.
func forward(rows [][]float64, b []float64, first int) {
	for i := first; i < len(rows); i++ {
		row := rows[i]
		b[i] = (b[i] - floats.Dot(row[first:i], b[first:i])) / row[i]
	}
}

// backward replaces b by L⁻ᵀ b. Cost n² flops.
func backward(rows [][]float64, b []float64) {
	for i := len(rows) - 1; i >= 0; i-- {
		row := rows[i]
		b[i] /= row[i]
		floats.AddScaled(b[:i], -b[i], row[:i])
	}
}

// border turns the last row of a covariance matrix (covariances with the earlier points, then the variance including
// noise) into the last row of its factor, all but the root of the pivot, which it returns: what is left of the
// variance once the earlier points are known. Rasmussen & Williams 2006, section A.4; cost n² flops.
func border(rows [][]float64, row []float64) float64 {
	n := len(rows)
	forward(rows, row[:n], 0)
	return row[n] - floats.Dot(row[:n], row[:n])
}
