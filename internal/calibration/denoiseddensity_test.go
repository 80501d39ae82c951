package calibration

import (
	"math"
	"math/rand/v2"
)

// LikelihoodDensity returns the calibrated density of y': (1-α)/(2zτ) on the closed set Mean ± zτ, and (α/λ) times the
// density of N(Mean, τ²) outside. It integrates to 1. At Threshold 1 the set is a point: +Inf there.
func (d Denoised) LikelihoodDensity(y float64) float64 {
	l := d.standard()
	t := math.Abs(l.away(y, d.Mean))
	switch {
	case t <= l.z:
		return (1 - l.alpha) / (2 * l.z) / l.tau
	case math.IsInf(t, 1):
		return 0
	}
	return l.alpha / l.lm * normalPDF(t) / l.tau
}

// Density returns the density of f. Where it has a point of positive mass, at Mean without variance or without noise at
// Threshold 1, it is +Inf.
func (d Denoised) Density(f float64) float64 {
	l := d.standard()
	t := math.Abs(l.away(f, d.Mean))
	if t == 0 && (l.point() || l.q == 0 && l.z == 0) {
		return math.Inf(1)
	}
	if l.point() {
		return 0
	}
	inner := l.inside(t)
	return (math.Exp(inner.scale)*inner.density + l.outerDensity(t)) / l.tau
}

// outerDensity is the density at c of the part from outside the set.
func (l standardDenoised) outerDensity(c float64) float64 {
	k := c / l.r
	outside := upperTail(l.ratio(l.z-l.r*k)) + upperTail(l.ratio(l.z+l.r*k)) // P(|Y| > z given X = k)
	return l.alpha / l.lm * normalPDF(k) / l.r * outside
}

// CDF returns P(f(x) ≤ f).
func (d Denoised) CDF(f float64) float64 {
	l := d.standard()
	t := l.away(f, d.Mean)
	switch {
	case t < 0:
		return l.upper(-t)
	case t >= 0:
		return 1 - l.upper(t)
	}
	return t
}

// upper is P(f > c) for c ≥ 0, and P(f ≥ c) for c > 0, where no point has mass.
func (l standardDenoised) upper(c float64) float64 {
	if l.point() {
		return 0
	}
	b := l.above(c)
	return math.Exp(b.scale) * b.mass
}

// Var returns the variance of f: (1-α)m²/3 + αa²τ²(1 + 2zφ(z)/λ) + s² with a = Variance/τ², m = azτ, s² = Noise·a.
func (d Denoised) Var() float64 {
	l := d.standard()
	if l.point() {
		return 0
	}
	return d.Variance * (l.variance() / (l.r * l.r))
}

// Draw returns a value of f: y' from the calibrated likelihood, then f given y'.
func (d Denoised) Draw(stream *rand.Rand) float64 {
	l := d.standard()
	if l.point() {
		return d.Mean
	}
	y := l.z * (2*stream.Float64() - 1)
	if stream.Float64() < l.alpha {
		y = math.Copysign(HalfWidth(l.lm*(1-stream.Float64())), y)
	}
	return d.Mean + l.tau*l.r*(l.r*y+l.q*stream.NormFloat64())
}

// away is the place of y.
func (l standardDenoised) away(y, mean float64) float64 {
	if y == mean {
		return 0
	}
	return (y - mean) / l.tau
}

// ExpectedImprovement returns E[max(f - best, 0)], ≥ 0. Relative accuracy is about 1e-12 wherever it does not underflow.
func (d Denoised) ExpectedImprovement(best float64) float64 {
	l := d.standard()
	gain := d.Mean - best
	if l.point() {
		return max(gain, 0)
	}
	b := l.above(math.Abs(gain / l.tau))
	return max(gain, 0) + l.tau*(math.Exp(b.scale)*b.excess)
}
