package acquisition

import "gonum.org/v1/gonum/mathext"

// Quantile is the P-quantile μ + Φ⁻¹(P)·σ of the posterior, an upper confidence bound whose width is stated as a
// probability. With P growing as 1 − 1/t it is Bayes-UCB (Kaufmann et al. 2012). σ² is the variance of the latent
// function plus Noise.
type Quantile struct {
	P     float64 // probability, 0 < P < 1; above 1/2 the quantile grows with σ
	Noise float64 // variance added to the latent one: 0 for the latent σ, λ for the predictive σ
}

// Of returns the quantile.
func (f Quantile) Of(mean, variance float64) float64 { return f.bound().Of(mean, variance) }

// Slopes returns the quantile, 1 and Φ⁻¹(P)/(2σ).
func (f Quantile) Slopes(mean, variance float64) (value, dmean, dvariance float64) {
	return f.bound().Slopes(mean, variance)
}

// bound is the same utility as a multiple of the standard deviation. P outside [0, 1] is a bug and panics.
func (f Quantile) bound() UpperConfidenceBound {
	if !(f.P >= 0 && f.P <= 1) {
		panic("acquisition: Quantile: P is not a probability")
	}
	return UpperConfidenceBound{Beta: mathext.NormalQuantile(f.P), Noise: f.Noise}
}
