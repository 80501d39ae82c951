package acquisition

import "math"

// LogH returns log h(d) = log(φ(d) + d·Φ(d)) without cancellation over the whole line, so that neither the value nor
// the derivative of log EI ever vanishes (Ament et al. 2023).
func LogH(d float64) float64 {
	if d > -1 {
		return math.Log(normalPDF(d) + d*normalCDF(d))
	}
	return logNormalPDF(d) + math.Log(shortfall(d))
}

// shortfall is h(d)/φ(d) = 1 + d·Φ(d)/φ(d) for d ≤ −1.
func shortfall(d float64) float64 {
	if d > -300 {
		return 1 + d*mills(d)
	}
	// In powers of 1/d²; the direct form cancels completely here.
	s := 1 / (d * d)
	return s * (1 - s*(3-s*(15-105*s)))
}

// sharesOfH returns Φ(d)/h(d), the derivative of log h, and φ(d)/h(d). Both are quotients by φ(d) in the lower tail:
// differences of the logarithms, which are of order d², would have no digits left.
func sharesOfH(d float64) (cdf, pdf float64) {
	if d > -1 {
		pdf, cdf = normalPDF(d), normalCDF(d)
		h := pdf + d*cdf
		return cdf / h, pdf / h
	}
	h := shortfall(d)
	return mills(d) / h, 1 / h
}

// LogExpectedImprovement is the logarithm of the expected improvement over Best. It has the maximizers of the improvement
// itself, and usable slopes where the improvement is zero in floating point (Ament et al. 2023).
type LogExpectedImprovement struct {
	Best float64 // the value to improve on, in the model's units
}

// Of returns log EI = log σ + log h(d), finite at variance 0 too.
func (f LogExpectedImprovement) Of(mean, variance float64) float64 {
	sd := spread(variance)
	return math.Log(sd) + LogH((mean-f.Best)/sd)
}

// Slopes returns log EI, Φ(d)/(σ·h(d)) and φ(d)/(2σ²·h(d)).
func (f LogExpectedImprovement) Slopes(mean, variance float64) (value, dmean, dvariance float64) {
	sd := spread(variance)
	d := (mean - f.Best) / sd
	cdf, pdf := sharesOfH(d)
	if variance > minVariance {
		dvariance = pdf / (2 * variance)
	}
	return math.Log(sd) + LogH(d), cdf / sd, dvariance
}
