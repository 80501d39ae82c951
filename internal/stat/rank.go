package stat

import (
	"cmp"
	"slices"
)

// Ranks returns the rank of each value among all, 1 for the least; values that are equal share the mean of their ranks. There
// must be no NaN. Cost O(n log n).
func Ranks(values []float64) []float64 {
	order := inOrder(values)
	out := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+1+to) / 2
		}
		from = to
	}
	return out
}

// Holm returns the p-values adjusted for having looked at all of them (Holm 1979): where only those below a level are believed,
// the chance that any of them is believed wrongly is at most that level. The j-th smallest of n becomes the largest of
// (n − i + 1) p_i over i ≤ j, at most 1. There must be no NaN. Cost O(n log n).
func Holm(p []float64) []float64 {
	out := make([]float64, len(p))
	largest := 0.0
	for j, i := range inOrder(p) {
		largest = max(largest, float64(len(p)-j)*p[i])
		out[i] = min(largest, 1)
	}
	return out
}

// inOrder returns the places of the values from the least to the greatest, equal ones as they came.
func inOrder(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	return order
}

// Different returns values without those that are equal to an earlier one. Cost O(n).
func Different(values []float64) []float64 {
	seen := make(map[float64]bool, len(values))
	return slices.DeleteFunc(slices.Clone(values), func(v float64) bool {
		again := seen[v]
		seen[v] = true
		return again
	})
}
