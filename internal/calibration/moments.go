package calibration

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Moments returns mean and variance of the distribution whose quantiles are Φ⁻¹(m(p)), clipped as in RecalibratedNormal:
// what the map makes of N(0, 1). Of N(μ, σ²) it makes one of mean μ + σ·mean and variance σ²·variance. The identity gives 0
// and 1. Cost O(M) for M points of the map.
func (m Map) Moments() (mean, variance float64) {
	d := RecalibratedNormal{Stddev: 1, Map: m}
	mean = d.CalibratedMean()
	var square float64 // about the mean
	a := piece{x: math.Inf(-1)}
	for i, last := 1, d.last(); i <= last; i++ {
		b := piece{x: math.Inf(1), q: 1}
		if i < last {
			q := d.level(i)
			x := mathext.NormalQuantile(q)
			b = piece{x, q, normalPDF(x)}
		}
		square += (m.P[i] - m.P[i-1]) * a.square(b, mean)
		a = b
	}
	return mean, square
}

// square is the mean of (x - c)² under the normal distribution between a and b.
func (a piece) square(b piece, c float64) float64 {
	switch {
	case b.x <= a.x:
		return (a.x - c) * (a.x - c)
	case b.x-a.x < narrowPiece:
		var mass, sum float64
		half, mid := (b.x-a.x)/2, (a.x+b.x)/2
		for i, x := range legendreX {
			x = mid + half*x
			w := legendreW[i] * normalPDF(x)
			mass += w
			sum += w * (x - c) * (x - c)
		}
		return sum / mass
	}
	w := 1 / (b.q - a.q)
	first := w * (a.pdf - b.pdf)
	second := 1 + w*(a.edge()-b.edge())
	return second - 2*c*first + c*c
}

// edge is xφ(x), 0 at infinity.
func (a piece) edge() float64 {
	if math.IsInf(a.x, 0) {
		return 0
	}
	return a.x * a.pdf
}
