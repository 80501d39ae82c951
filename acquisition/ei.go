package acquisition

import (
	"math"

	"github.com/tarry-bo/tarry/surrogate"
)

// ExpectedImprovement returns E[max(f − best − xi, 0)] for f ~ N(mean, sd²): sd·h(d) with h(d) = φ(d) + d·Φ(d) and
// d = (mean − best − xi)/sd (Mockus 1975). Without spread it is max(mean − best − xi, 0).
func ExpectedImprovement(mean, sd, best, xi float64) float64 {
	if sd <= 0 {
		return max(mean-best-xi, 0)
	}
	return sd * math.Exp(LogH((mean-best-xi)/sd))
}

// ProbabilityOfImprovement returns P(f > best + xi) for f ~ N(mean, sd²) (Kushner 1964).
func ProbabilityOfImprovement(mean, sd, best, xi float64) float64 {
	if sd <= 0 {
		if mean > best+xi {
			return 1
		}
		return 0
	}
	return normalCDF((mean - best - xi) / sd)
}

// LogH returns log h(d) = log(φ(d) + d·Φ(d)) without cancellation over the whole line, so that neither the value nor
// the derivative of log EI ever vanishes (Ament et al. 2023).
func LogH(d float64) float64 {
	switch {
	case d > -1:
		return math.Log(normalPDF(d) + d*normalCDF(d))
	case d > -300:
		return logNormalPDF(d) + math.Log1p(d*mills(d))
	}
	// 1 + d·R(d) in powers of 1/d²; the direct form cancels completely here.
	s := 1 / (d * d)
	return logNormalPDF(d) + math.Log(s*(1-s*(3-s*(15-105*s))))
}

// LogEI is the logarithm of expected improvement over Best. It has the same maximizers and usable gradients.
type LogEI struct {
	Posterior *surrogate.Posterior
	Best      float64 // the value to improve on, in the model's units
}

// minStddev keeps log EI finite at points whose value is known exactly.
const minStddev = 1e-12

// Value returns log EI at x. Cost O(n²).
func (f LogEI) Value(x []float64) float64 {
	mean, variance := f.Posterior.Predict(x)
	return f.Of(mean, variance)
}

// Of returns log EI from a latent mean and variance.
func (f LogEI) Of(mean, variance float64) float64 {
	sd := max(math.Sqrt(variance), minStddev)
	return math.Log(sd) + LogH((mean-f.Best)/sd)
}

// Gradient returns log EI and its derivatives: ∂ log EI = (Φ(d)·∂μ + φ(d)·∂σ) / (σ·h(d)).
func (f LogEI) Gradient(x, grad []float64) float64 {
	dvariance := make([]float64, len(x))
	mean, variance := f.Posterior.PredictGrad(x, grad, dvariance)
	sd := max(math.Sqrt(variance), minStddev)
	d := (mean - f.Best) / sd
	logH := LogH(d)
	cdf := math.Exp(logNormalCDF(d)-logH) / sd
	pdf := math.Exp(logNormalPDF(d)-logH) / sd
	for j := range grad {
		grad[j] = cdf*grad[j] + pdf*dvariance[j]/(2*sd)
	}
	return math.Log(sd) + logH
}
