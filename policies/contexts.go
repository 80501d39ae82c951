package policies

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/space"
)

// What is the best of one context says nothing of what can be had at another: where a row of the model is compared with others, or
// something is to be better than it, its action is looked at as it is at the context of the view.

// contextRows is how many rows are looked at so, those whose contexts are nearest to that of the view.
const contextRows = 256

// contextual reports whether the view is at a context.
func (v View) contextual() bool { return len(v.Space.Contexts()) > 0 && len(v.Context) > 0 }

// here is a point with the context of the view, at the greatest fidelity.
func (v View) here(x space.Unit) space.Unit {
	x = slices.Clone(x)
	for j, k := range v.Space.Held() {
		x[k] = v.Context[j]
	}
	return v.Space.AtTarget(v.Space.Canonical(x))
}

// meansHere are the means at the rows of the model at the context of the view; rows whose contexts are farther away, and those to be skipped, have the least of them.
// Cost O(n·d) for each of the nearest.
func (v View) meansHere(skip []int) []float64 {
	means := make([]float64, v.Posterior.Len())
	near := v.nearest(skip)
	least := math.Inf(1)
	for _, i := range near {
		means[i] = v.Posterior.Mean(v.here(v.Posterior.X(i)))
		least = min(least, means[i])
	}
	for i := range means {
		if _, found := slices.BinarySearch(near, i); !found {
			means[i] = least
		}
	}
	return means
}

// nearest are the rows whose contexts are nearest to that of the view, ascending, but for those to be skipped.
func (v View) nearest(skip []int) []int {
	rows, far := make([]int, v.Posterior.Len()), make([]float64, v.Posterior.Len())
	contexts := v.Space.Contexts()
	for i := range rows {
		rows[i] = i
		for j, k := range v.Space.Held() {
			if slices.Contains(contexts, k) {
				far[i] = max(far[i], math.Abs(v.Posterior.X(i)[k]-v.Context[j]))
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(far[a], far[b]) })
	rows = rows[:min(contextRows, len(rows))]
	slices.Sort(rows)
	return rows
}
