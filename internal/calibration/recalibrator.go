package calibration

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
)

// RecalibratorConfig are the constants of a Recalibrator.
type RecalibratorConfig struct {
	// Levels are the levels that are tracked, increasing in (0,1); see EvenLevels.
	Levels []float64
	// Rate > 0 is the step η; between 0.05 and 0.2 suits some hundred answers.
	Rate float64
}

// Validate names every field outside its range.
func (c RecalibratorConfig) Validate() error {
	var l check.List
	l.Require(validLevels(c.Levels), "RecalibratorConfig.Levels", c.Levels, "increasing levels in (0,1), at least one")
	l.Positive("RecalibratorConfig.Rate", c.Rate)
	return l.Err()
}

// EvenLevels returns the m levels i/(m+1), i = 1 … m.
func EvenLevels(m int) []float64 {
	levels := make([]float64, m)
	for i := range levels {
		levels[i] = float64(i+1) / float64(m+1)
	}
	return levels
}

// Recalibrator turns the answers to a model's forecasts into a monotone map of levels R, such that the model's
// R(p)-quantiles are exceeded by a share 1 - p of the answers (Deshpande et al. 2024): one Tracker for each level. It
// holds 5 numbers for each of its M levels.
//
// Trackers cross: levels 0.5 and 0.55 at q = 0.5 and 0.55 with η = 0.1 stand at 0.55 and 0.505 after an answer with PIT
// 0.52, which contradicts Theorem 3 of Deshpande et al. 2024. So the isotonic regression of the latent positions is
// deployed, and what was deployed is judged. Then the share of answers at or below each level is exactly
// level + (first - last latent position)/(η·n) for the monotone map itself. Deployed positions stay within (D+1)η of
// [0,1], which bounds the mean over all levels of share - level. For a single level no useful bound is proved:
// adversaries moved latent positions out of [0,1] by 1.4η with 19 levels, 1.8η with 99 and 2.2η with 399 without delay,
// and by about D+1 times as much with delay D.
type Recalibrator struct {
	trackers []Tracker
}

// NewRecalibrator returns the recalibrator before any answer: the identity.
func NewRecalibrator(config RecalibratorConfig) (*Recalibrator, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	r := &Recalibrator{trackers: make([]Tracker, len(config.Levels))}
	for i, p := range config.Levels {
		r.trackers[i] = Tracker{P: p, Rate: config.Rate, Q: p}
	}
	return r, nil
}

// Issue returns the positions to store with a query that starts now, one for each level and not clipped: what Judge wants
// back with its answer. Cost O(M).
func (r *Recalibrator) Issue() []float64 {
	q := make([]float64, len(r.trackers))
	for i, t := range r.trackers {
		q[i] = t.Q
	}
	return Isotonic(q, q)
}

// Judge takes in one answer by its PIT under the forecast issued and the positions issued with it. It panics on a PIT
// outside [0,1] or NaN and on a wrong number of positions. Cost O(M).
func (r *Recalibrator) Judge(issued []float64, pit float64) {
	if len(issued) != len(r.trackers) {
		panic("calibration: Recalibrator: one issued position for each level is wanted")
	}
	if !(pit >= 0 && pit <= 1) {
		panic("calibration: Recalibrator: PIT is not in [0,1]")
	}
	for i := range r.trackers {
		r.trackers[i].Judge(issued[i], pit)
	}
}

// Map returns R as it is deployed now, linear between (0,0), the levels with their repaired positions clipped to [0,1],
// and (1,1). Later answers do not change it. Cost O(M).
func (r *Recalibrator) Map() Map {
	q := r.Issue()
	m := Map{P: make([]float64, 0, len(q)+2), Q: make([]float64, 0, len(q)+2)}
	m.add(0, 0)
	for i, t := range r.trackers {
		m.add(t.P, unit(q[i]))
	}
	m.add(1, 1)
	return m
}

func validLevels(levels []float64) bool {
	last := 0.0
	for _, p := range levels {
		if !(p > last && p < 1) {
			return false
		}
		last = p
	}
	return len(levels) > 0
}

func within01(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || v < 0 || v > 1 })
}
