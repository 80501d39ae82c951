package acquisition

import (
	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/space"
)

// Threshold is the threshold of the conformity score as a function on the unit cube. A set holds the values whose score
// is at least the threshold.
type Threshold interface {
	At(x space.Unit) float64
	// Gradient returns the threshold and writes its derivatives by x to grad.
	Gradient(x space.Unit, grad []float64) float64
}

// CalibratedLogExpectedImprovement is the logarithm of the expected improvement over Best, in closed form, where a
// localized threshold corrects the likelihood of values (Kim et al. 2025).
type CalibratedLogExpectedImprovement struct {
	Local Threshold // read only
	Alpha float64   // share of values that its sets may miss
	Noise float64   // variance of the noise
	Best  float64   // the value to improve on, in the model's units
}

func denoised(x space.Unit, mean, variance float64, local Threshold, alpha, noise float64) calibration.Denoised {
	return calibration.Denoised{Mean: mean, Variance: max(variance, minVariance), Noise: noise, Alpha: alpha, Threshold: local.At(x)}
}

// OfAt returns log EI. Cost O(t·d) for t answers, besides a quadrature of fixed size.
func (f CalibratedLogExpectedImprovement) OfAt(x space.Unit, mean, variance float64) float64 {
	return denoised(x, mean, variance, f.Local, f.Alpha, f.Noise).LogExpectedImprovement(f.Best)
}

// SlopesAt returns log EI and its derivatives.
func (f CalibratedLogExpectedImprovement) SlopesAt(x space.Unit, mean, variance float64, dx []float64) (value, dmean, dvariance float64) {
	d := denoised(x, mean, variance, f.Local, f.Alpha, f.Noise)
	value, dmean, dvariance, dthreshold := d.LogEISlopes(f.Best)
	place(f.Local, x, dx, dthreshold)
	return value, dmean, known(variance, dvariance)
}

// CalibratedQuantile is the P-quantile of the corrected posterior.
type CalibratedQuantile struct {
	Local Threshold // read only
	Alpha float64   // share of values that its sets may miss
	Noise float64   // variance of the noise
	P     float64   // level, in (0, 1)
}

// OfAt returns the quantile. Cost O(t·d) for t answers, besides some steps of Newton's method.
func (f CalibratedQuantile) OfAt(x space.Unit, mean, variance float64) float64 {
	return denoised(x, mean, variance, f.Local, f.Alpha, f.Noise).Quantile(f.P)
}

// SlopesAt returns the quantile and its derivatives.
func (f CalibratedQuantile) SlopesAt(x space.Unit, mean, variance float64, dx []float64) (value, dmean, dvariance float64) {
	d := denoised(x, mean, variance, f.Local, f.Alpha, f.Noise)
	value, dmean, dvariance, dthreshold := d.QuantileSlopes(f.P)
	place(f.Local, x, dx, dthreshold)
	return value, dmean, known(variance, dvariance)
}

// place writes the derivative by x that comes from the threshold.
func place(local Threshold, x space.Unit, dx []float64, dthreshold float64) {
	local.Gradient(x, dx)
	for j := range dx {
		dx[j] *= dthreshold
	}
}

// known is a derivative by the variance, 0 where that was lifted to the least one.
func known(variance, dvariance float64) float64 {
	if variance < minVariance {
		return 0
	}
	return dvariance
}
