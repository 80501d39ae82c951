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

// Cosine returns the cosine of the angle between two vectors of features, a kernel; 1 where both are zero, and 0 where one is.
func Cosine(a, b []float64) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += a[i] * b[i]
		aa += a[i] * a[i]
		bb += b[i] * b[i]
	}
	switch {
	case aa == 0 && bb == 0:
		return 1
	case aa == 0 || bb == 0:
		return 0
	}
	return ab / math.Sqrt(aa) / math.Sqrt(bb)
}
