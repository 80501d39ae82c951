package acquisition

import "math"

// ParticleInformation returns an upper bound of what a value tells about which of several equally probable models is right, in nats:
// ½ (log of the variance of their mixture − mean log of their variances), since of all laws with one variance the normal one has the
// greatest entropy (Zhang 2024, eq. 5.36, with the noise in both logarithms). The models predict the value with these means and these
// variances, each with its own noise. It is 0 for one model and for none, and never negative. Cost O(V) for V models.
func ParticleInformation(means, variances []float64) float64 {
	return mixtureOf(means, variances).information
}

// ofMixture are the moments of a mixture of equally probable normal laws, and what a value tells about which of them it is of.
type ofMixture struct{ mean, variance, information float64 }

// mixtureOf computes them. With δ = variance/(variance of the mixture) − 1, whose mean is less than 0 by what the means differ, the
// information is ½ (−mean δ + mean(δ − log(1 + δ))): two terms that are not negative, however alike the models are.
func mixtureOf(means, variances []float64) ofMixture {
	if len(means) < 2 {
		return ofMixture{}
	}
	count := float64(len(means))
	var mean, within, between, excess float64 // the first two less those of the first model, so that equal ones stay so
	for i, m := range means {
		mean += (m - means[0]) / count
		within += (max(variances[i], minVariance) - max(variances[0], minVariance)) / count
	}
	mean, within = mean+means[0], within+max(variances[0], minVariance)
	for _, m := range means {
		between += (m - mean) * (m - mean) / count
	}
	all := within + between
	for _, own := range variances {
		excess += excessOfLog((max(own, minVariance)-all)/all, max(own, minVariance)/all) / count
	}
	return ofMixture{mean, all, (between/all + excess) / 2}
}

// slopes returns the derivatives of the information by the mean and by the variance of one of count models.
func (m ofMixture) slopes(mean, variance, count float64) (dmean, dvariance float64) {
	if variance > minVariance {
		dvariance = (variance - m.variance) / (variance * m.variance) / (2 * count)
	}
	return (mean - m.mean) / (count * m.variance), dvariance
}

// excessOfLog returns δ − log(1 + δ) ≥ 0, with all digits where δ is small. ratio is 1 + δ.
func excessOfLog(delta, ratio float64) float64 {
	if math.Abs(delta) < 1e-3 {
		return delta * delta * (1./2 - delta*(1./3-delta*(1./4-delta*(1./5-delta/6))))
	}
	return delta - math.Log(ratio)
}
