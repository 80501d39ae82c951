package acquisition

import (
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// SamplePath is a draw from the posterior as a function to be maximized: Thompson sampling. Nu stretches the distance of
// the draw from the mean: μ(x) + Nu·(f(x) − μ(x)), which is distributed as GP(μ, Nu²·k) when f ~ GP(μ, k).
type SamplePath struct {
	Posterior *surrogate.Posterior
	Path      *surrogate.Path
	Nu        float64
}

// Value returns the stretched draw at x. With Nu = 1 the cost is O(n + M) for M random features, otherwise the
// posterior mean is added to it.
func (f SamplePath) Value(x space.Unit) float64 {
	if f.Nu == 1 {
		return f.Path.At(x)
	}
	mean := f.Posterior.Mean(x)
	return mean + f.Nu*(f.Path.At(x)-mean)
}

// Gradient returns the stretched draw at x and its derivatives.
func (f SamplePath) Gradient(x space.Unit, grad []float64) float64 {
	value := f.Path.Grad(x, grad)
	if f.Nu == 1 {
		return value
	}
	dmean := make([]float64, len(x))
	mean := f.Posterior.MeanGrad(x, dmean)
	for j := range grad {
		grad[j] = dmean[j] + f.Nu*(grad[j]-dmean[j])
	}
	return mean + f.Nu*(value-mean)
}
