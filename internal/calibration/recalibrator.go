package calibration

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
)

// Repair is how a Recalibrator makes a monotone map of trackers that may cross. They do cross: levels 0.5 and 0.55 at
// q = 0.5 and 0.55 with η = 0.1 stand at 0.55 and 0.505 after an answer with PIT 0.52, which contradicts Theorem 3 of
// Deshpande et al. 2024.
type Repair int

const (
	// LazyIsotonic deploys the isotonic regression of the latent positions and judges what was deployed, so that
	// CoverageIdentity holds at each level for the monotone map itself. What is deployed stays within (D+1)η of [0,1],
	// and the mean over all levels of share - level within AverageBound. For a single level no useful bound is proved:
	// adversaries moved latent positions out of [0,1] by 1.4η with 19 levels, 1.8η with 99 and 2.2η with 399 without
	// delay, and by about D+1 times as much with delay D.
	LazyIsotonic Repair = iota
	// Sorted keeps independent trackers, each with the guarantee of TrackerBound, and sorts a copy of their positions
	// for the map. The guarantee is of the trackers, not of the sorted map.
	Sorted
)

// RecalibratorConfig are the constants of a Recalibrator.
type RecalibratorConfig struct {
	// Levels are the levels that are tracked, increasing in (0,1); see EvenLevels.
	Levels []float64
	// Rate > 0 is the step η; between 0.05 and 0.2 suits some hundred answers.
	Rate float64
	// Repair of crossings; the zero value is LazyIsotonic.
	Repair Repair
	// Start has the first position of each level, non-decreasing in [0,1], for instance of a Batch map. Nil starts at
	// the identity.
	Start []float64
}

// Validate names every field outside its range.
func (c RecalibratorConfig) Validate() error {
	var l check.List
	l.Require(validLevels(c.Levels), "RecalibratorConfig.Levels", c.Levels, "increasing levels in (0,1), at least one")
	l.Positive("RecalibratorConfig.Rate", c.Rate)
	l.Require(c.Repair == LazyIsotonic || c.Repair == Sorted, "RecalibratorConfig.Repair", int(c.Repair), "LazyIsotonic or Sorted")
	if c.Start != nil {
		ok := len(c.Start) == len(c.Levels) && slices.IsSorted(c.Start) && within01(c.Start)
		l.Require(ok, "RecalibratorConfig.Start", c.Start, "as many non-decreasing numbers in [0,1] as there are levels")
	}
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
// R(p)-quantiles are exceeded by a share 1 - p of the answers (Deshpande et al. 2024): one Tracker for each level and a
// Repair of their crossings. It holds 6 numbers for each of its M levels.
type Recalibrator struct {
	repair   Repair
	trackers []Tracker
}

// NewRecalibrator returns the recalibrator before any answer.
func NewRecalibrator(config RecalibratorConfig) (*Recalibrator, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	start := config.Start
	if start == nil {
		start = config.Levels
	}
	r := &Recalibrator{repair: config.Repair, trackers: make([]Tracker, len(start))}
	for i, p := range config.Levels {
		r.trackers[i] = Tracker{P: p, Rate: config.Rate, Q: start[i], First: start[i]}
	}
	return r, nil
}

// RestoreRecalibrator returns the recalibrator with the state of Trackers, equal to the bit from then on. Levels and rate
// must be those of the trackers; Start is not looked at.
func RestoreRecalibrator(config RecalibratorConfig, trackers []Tracker) (*Recalibrator, error) {
	config.Start = nil
	var l check.List
	l.Join(config.Validate())
	l.Require(len(trackers) == len(config.Levels), "len(trackers)", len(trackers), "as many as Levels")
	for i, t := range trackers {
		if i < len(config.Levels) && (t.P != config.Levels[i] || t.Rate != config.Rate) {
			l.Add(fmt.Sprintf("trackers[%d]", i), t, "level and rate of the configuration")
		}
		t.validate(&l)
	}
	if err := l.Err(); err != nil {
		return nil, err
	}
	return &Recalibrator{config.Repair, slices.Clone(trackers)}, nil
}

// Clone returns an independent recalibrator with the same past. Cost O(M).
func (r *Recalibrator) Clone() *Recalibrator {
	return &Recalibrator{r.repair, slices.Clone(r.trackers)}
}

// Trackers returns a copy of the trackers, one for each level: their latent positions, counts and starts, all there is to
// restore. Under LazyIsotonic they are fed by what was deployed, and CoverageIdentity holds for each.
func (r *Recalibrator) Trackers() []Tracker { return slices.Clone(r.trackers) }

// Count returns the number of answers judged since the start or the last Warm.
func (r *Recalibrator) Count() int { return r.trackers[0].Count }

// Shares returns for each level the share of judged answers that were at or below what was issued; NaN before any.
func (r *Recalibrator) Shares() []float64 {
	shares := make([]float64, len(r.trackers))
	for i, t := range r.trackers {
		shares[i] = float64(t.Covered) / float64(t.Count)
	}
	return shares
}

// Issue returns the positions to store with a query that starts now, one for each level and not clipped: what Judge wants
// back with its answer. Cost O(M).
func (r *Recalibrator) Issue() []float64 {
	q := make([]float64, len(r.trackers))
	for i, t := range r.trackers {
		q[i] = t.Q
	}
	if r.repair == LazyIsotonic {
		Isotonic(q, q)
	}
	return q
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

// Warm runs once through the PITs of a calibration set in time order (leave-one-out or forward-chaining forecasts;
// Deshpande et al. 2024, Algorithm 4), then counts anew: shares and identities are those of the issued forecasts alone.
// Cost O(M·len(pits)).
func (r *Recalibrator) Warm(pits []float64) {
	for _, u := range pits {
		r.Judge(r.Issue(), u)
	}
	for i := range r.trackers {
		t := &r.trackers[i]
		t.First, t.Count, t.Covered = t.Q, 0, 0
	}
}

// Map returns R as it is deployed now, linear between (0,0), the levels with their repaired positions clipped to [0,1],
// and (1,1). Later answers do not change it. Cost O(M), under Sorted O(M log M).
func (r *Recalibrator) Map() Map {
	q := r.Issue()
	if r.repair == Sorted {
		slices.Sort(q)
	}
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
