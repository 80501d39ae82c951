// Package acquisition says how useful a query at x would be, and finds the x where the utility is greatest.
//
//	f := acquisition.At{Posterior: p, Utility: acquisition.UpperConfidenceBound{Beta: 1}}
//	x := acquisition.Maximize(f, acquisition.Search{Space: s, Stream: stream})
//
// A Function is the utility of a point: it is evaluated on the unit cube, in the model's units, and maximized. Most
// functions are made of a Utility, a formula of the posterior mean and variance, which a search can evaluate at all points
// of a pool at once. The package is pure; functions hold immutable values only.
package acquisition

import "github.com/tarry-bo/tarry/space"

// Function is the utility of a point of the unit cube.
type Function interface {
	// Value returns the utility at x.
	Value(x space.Unit) float64
	// Gradient returns the utility at x and writes its derivatives to grad (length d).
	Gradient(x space.Unit, grad []float64) float64
}
