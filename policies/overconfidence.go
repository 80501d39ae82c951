package policies

import "math"

// Forecasts are too narrow while answers are few, and an optimizer looks where the model errs; later they may be too wide. Measured on
// the problems of demo compare.
const (
	widenFirst = 3   // before any was judged
	widenLeast = 0.1 // at least
	widenMost  = 20  // at most
	widenRate  = 0.5 // of the logarithm, for each value that was judged
)

// Overconfidence returns the factor by which deviations are too small, by the forecasts that were judged: it grows where fewer than
// CentralMass of the values lay in the central interval, and shrinks where more did, so that in the long run that share does
// (Gibbs and Candès 2021, on a logarithmic scale). Cost O(n).
func Overconfidence(history []Answer) float64 {
	log := math.Log(widenFirst)
	for _, a := range history {
		if !a.Judgeable() {
			continue
		}
		missed := 1.0
		if a.Forecast.Central(a.Value) {
			missed = 0
		}
		log = min(max(log+widenRate*(missed-(1-CentralMass)), math.Log(widenLeast)), math.Log(widenMost))
	}
	return math.Exp(log)
}
