package acquisition

import "math"

// LogEntropyGain is the logarithm of what a noisy value tells about the maximum of the function, in nats: the mean over some samples of
// the maximum (max-value entropy search, Wang & Jegelka 2017; under noise Takeno et al. 2020, and Moss et al. 2021 for Matched). It has
// usable slopes where the gain is zero in floating point.
type LogEntropyGain struct {
	Maxima  []float64 // samples of the maximum, at least one, in the model's units
	Noise   float64   // variance of the noise
	Matched bool      // the lower bound MatchedGain in place of the gain itself
}

// Of returns the logarithm of the gain. Cost O(S) for S samples.
func (f LogEntropyGain) Of(mean, variance float64) float64 {
	value, _, _ := f.Slopes(mean, variance)
	return value
}

// Slopes returns the logarithm of the gain and its derivatives.
func (f LogEntropyGain) Slopes(mean, variance float64) (value, dmean, dvariance float64) {
	known := max(variance, minVariance)
	sd, all := math.Sqrt(known), known+f.Noise
	rho2, kept := known/all, f.Noise/all
	value = math.Inf(-1)
	for _, greatest := range f.Maxima {
		gam := (greatest - mean) / sd
		own, dgam, dlog := f.gain(gam, rho2, kept)
		ownMean, ownVariance := -dgam/sd, -dgam*gam/(2*known)+dlog*kept/known
		value, dmean, dvariance = blend(value, own, dmean, ownMean, dvariance, ownVariance)
	}
	if variance <= minVariance {
		dvariance = 0
	}
	return value - math.Log(float64(len(f.Maxima))), dmean, dvariance
}

func (f LogEntropyGain) gain(gam, rho2, kept float64) (value, dgam, dlog float64) {
	if f.Matched {
		return logMatchedGain(gam, rho2, kept)
	}
	return logEntropyGainNoisy(gam, rho2, kept)
}

// blend adds a term e^own to a sum e^sum, each with two derivatives of its logarithm.
func blend(sum, own, a, ownA, b, ownB float64) (value, da, db float64) {
	switch {
	case math.IsInf(own, -1):
		return sum, a, b
	case math.IsInf(sum, -1):
		return own, ownA, ownB
	}
	share := 1 / (1 + math.Exp(sum-own)) // of the term
	return max(sum, own) + math.Log1p(math.Exp(-math.Abs(sum-own))), a + share*(ownA-a), b + share*(ownB-b)
}
