package survival

import (
	"math"
	"time"
)

// Point is a place of a survival curve.
type Point struct {
	At        time.Duration
	Longer    float64 // chance that a query has neither answered nor failed after so long
	Low, High float64 // 95 % band of it, point by point
}

const bandQuantile = 1.959963984540054 // of the standard normal law, at 97.5 %

// Curve returns the survival curve by itself, with no law beyond what was seen: at each delay the product of Kaplan & Meier (1958), with
// the band of Greenwood's variance on the scale of log(−log), which stays within 0 and 1. It falls where waits end; queries that are
// pending, or that nobody waits for any longer, leave it where it is. Cost that of Law without its repetitions.
func (h *History) Curve(pending []time.Duration) (points []Point) {
	waits := h.waits(pending)
	risk, longer, sum := 0.0, 1.0, 0.0
	for _, w := range waits {
		risk += w.count + w.silent
	}
	for _, w := range waits {
		if w.count > 0 {
			longer *= 1 - w.count/risk
			sum += w.count / (risk * (risk - w.count))
			p := Point{At: duration(w.at), Longer: longer, Low: 0, High: longer}
			if longer > 0 {
				width := bandQuantile * math.Sqrt(sum) / math.Abs(math.Log(longer))
				p.Low, p.High = math.Pow(longer, math.Exp(width)), math.Pow(longer, math.Exp(-width))
			}
			points = append(points, p)
		}
		risk -= w.count + w.silent
	}
	return points
}
