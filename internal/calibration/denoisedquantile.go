package calibration

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// settled is the relative step after which a quantile stands: the next Newton step would be its square.
const settled = 1e-11

// Quantile returns the p-quantile of f, the upper confidence bound of the calibrated distribution: ∓Inf at p = 0 and 1. It panics
// if p is not a probability.
func (d Denoised) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		panic("calibration: Denoised.Quantile: p is not a probability")
	}
	l := d.standard()
	t, _ := l.quantile(min(p, 1-p))
	return d.Mean + l.tau*math.Copysign(t, p-0.5)
}

// QuantileSlopes returns the p-quantile and its derivatives in Mean, Variance (Noise fixed) and Threshold, 0 < p < 1. The
// derivative in Threshold is 0 where that is clipped. Without variance only that in Mean, 1, is not 0.
func (d Denoised) QuantileSlopes(p float64) (value, dmean, dvariance, dthreshold float64) {
	if !(p > 0 && p < 1) {
		panic("calibration: Denoised.QuantileSlopes: p is not between 0 and 1")
	}
	l := d.standard()
	t, b := l.quantile(min(p, 1-p))
	side := math.Copysign(1, p-0.5)
	if b.density > 0 && !math.IsInf(b.density, 1) {
		// P(f > t) stays at min(p, 1-p) while its distribution changes.
		dvariance = side * b.massV / b.density / l.tau
		if !l.clipped {
			dthreshold = side * l.tau * (b.massL / b.density)
		}
	}
	return d.Mean + side*l.tau*t, 1, dvariance, dthreshold
}

// quantile returns c ≥ 0 with P(f > c) = p, p ≤ ½, and what is above it: Newton's method on the logarithm of P(f > c) from
// the quantile of a normal distribution with the same variance. Where a step leaves the bounds that close in, or the one
// before did not halve the error, since the distribution has corners, the bounds are halved.
func (l standardDenoised) quantile(p float64) (float64, beyond) {
	switch {
	case l.point():
		return 0, beyond{}
	case p == 0:
		return math.Inf(1), beyond{}
	case l.q == 0 && l.z == 0 && p >= l.alpha/2:
		return 0, beyond{} // within the mass at the mean
	}
	target := math.Log(p)
	low, high, before := 0.0, math.Inf(1), math.Inf(1)
	c := -mathext.NormalQuantile(p) * math.Sqrt(l.variance())
	b := l.above(c)
	for range 400 {
		miss := b.scale + math.Log(b.mass) - target
		if miss >= 0 {
			low = c
		} else {
			high = c
		}
		next := c + miss*b.mass/b.density
		within := next >= low && next <= high
		if within && math.Abs(next-c) <= settled*c {
			return next, b
		}
		if slow := math.Abs(miss) > before/2; !within || slow && !math.IsInf(high, 1) {
			next = low + (high-low)/2
			if math.IsInf(high, 1) {
				next = 2 * low
			}
		}
		if high-low <= settled*c || next == c {
			return next, b
		}
		before = math.Abs(miss)
		c = next
		b = l.above(c)
	}
	return c, b
}
