package hindsight

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// Score says how forecasts of values did. Without any its numbers are NaN.
type Score struct {
	Judged  int    `json:"judged"`       // values that had a forecast
	RMSE    Number `json:"rmse"`         // of the means, in the user's units
	Central Number `json:"central"`      // share of the values in the central 80 %
	Log     Number `json:"mean_logloss"` // mean of minus the logarithm of the density of the value, in the user's units: less is better
}

// scored are forecasts whose values came.
type scored struct{ misses, central, losses []float64 }

// judgeable reports whether a forecast and the value that it is judged by are there.
func judgeable(f *policies.Forecast, e loop.Evaluation, c loop.Config) bool {
	return f != nil && f.Sound() && valued(c, e)
}

// add judges a forecast by the value of an evaluation, where both are there.
func (s *scored) add(f *policies.Forecast, e loop.Evaluation, c loop.Config) {
	if !judgeable(f, e, c) {
		return
	}
	value := c.Sense().Sign() * e.Value
	d := value - f.Quantile(0)
	units := unitsOf(f)
	u := units.To(value)
	z := (u - f.Mean) / f.Stddev
	held := 0.
	if f.Central(value) {
		held = 1
	}
	s.misses, s.central = append(s.misses, d), append(s.central, held)
	s.losses = append(s.losses, math.Log(f.Stddev)+math.Log(units.Deviation(u, step)/step)+z*z/2+math.Log(2*math.Pi)/2)
}

// valued reports whether a value came that the model was told: one that violates a constraint teaches too, unless it means nothing.
func valued(c loop.Config, e loop.Evaluation) bool {
	return e.Status.Valued() || e.Seen > 0 && !c.IgnoreInfeasible
}

// step is a distance in the model's units along which a warp of the values is straight.
const step = 1e-3

// unitsOf are the units of a forecast.
func unitsOf(f *policies.Forecast) feedback.Units {
	return feedback.Units{Warp: f.Warp, Shift: f.Shift, Scale: f.Scale}
}

func (s scored) score() Score {
	return Score{len(s.misses), Number(rootMeanSquare(s.misses)), Number(mean(s.central)), Number(mean(s.losses))}
}

// rootMeanSquare is NaN of none. What is squared is near 1, so that great numbers and small ones have a square.
func rootMeanSquare(of []float64) float64 {
	greatest := 0.
	for _, v := range of {
		greatest = max(greatest, math.Abs(v))
	}
	if len(of) > 0 && greatest == 0 || math.IsInf(greatest, 1) {
		return greatest
	}
	_, exponent := math.Frexp(greatest)
	squares := make([]float64, len(of))
	for i, v := range of {
		scaled := math.Ldexp(v, -exponent)
		squares[i] = scaled * scaled
	}
	return math.Ldexp(math.Sqrt(mean(squares)), exponent)
}

// mean is NaN of none.
func mean(of []float64) float64 {
	sum := 0.
	for _, v := range of {
		sum += v
	}
	return sum / float64(len(of))
}

// issued is the forecast that a policy would have issued at x, beside the one that it did issue with a proposal: as much wider than
// its model says.
func (j judge) issued(p policies.Proposal, x space.Unit) *policies.Forecast {
	if slices.Equal(p.X, x) {
		return p.Forecast
	}
	f, there := j.forecast(x), j.forecast(p.X)
	if f != nil && there != nil && there.Stddev > 0 {
		f.Stddev *= p.Forecast.Stddev / there.Stddev
	}
	return f
}

// forecast is what the policy expected of a value at x: by its own model where it has one, else by that of its view. Nil without any.
func (j judge) forecast(x space.Unit) *policies.Forecast {
	f := j.view.Forecast(x)
	if f != nil && j.explanation.Moments != nil {
		mean, variance := j.explanation.Moments(x)
		f.Mean, f.Stddev = mean, math.Sqrt(variance+j.view.Posterior.Noise())
	}
	return f
}
