package space

import "math/rand/v2"

// HaltonPoints returns n scrambled Halton points of the d-dimensional unit cube, an n×d matrix by rows. Owen 2017,
// "A randomized Halton algorithm": coordinate j is made of the digits of the point's index in the j-th prime as base, each permuted
// at random. Cost O(nd) times the number of digits of a float64, at most 53.
func HaltonPoints(n, d int, stream *rand.Rand) []Unit {
	points := cube(n, d)
	column := make([]float64, n)
	prime := 1
	for j := range d {
		prime = primeAfter(prime)
		radicalInverses(column, prime, stream)
		for i, v := range column {
			points[i][j] = v
		}
	}
	return points
}

// cube returns n points of d coordinates, all 0.
func cube(n, d int) []Unit {
	points, data := make([]Unit, n), make([]float64, n*d)
	for i := range points {
		points[i] = data[i*d : (i+1)*d : (i+1)*d]
	}
	return points
}

// radicalInverses fills dst with the scrambled radical inverses of 0, 1, 2, … to a base.
func radicalInverses(dst []float64, base int, stream *rand.Rand) {
	clear(dst)
	span := 1 // how many indices in a row have the same digit
	for weight := 1 / float64(base); 1-weight < 1; weight /= float64(base) {
		digits := stream.Perm(base)
		for first, k := 0, 0; first < len(dst); first, k = first+span, k+1 {
			some, add := dst[first:min(first+span, len(dst))], float64(digits[k%base])*weight
			for i := range some {
				some[i] += add
			}
		}
		if span < len(dst) {
			span *= base
		}
	}
}

func primeAfter(n int) int {
	for n++; ; n++ {
		prime := true
		for f := 2; f*f <= n && prime; f++ {
			prime = n%f != 0
		}
		if prime {
			return n
		}
	}
}
