package acquisition

import "math"

// UpperConfidenceBound is the bound μ + Beta·σ (Srinivas et al. 2010). σ² is the variance of the latent function plus
// Noise.
type UpperConfidenceBound struct {
	Beta  float64 // multiplies the standard deviation
	Noise float64 // variance added to the latent one: 0 for the latent σ, λ for the predictive σ
}

// Of returns the bound.
func (f UpperConfidenceBound) Of(mean, variance float64) float64 {
	return mean + f.Beta*math.Sqrt(variance+f.Noise)
}

// Slopes returns the bound, 1 and Beta/(2σ).
func (f UpperConfidenceBound) Slopes(mean, variance float64) (value, dmean, dvariance float64) {
	if variance > 0 {
		dvariance = f.Beta / (2 * math.Sqrt(variance+f.Noise))
	}
	return f.Of(mean, variance), 1, dvariance
}
