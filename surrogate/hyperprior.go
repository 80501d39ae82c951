package surrogate

import "math"

// Hyperprior is the prior of a hyperparameter: log-normal, the distribution of exp(Mu + Sigma z) for a standard normal z. In
// options the zero value stands for a default.
type Hyperprior struct{ Mu, Sigma float64 }

// LogDensity returns the logarithm of the density at v > 0, a density in v and not in log v.
func (p Hyperprior) LogDensity(v float64) float64 {
	u := (math.Log(v) - p.Mu) / p.Sigma
	return -math.Log(v) - math.Log(p.Sigma) - 0.5*math.Log(2*math.Pi) - 0.5*u*u
}

// slope returns the derivative of LogDensity with respect to log v.
func (p Hyperprior) slope(v float64) float64 {
	return -1 - (math.Log(v)-p.Mu)/(p.Sigma*p.Sigma)
}

// Mode returns the most likely value exp(Mu - Sigma²).
func (p Hyperprior) Mode() float64 { return math.Exp(p.Mu - p.Sigma*p.Sigma) }

// LengthscalePrior returns the prior of each lengthscale in dim dimensions, for points in the unit cube and standardized
// targets. Its location grows with √dim, as distances in the cube do (Hvarfner et al. 2024, "Vanilla Bayesian
// optimization performs great in high dimensions").
func LengthscalePrior(dim int) Hyperprior {
	return Hyperprior{Mu: math.Sqrt2 + 0.5*math.Log(float64(dim)), Sigma: sqrt3}
}

// NoisePrior returns the prior of the noise variance for standardized targets (same source).
func NoisePrior() Hyperprior { return Hyperprior{Mu: -4, Sigma: 1} }

// DecayPrior returns the prior of the decay g of a fidelity, with neighbors that correlate as exp(-g). A fit maximizes the density in g,
// which over log g is a normal one around the mode, with the deviation 1.5: at the mode neighbors correlate as 0.98, one deviation to
// either side as 0.996 and 0.92, two as 0.999 and 0.68. With a mode at which they correlate as 0.9 few queries were made at cheap
// fidelities, since values at different points tell little of the decay, and more was lost than where fidelities differ.
func DecayPrior() Hyperprior { return Hyperprior{Mu: -1.7, Sigma: 1.5} }

// RatioPrior returns the prior of the ratio of a warped coordinate. A fit maximizes the density in the ratio, which over its logarithm is a
// normal one around 1, with the deviation 4: a factor of 55 to either side.
func RatioPrior() Hyperprior { return Hyperprior{Mu: 16, Sigma: 4} }

// DefaultPrior returns the prior of standardized values before any data: the kernel of that name with noise and lengthscales
// at the modes of their hyperpriors, outputscale 1 and mean 0. An unknown name is an error.
func DefaultPrior(kernel string, dim int) (Prior, error) {
	k, err := NewKernel(kernel, dim)
	if err != nil {
		return Prior{}, err
	}
	return Prior{Kernel: k, Noise: NoisePrior().Mode()}, nil
}
