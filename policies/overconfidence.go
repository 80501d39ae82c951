package policies

import "math"

// Forecasts are too narrow while answers are few, and an optimizer looks where the model errs, of which there is the more the more
// parameters there are; later they may be too wide. Measured on the problems of demo compare.
const (
	widenFirst = 1.4 // before any was judged, with one parameter; it grows with the cube root of their number
	widenLeast = 0.1 // at least
	widenMost  = 20  // at most
	widenRate  = 0.6 // of the logarithm, for each value that was judged

	widestWarped = 2 // deviations of the values that a factor leads to, where they are warped
)

// widened is the deviation of a forecast made wider by a factor. Under a warp of the values it becomes no more than twice their deviation by
// that, which holds nearly all of them: distances grow exponentially there, and a factor of ten can lead from a tenth of the spread of the
// values to 1e20 times as much.
func widened(f Forecast, by float64) float64 {
	if by <= 1 || f.Warp.Straight() {
		return by * f.Stddev
	}
	return min(by*f.Stddev, max(f.Stddev, widestWarped))
}

// Overconfidence returns the factor by which deviations are too small, by the forecasts that were judged: it grows where fewer than
// CentralMass of the values lay in the central interval, and shrinks where more did, so that in the long run that share does
// (Gibbs and Candès 2021, on a logarithmic scale). Before any was judged it is 1.4 times the cube root of the number of parameters that
// vary. Cost O(n).
func Overconfidence(history []Answer, parameters int) float64 {
	log := math.Log(widenFirst * math.Cbrt(float64(max(parameters, 1))))
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
