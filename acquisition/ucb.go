package acquisition

import (
	"math"

	"github.com/tarry-bo/tarry/surrogate"
)

// UCB is the upper confidence bound μ(x) + Beta·σ(x) (Srinivas et al. 2010). σ² is the variance of the latent
// function plus Noise.
type UCB struct {
	Posterior *surrogate.Posterior
	Beta      float64 // multiplies the standard deviation
	Noise     float64 // variance added to the latent one: 0 for the latent σ, λ for the predictive σ
}

// Value returns μ + Beta·σ. Cost O(n²).
func (f UCB) Value(x []float64) float64 {
	mean, variance := f.Posterior.Predict(x)
	return f.Of(mean, variance)
}

// Of returns the bound from a latent mean and variance.
func (f UCB) Of(mean, variance float64) float64 { return mean + f.Beta*math.Sqrt(variance+f.Noise) }

// Gradient returns the bound and its derivatives. Where σ is zero the derivative of σ is taken as zero.
func (f UCB) Gradient(x, grad []float64) float64 {
	dvariance := make([]float64, len(x))
	mean, variance := f.Posterior.PredictGrad(x, grad, dvariance)
	if sd := math.Sqrt(variance + f.Noise); sd > 0 {
		for j, d := range dvariance {
			grad[j] += f.Beta * d / (2 * sd)
		}
	}
	return f.Of(mean, variance)
}
