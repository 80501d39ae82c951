package particles

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Prior is a log density with its gradient.
type Prior interface {
	// LogDensity returns the log density at theta and adds its gradient to grad.
	LogDensity(theta, grad []float64) float64
}

// Normal is an independent normal prior of each number.
type Normal struct {
	mean, variance []float64
	constant       float64 // Σ ½ log 2π variance
}

// NewNormal returns the normal prior with those means and variances (not copied).
func NewNormal(mean, variance []float64) Normal {
	p := Normal{mean: mean, variance: variance}
	for _, v := range variance {
		p.constant += 0.5 * math.Log(2*math.Pi*v)
	}
	return p
}

// LogDensity returns the log density at theta and adds its gradient to grad.
func (p Normal) LogDensity(theta, grad []float64) float64 {
	var sum float64
	for i, v := range theta {
		u := v - p.mean[i]
		slope := u / p.variance[i]
		sum += u * slope
		grad[i] -= slope
	}
	return -0.5*sum - p.constant
}

// Mixture is the prior of a task after others: a kernel density estimate with a normal kernel around each particle of the last one (Zhang 2024, ch. 5). By itself it cannot be
// left where it misleads; see Learn.
type Mixture struct {
	Particles [][]float64
	Bandwidth []float64 // of each number, a standard deviation
}

// least is the least bandwidth: where all particles have the same number.
const leastBandwidth = 1e-3

// NewMixture returns the mixture of the particles (not copied) with Silverman's bandwidth for each number: its standard deviation times
// (4/((D+2)V))^(1/(D+4)), at least 1e-3 (Silverman 1986, section 4.3.2).
func NewMixture(particles [][]float64) Mixture {
	v, d := len(particles), len(particles[0])
	factor := math.Pow(4/(float64(d+2)*float64(v)), 1/float64(d+4))
	p := Mixture{particles, make([]float64, d)}
	column := make([]float64, v)
	for i := range d {
		for k, theta := range particles {
			column[k] = theta[i]
		}
		deviation := 0.0
		if v > 1 {
			deviation = stat.StdDev(column, nil)
		}
		p.Bandwidth[i] = max(factor*deviation, leastBandwidth)
	}
	return p
}

// LogDensity returns the log density at theta and adds its gradient to grad. Cost O(VD).
func (p Mixture) LogDensity(theta, grad []float64) float64 {
	logs := make([]float64, len(p.Particles))
	for k, center := range p.Particles {
		for i, v := range theta {
			u := (v - center[i]) / p.Bandwidth[i]
			logs[k] -= 0.5 * u * u
		}
	}
	total := floats.LogSumExp(logs)
	for k, center := range p.Particles {
		weight := math.Exp(logs[k] - total)
		if weight == 0 {
			continue
		}
		for i, v := range theta {
			grad[i] -= weight * (v - center[i]) / (p.Bandwidth[i] * p.Bandwidth[i])
		}
	}
	total -= math.Log(float64(len(p.Particles)))
	for _, b := range p.Bandwidth {
		total -= math.Log(b) + 0.5*math.Log(2*math.Pi)
	}
	return total
}
