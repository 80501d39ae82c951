package calibration

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

const (
	// minScale is where the shared scale of the weights is folded into them, far from underflow.
	minScale = 1e-100
	// minPart is the part of a threshold below which the oldest centers are dropped: a threshold is of order 1, so less
	// does not change it in double precision.
	minPart = 1e-15
)

// LocalizedConfig are the constants of a Localized threshold.
type LocalizedConfig struct {
	// Alpha is the share of answers that may be missed, in (0,1). Kim et al. 2025 use 0.2 and 0.25.
	Alpha float64
	// Kappa ≥ 0 is the height of the localization kernel κ exp(-|x-x'|²/l²). At 0 there is no localization.
	Kappa float64
	// Length > 0 is the length l of the kernel in the units of x. At +Inf there is no localization.
	Length float64
	// Decay ≥ 0 shrinks the local part by 1 - Decay·η_t after every answer; Decay·Rate must be below 1.
	Decay float64
	// Rate ≥ 0 and Power in [0,1] give the step η_t = Rate·t^-Power after the t-th judged answer, t from 1. The bounds
	// of a constant rate need Power 0. At 0 nothing is learned: the threshold stays Alpha.
	Rate, Power float64
}

// Validate names every field outside its range.
func (c LocalizedConfig) Validate() error {
	var l check.List
	l.Require(c.Alpha > 0 && c.Alpha < 1, "LocalizedConfig.Alpha", c.Alpha, "0 < Alpha < 1")
	l.NotNegative("LocalizedConfig.Kappa", c.Kappa)
	l.Require(c.Length > 0, "LocalizedConfig.Length", c.Length, "a number > 0")
	l.NotNegative("LocalizedConfig.Decay", c.Decay)
	l.NotNegative("LocalizedConfig.Rate", c.Rate)
	l.Within("LocalizedConfig.Power", c.Power, 0, 1)
	l.Require(!(c.Decay*c.Rate >= 1), "LocalizedConfig.Decay", c.Decay, "Decay·Rate < 1")
	return l.Err()
}

func (c LocalizedConfig) localizes() bool { return c.Kappa > 0 && !math.IsInf(c.Length, 1) }

// step is η_t.
func (c LocalizedConfig) step(t int) float64 {
	if c.Power == 0 {
		return c.Rate
	}
	return c.Rate * math.Pow(float64(t), -c.Power)
}

// Localized is the threshold λ_t(x) = c_t + g_t(x) of localized online conformal prediction (Kim et al. 2025, eq. 26-27).
// The set issued for a query is {Score ≥ λ}; after its answer, with err 1 if that set missed it and else 0,
//
//	c ← c + η_t (α - err),   g ← (1 - Decay·η_t) g + η_t (α - err) κ exp(-|x - ·|²/l²),   c_1 = α, g_1 = 0.
//
// With n judged answers in d dimensions it holds at most n(d+1) numbers, nothing without localization. Centers whose part
// of the threshold has decayed below 1e-15 are dropped, oldest first: under a constant rate no more than about
// 35/(Decay·Rate) are held, and what is left out stays of the order 1e-15/(Decay·Rate).
type Localized struct {
	config        LocalizedConfig
	offset        float64 // c
	count, misses int     // answers judged, and missed
	scale         float64 // common factor of the weights, in (0,1]
	weights       []float64
	centers       []space.Unit // one for each weight, never changed
}

// NewLocalized returns the threshold before any answer, α everywhere.
func NewLocalized(config LocalizedConfig) (*Localized, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	return &Localized{config: config, offset: config.Alpha, scale: 1}, nil
}

// At returns λ(x). It may leave [0,1]: at or below 0 the set is everything, above 1 it is empty, and the guarantee needs
// both. NaN in x gives NaN; without localization x is not looked at. Cost O(n d), without allocation.
func (l *Localized) At(x space.Unit) float64 {
	l.fits(x)
	sum := 0.0
	for i, center := range l.centers {
		sum += l.weights[i] * math.Exp(-l.squared(center, x))
	}
	return l.offset + l.height()*sum
}

// Gradient returns λ(x) and writes its derivative with respect to x to grad, which has the length of x. Cost O(n d),
// without allocation.
func (l *Localized) Gradient(x space.Unit, grad []float64) float64 {
	l.fits(x)
	if len(grad) != len(x) {
		panic("calibration: Localized: x and gradient differ in length")
	}
	clear(grad)
	sum := 0.0
	for i, center := range l.centers {
		part := l.weights[i] * math.Exp(-l.squared(center, x))
		sum += part
		for j, c := range center {
			grad[j] += part * (c - x[j])
		}
	}
	slope := 2 * l.height() / l.config.Length / l.config.Length
	for j := range grad {
		grad[j] *= slope
	}
	return l.offset + l.height()*sum
}

// Judge takes in the answer of a query at x whose set was issued with the given threshold, and reports whether the set
// missed it: score < threshold. A threshold ≤ 0 never misses, one above 1 always does. Score and threshold are those of
// the forecast at issue. It panics on NaN, on a score outside [0,1], and with localization on an x that is not finite.
// Amortized cost O(d).
func (l *Localized) Judge(x space.Unit, threshold, score float64) (missed bool) {
	if math.IsNaN(threshold) || !(score >= 0 && score <= 1) {
		panic("calibration: Localized: threshold is NaN or score is not in [0,1]")
	}
	missed = score < threshold
	l.update(x, missed)
	return missed
}

// update moves threshold and local part by η_t (α - event).
func (l *Localized) update(x space.Unit, event bool) {
	target := l.config.Alpha
	l.fits(x)
	if l.config.localizes() && (len(x) == 0 || !allFinite(x)) {
		panic("calibration: Localized: x is empty or not finite")
	}
	l.count++
	eta := l.config.step(l.count)
	move := eta * target
	if event {
		move = eta * (target - 1)
		l.misses++
	}
	l.offset += move
	if l.config.localizes() {
		l.forget(eta)
		l.weights = append(l.weights, move/l.scale)
		l.centers = append(l.centers, slices.Clone(x))
	}
}

// forget shrinks all weights in O(1) through their common scale, and drops the oldest centers that no longer matter.
func (l *Localized) forget(eta float64) {
	l.scale *= 1 - l.config.Decay*eta
	if l.scale < minScale {
		for i := range l.weights {
			l.weights[i] *= l.scale
		}
		l.scale = 1
	}
	for l.config.Decay > 0 && len(l.weights) > 0 && math.Abs(l.weights[0])*l.height() < minPart {
		l.weights, l.centers = l.weights[1:], l.centers[1:]
	}
}

// height is the factor of the stored weights in g.
func (l *Localized) height() float64 { return l.config.Kappa * l.scale }

// squared is |a-b|²/l², divided before it is squared so that short lengths do not make 0/0.
func (l *Localized) squared(a, b space.Unit) float64 {
	sum := 0.0
	for j := range a {
		d := (a[j] - b[j]) / l.config.Length
		sum += d * d
	}
	return sum
}

// fits panics unless x has the length of the centers.
func (l *Localized) fits(x space.Unit) {
	if len(l.centers) > 0 && len(l.centers[0]) != len(x) {
		panic("calibration: Localized: x has the wrong length")
	}
}

func allFinite(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}
