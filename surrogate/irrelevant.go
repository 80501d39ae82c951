package surrogate

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Of many parameters few may matter. A log-normal law of lengthscales does not say so: it draws those of the others back to lengths at which they
// all blur what is learned. Where FitOptions.Irrelevant is set, a lengthscale is with that chance one of an irrelevant parameter, and otherwise as the law says
// (a prior of spikes and slabs; Mitchell & Beauchamp 1988, much as that of Eriksson & Jankowiak 2021 in its aim).
const (
	irrelevantLength = 50 // sides of the cube: a function that differs by two percent of what it may from one end to the other
	irrelevantSpread = 1  // standard deviation of the logarithm
)

// orIrrelevant returns the logarithm of the density of the logarithm u of a lengthscale, and its derivative, where it is irrelevant with this chance. The
// law of the others has the place of its mode and its deviation in u: the density of a logarithm does not depend on the unit.
func (p Hyperprior) orIrrelevant(chance, u float64) (value, slope float64) {
	normal := func(weight, mean, deviation float64) (value, slope float64) {
		z := (u - mean) / deviation
		return math.Log(weight/deviation) - 0.5*(z*z+logTwoPi), -z / deviation
	}
	relevant, bySlab := normal(1-chance, math.Log(p.Mode()), p.Sigma)
	irrelevant, bySpike := normal(chance, math.Log(irrelevantLength), irrelevantSpread)
	value = floats.LogSumExp([]float64{relevant, irrelevant})
	return value, math.Exp(relevant-value)*bySlab + math.Exp(irrelevant-value)*bySpike
}
