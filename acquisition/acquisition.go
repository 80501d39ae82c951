// Package acquisition says how useful a query at x would be, and finds the x where that is greatest.
//
//	f := acquisition.At{Posterior: p, Utility: acquisition.UpperConfidenceBound{Beta: 1}}
//	x := acquisition.Maximize(f, acquisition.Search{Space: s, Stream: stream})
//
// A Function is evaluated on the unit cube, in the model's units, and is always maximized. A Utility is what most of
// them are made of: a formula of the posterior mean and variance, which can be read off a pool as well as searched for.
// The package is pure; functions hold immutable values only.
package acquisition

// Function is the utility of a point of the unit cube.
type Function interface {
	// Value returns the utility at x.
	Value(x []float64) float64
	// Gradient returns the utility at x and writes its derivatives to grad (length d).
	Gradient(x, grad []float64) float64
}
