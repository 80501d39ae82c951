package calibration

import (
	"math"
	"slices"
	"sort"

	"github.com/tarry-bo/tarry/internal/check"
)

// Isotonic returns the non-decreasing numbers that are nearest to y in the sum of squares, by pooling adjacent
// violators (Ayer et al. 1955): runs that decrease are replaced by their mean until none is left. What does not decrease
// comes back unchanged to the bit. The result is written to dst if that has the length of y, and to a new slice if it is
// nil; dst may be y. Cost O(len(y)).
func Isotonic(dst, y []float64) []float64 {
	switch len(dst) {
	case len(y):
	case 0:
		dst = make([]float64, len(y))
	default:
		panic("calibration: Isotonic: dst has the wrong length")
	}
	type block struct {
		sum, mean float64
		size      int
	}
	blocks := make([]block, 0, len(y))
	for _, v := range y {
		b := block{v, v, 1}
		for n := len(blocks); n > 0 && blocks[n-1].mean > b.mean; n-- {
			b.sum += blocks[n-1].sum
			b.size += blocks[n-1].size
			b.mean = b.sum / float64(b.size)
			blocks = blocks[:n-1]
		}
		blocks = append(blocks, b)
	}
	i := 0
	for _, b := range blocks {
		for range b.size {
			dst[i] = b.mean
			i++
		}
	}
	return dst
}

// Map is a non-decreasing map R of [0,1] onto itself, linear between the points (P[i], Q[i]): P increases strictly from 0
// to 1, and Q is non-decreasing, also from 0 to 1. The corrected p-quantile of a forecast is its R(p)-quantile. Maps come
// from Identity, Batch and Recalibrator; they are only read.
type Map struct {
	P, Q []float64
}

// IdentityMap returns the map of a model that is believed.
func IdentityMap() Map { return Map{P: []float64{0, 1}, Q: []float64{0, 1}} }

// At returns R(p); p outside [0,1] counts as the nearer end, NaN gives NaN. Cost O(log M).
func (m Map) At(p float64) float64 {
	p = unit(p)
	if math.IsNaN(p) {
		return p
	}
	k := sort.SearchFloat64s(m.P, p)
	if m.P[k] == p {
		return m.Q[k]
	}
	share := (p - m.P[k-1]) / (m.P[k] - m.P[k-1])
	return min(m.Q[k-1]+share*(m.Q[k]-m.Q[k-1]), m.Q[k])
}

// add appends a point.
func (m *Map) add(p, q float64) {
	m.P, m.Q = append(m.P, p), append(m.Q, q)
}

// Batch returns the map of a calibration set without regard to its order: at each level p
//
//	R(p) = (n·R̂(p) + strength·p) / (n + strength)
//
// with the empirical p-quantile R̂ of the n PITs, which minimizes their pinball loss at p (the middle one of several
// minimizers), shrunk to the identity as if by strength further PITs without error; 5 is a reasonable strength. Levels
// increase in (0,1), PITs lie in [0,1], strength is at least 0; without PITs the map is the identity.
// Cost O(n log n + M).
func Batch(pits, levels []float64, strength float64) (Map, error) {
	var l check.List
	l.Require(within01(pits), "pits", pits, "numbers in [0,1]")
	l.Require(validLevels(levels), "levels", levels, "increasing levels in (0,1), at least one")
	l.NotNegative("strength", strength)
	if err := l.Err(); err != nil {
		return Map{}, err
	}
	if len(pits) == 0 {
		return IdentityMap(), nil
	}
	sorted, n := slices.Sorted(slices.Values(pits)), float64(len(pits))
	var m Map
	m.add(0, 0)
	for _, p := range levels {
		m.add(p, (n*empiricalQuantile(sorted, p)+strength*p)/(n+strength))
	}
	m.add(1, 1)
	return m, nil
}

// empiricalQuantile is the empirical p-quantile of sorted numbers: between two ranks it is the upper one, at a rank the middle of
// the flat piece of the pinball loss that starts there.
func empiricalQuantile(sorted []float64, p float64) float64 {
	rank := p * float64(len(sorted))
	whole := math.Round(rank)
	if math.Abs(rank-whole) > rankTolerance*float64(len(sorted)) {
		return sorted[int(math.Ceil(rank))-1]
	}
	k := int(whole)
	return (sorted[max(k-1, 0)] + sorted[min(k, len(sorted)-1)]) / 2
}
