package acquisition

import (
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Located is a utility that depends on the point as well as on the posterior mean and the latent variance there, both in
// the model's units.
type Located interface {
	// OfAt returns the utility of x with this mean and this variance ≥ 0.
	OfAt(x space.Unit, mean, variance float64) float64
	// SlopesAt returns OfAt, its derivatives by mean and by variance, and writes those by x, at the same mean and
	// variance, to dx.
	SlopesAt(x space.Unit, mean, variance float64, dx []float64) (value, dmean, dvariance float64)
}

// There is the Function that a Located utility makes of a posterior.
type There struct {
	Posterior *surrogate.Posterior
	Utility   Located
	// Rough is a cheap utility that orders points much as Utility does: a search chooses among its candidates with it. Nil
	// means that it does so with Utility.
	Rough Utility
}

// Value returns the utility at x. Cost O(nd + n²).
func (f There) Value(x space.Unit) float64 {
	mean, variance := f.Posterior.Predict(x)
	return f.Utility.OfAt(x, mean, variance)
}

// Gradient returns the utility at x and writes its derivatives to grad, by the chain rule. Cost O(nd + n²), about twice
// that of Value.
func (f There) Gradient(x space.Unit, grad []float64) float64 {
	byVariance, own := make([]float64, len(x)), make([]float64, len(x))
	mean, variance := f.Posterior.PredictGrad(x, grad, byVariance)
	value, dmean, dvariance := f.Utility.SlopesAt(x, mean, variance, own)
	for j, d := range byVariance {
		grad[j] = dmean*grad[j] + dvariance*d + own[j]
	}
	return value
}

// Anywhere is a utility that does not depend on the point, in the form of one that may.
type Anywhere struct{ Utility }

// OfAt returns the utility.
func (u Anywhere) OfAt(_ space.Unit, mean, variance float64) float64 { return u.Of(mean, variance) }

// SlopesAt returns the utility and its derivatives.
func (u Anywhere) SlopesAt(_ space.Unit, mean, variance float64, dx []float64) (value, dmean, dvariance float64) {
	clear(dx)
	return u.Slopes(mean, variance)
}
