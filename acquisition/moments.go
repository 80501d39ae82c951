package acquisition

import (
	"math"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Utility is a function of the posterior mean and the latent variance alone, both in the model's units.
type Utility interface {
	// Of returns the utility of a point with this mean and this variance ≥ 0. Cost O(1).
	Of(mean, variance float64) float64
	// Slopes returns Of and its derivatives by mean and by variance. At variance 0, where the derivative may not
	// exist, dvariance is 0. Cost O(1).
	Slopes(mean, variance float64) (value, dmean, dvariance float64)
}

// At is the Function that a utility makes of a posterior.
type At struct {
	Posterior *surrogate.Posterior
	Utility   Utility
}

// Value returns the utility at x. Cost O(nd + n²).
func (f At) Value(x space.Unit) float64 { return f.Utility.Of(f.Posterior.Predict(x)) }

// Gradient returns the utility at x and writes its derivatives to grad, by the chain rule. Cost O(nd + n²), about twice
// that of Value.
func (f At) Gradient(x space.Unit, grad []float64) float64 {
	byVariance := make([]float64, len(x))
	value, dmean, dvariance := f.Utility.Slopes(f.Posterior.PredictGrad(x, grad, byVariance))
	for j, d := range byVariance {
		grad[j] = dmean*grad[j] + dvariance*d
	}
	return value
}

// minVariance keeps logarithms finite at points whose value is known exactly: the spread there counts as 1e-12.
const minVariance = 1e-24

// spread is the standard deviation, but at least 1e-12.
func spread(variance float64) float64 { return math.Sqrt(max(variance, minVariance)) }
