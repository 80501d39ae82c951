package fidelity

import "math"

// packed is the number of entries of the lower triangle of a matrix with n rows. Entry (i, j) is at packed(i) + j.
func packed(n int) int { return n * (n + 1) / 2 }

// cholesky overwrites the lower triangle of a Hermitian matrix of n rows with its factor L, a = L L*, whose diagonal is real, and
// returns the determinant of a. It returns 0 where a is not positive definite to rounding. Cost n³/6 complex multiplications.
func cholesky(a []complex128, n int) (determinant float64) {
	determinant = 1
	for i := range n {
		row := a[packed(i) : packed(i)+i+1]
		square := 0.0
		for j := range i {
			other := a[packed(j) : packed(j)+j+1]
			sum := row[j]
			for k, v := range other[:j] {
				sum -= row[k] * complex(real(v), -imag(v))
			}
			inverse := 1 / real(other[j])
			row[j] = complex(real(sum)*inverse, imag(sum)*inverse)
			square += real(row[j])*real(row[j]) + imag(row[j])*imag(row[j])
		}
		pivot := real(row[i]) - square
		if !(pivot > 0) {
			return 0
		}
		determinant *= pivot
		row[i] = complex(math.Sqrt(pivot), 0)
	}
	return determinant
}
