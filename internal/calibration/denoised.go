package calibration

// LeastThreshold is 2Q(3.4), the least threshold that a calibrated likelihood is built with: its set reaches 3.4 standard
// deviations to both sides.
const LeastThreshold = 0.000673858531354

// Denoised is the distribution of f(x) when the likelihood of its noisy observation y' is calibrated (Kim et al. 2025, eq. 28-29,
// with the corrections that make it a density). With τ² = Variance + Noise and 2Q(z) = Threshold, y' has 1-Alpha of its
// mass uniform on Mean ± zτ and the rest in the tails of N(Mean, τ²); f given y' is the Gaussian posterior. The distribution is
// symmetric about Mean: calibration changes the spread, never the mean.
//
// The threshold is used clipped to [LeastThreshold, 1]. At 1 the inner part is N(Mean, Variance·Noise/τ²). Variance and
// Noise below 0 count as 0. Without variance all mass is at Mean. No method allocates; all work in units of τ, so the
// scale of the problem does not matter.
type Denoised struct {
	Mean      float64 // of f(x)
	Variance  float64 // posterior variance of f(x), ≥ 0
	Noise     float64 // variance of the observation noise, ≥ 0
	Alpha     float64 // mass outside the set, in (0,1)
	Threshold float64 // λ(x), any number
}

// variance is Var in units of τ².
func (l standardDenoised) variance() float64 {
	outer := 1 + 2*l.z*normalPDF(l.z)/l.lm
	return l.r * l.r * (l.r*l.r*((1-l.alpha)*l.z*l.z/3+l.alpha*outer) + l.q*l.q)
}
