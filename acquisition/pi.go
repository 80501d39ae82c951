package acquisition

// LogProbabilityOfImprovement is the logarithm of the probability that a value is better than Best by more than Xi
// (Kushner 1964). It has the maximizers of the probability itself, and neither its value nor its slopes vanish where an
// improvement is next to impossible.
type LogProbabilityOfImprovement struct {
	Best float64 // the value to improve on, in the model's units
	Xi   float64 // by how much, in the model's units
}

// Of returns log Φ(d), finite at variance 0 too.
func (f LogProbabilityOfImprovement) Of(mean, variance float64) float64 {
	return logNormalCDF(f.standardize(mean, variance))
}

// Slopes returns log Φ(d), φ(d)/(σΦ(d)) and −d·φ(d)/(2σ²Φ(d)).
func (f LogProbabilityOfImprovement) Slopes(mean, variance float64) (value, dmean, dvariance float64) {
	d := f.standardize(mean, variance)
	slope := hazard(d)
	if variance > minVariance {
		dvariance = -d * slope / (2 * variance)
	}
	return logNormalCDF(d), slope / spread(variance), dvariance
}

func (f LogProbabilityOfImprovement) standardize(mean, variance float64) float64 {
	return (mean - f.Best - f.Xi) / spread(variance)
}
