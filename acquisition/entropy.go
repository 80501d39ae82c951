package acquisition

import "math"

// A query at x tells something about the maximum f* of the function: the entropy of its value falls when f* is told, since the value of
// the function cannot be above (Wang & Jegelka 2017). All gains are in nats. They depend on γ = (f* − μ)/σ, how far the maximum is above
// the posterior mean of what is maximized, in its latent standard deviations, and on ρ, the correlation between the value that comes
// back and the function: σ/√(σ² + λ) under noise of variance λ, and less for a value of another fidelity.

// cutOff is what a standard normal law is when it is cut off above at γ.
type cutOff struct {
	hazard   float64 // R = φ(γ)/Φ(γ), the distance of its mean below 0
	gap      float64 // γ + R, the distance of its mean below γ
	variance float64 // 1 − R·(γ + R)
	bend     float64 // variance − gap², so that the derivative of the variance by γ is −R·bend
}

// farBelow is the γ below which the differences above have lost so many digits that series in 1/γ² are better.
const farBelow = -20

// cutOffAt returns it for any γ: the bend to seven digits, the rest to ten.
func cutOffAt(gam float64) cutOff {
	switch {
	case gam > -1:
		r := hazard(gam)
		gap := gam + r
		variance := 1 - r*gap
		return cutOff{r, gap, variance, variance - gap*gap}
	case gam > farBelow:
		r := hazard(gam)
		gap := shortfall(gam) * r
		variance := 1 - r*gap
		return cutOff{r, gap, variance, variance - gap*gap}
	}
	// R = a + 1/a − 2/a³ + 10/a⁵ − … with a = −γ, whose derivative is 1 − variance.
	a, s := -gam, 1/(gam*gam)
	gap := (1 - s*(2-s*(10-s*(74-s*(706-s*(8162-s*110410)))))) / a
	variance := s * (1 - s*(6-s*(50-s*(518-s*(6354-s*(89782-s*1435330))))))
	bend := s * s * (-2 + s*(26-s*(330-s*(4546-s*(69154-s*(1162266-s*21499754))))))
	return cutOff{a + gap, gap, variance, bend}
}

// EntropyGain returns what a value without noise tells about the maximum, γR/2 − log Φ(γ) with R = φ(γ)/Φ(γ), and its derivative by γ
// (Wang & Jegelka 2017, eq. 6). It falls from log|γ| + 0.42 far below 0 to nothing far above. Cost O(1).
func EntropyGain(gam float64) (gain, dgam float64) {
	c := cutOffAt(gam)
	dgam = -c.hazard / 2 * (c.variance + c.gap*c.gap)
	if gam > -1 {
		return gam*c.hazard/2 - logNormalCDF(gam), dgam
	}
	return math.Log(c.hazard) + logSqrt2Pi + gam*c.gap/2, dgam // the same without γ², which cancels
}

// MatchedGain returns a lower bound of what a value tells about the maximum, −½ log(1 − ρ²R(γ + R)), and its derivatives by γ and by
// ρ: the gain if the value, told the maximum, were normal with the variance that it has then (Moss et al. 2021, GIBBON, for one
// point). The mean and the variance behind γ are those of the target; ρ in [−1, 1] is the correlation of what is observed with it.
// Cost O(1).
func MatchedGain(gam, rho float64) (gain, dgam, drho float64) {
	c := cutOffAt(gam)
	left := (1-rho)*(1+rho) + rho*rho*c.variance // of the variance
	if told := c.hazard * c.gap; told < 0.5 {
		gain = -math.Log1p(-rho*rho*told) / 2
	} else {
		gain = -math.Log(left) / 2
	}
	return gain, rho * rho * c.hazard * c.bend / (2 * left), rho * c.hazard * c.gap / left
}

// logMatchedGain returns the logarithm of MatchedGain, which is finite where the gain itself is zero in floating point, and its
// derivatives by γ and by log ρ². kept is 1 − ρ².
func logMatchedGain(gam, rho2, kept float64) (value, dgam, dlog float64) {
	c := cutOffAt(gam)
	logTold := math.Log(c.gap) + math.Log(rho2)
	if gam > -1 {
		logTold += logNormalPDF(gam) - logNormalCDF(gam)
	} else {
		logTold += math.Log(c.hazard)
	}
	told, left := rho2*c.hazard*c.gap, kept+rho2*c.variance
	if told < 1e-8 {
		return logTold - math.Ln2, c.bend / c.gap, 1
	}
	twice := -math.Log1p(-told)
	if told > 0.5 {
		twice = -math.Log(left)
	}
	share := told / (left * twice)
	return math.Log(twice / 2), share * c.bend / c.gap, share
}
