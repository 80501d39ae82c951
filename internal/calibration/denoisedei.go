package calibration

import "math"

// LogExpectedImprovement returns the logarithm of ExpectedImprovement. It is finite and falls with best however far best
// is above the mean, where the improvement itself underflows (compare Ament et al. 2023). Without variance it is the
// logarithm of max(Mean - best, 0), which may be -Inf: searches give points known exactly a small variance.
func (d Denoised) LogExpectedImprovement(best float64) float64 {
	l := d.standard()
	gain := d.Mean - best
	if l.point() {
		return math.Log(max(gain, 0))
	}
	value, _ := l.improvement(gain / l.tau)
	return math.Log(l.tau) + value
}

// improvement is the log of E[max(f + gain, 0)] in units of τ, with what is above |gain|, scaled so that its derivatives
// are shares of the improvement.
func (l standardDenoised) improvement(gain float64) (float64, beyond) {
	b := l.above(math.Abs(gain))
	if gain > 0 {
		// By symmetry E[(f+gain)+] = gain + E[(f-gain)+], and mass is that of the other side.
		b = b.times(math.Exp(b.scale))
		b.excess += gain
		b.mass = 1 - b.mass
		b.scale = 0
	}
	return b.scale + math.Log(b.excess), b.times(1 / b.excess)
}

// times multiplies all but the scale.
func (b beyond) times(c float64) beyond {
	return beyond{b.scale, c * b.excess, c * b.mass, c * b.density, c * b.excessV, c * b.excessL, c * b.massV, c * b.massL}
}

// LogEISlopes returns log expected improvement and its derivatives in Mean, Variance (Noise fixed) and Threshold. The
// derivative in Threshold is 0 where that is clipped. Without variance all derivatives are 0 but that in Mean,
// 1/(Mean - best) if that is positive. Beyond 1e50 standard deviations derivatives keep their signs only.
func (d Denoised) LogEISlopes(best float64) (value, dmean, dvariance, dthreshold float64) {
	l := d.standard()
	gain := d.Mean - best
	if l.point() {
		if gain > 0 {
			dmean = 1 / gain
		}
		return math.Log(max(gain, 0)), dmean, 0, 0
	}
	value, b := l.improvement(gain / l.tau)
	if !l.clipped {
		dthreshold = b.excessL
	}
	return math.Log(l.tau) + value, b.mass / l.tau, b.excessV / l.tau / l.tau, dthreshold
}
