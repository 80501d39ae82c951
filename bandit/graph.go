package bandit

import "math"

// Degrees returns how many nodes of a directed graph have each in-degree, from 0 to n - 1, given which edges i → j there are. The source
// leaves out the nodes of in-degree 0, and with them every graph without edges.
func Degrees(edges [][]bool) []float64 {
	out := make([]float64, len(edges))
	for j := range edges {
		in := 0
		for i := range edges {
			if i != j && edges[i][j] {
				in++
			}
		}
		out[in]++
	}
	return out
}

// Cosine returns the cosine of the angle between two vectors of features, a kernel; 1 where both are zero, and 0 where one is. Features may be as
// large and as small as numbers are.
func Cosine(a, b []float64) float64 {
	am, ae := largest(a)
	bm, be := largest(b)
	switch {
	case am == 0 && bm == 0:
		return 1
	case am == 0 || bm == 0:
		return 0
	}
	var ab, aa, bb float64
	for i := range a {
		u, v := math.Ldexp(a[i], -ae), math.Ldexp(b[i], -be) // squares of what is not scaled may overflow, or vanish
		ab += u * v
		aa += u * u
		bb += v * v
	}
	return ab / math.Sqrt(aa) / math.Sqrt(bb)
}

// largest returns the largest absolute value, and its power of two.
func largest(v []float64) (most float64, exponent int) {
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	_, exponent = math.Frexp(most)
	return most, exponent
}
