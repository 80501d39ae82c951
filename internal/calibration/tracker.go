package calibration

import (
	"math"

	"github.com/tarry-bo/tarry/internal/check"
)

// Tracker follows the level P of a stream of numbers u: after each judged answer
//
//	q ← q - η (o - P),   o = 1 if u ≤ the q that was issued, else 0,
//
// so that in the long run a share P of the answers is at or below what was issued. With PITs it corrects one quantile of
// a forecast (Deshpande et al. 2024, with the sign that minimizes their eq. 9; Kim et al. 2025, OCBO, eq. 21, with the
// sign that their eq. 22 needs). Made by NewTracker or NewOnlineConformal. It is a plain value: copy it to keep it.
type Tracker struct {
	P       float64 // level
	Rate    float64 // η
	Q       float64 // latent position; may leave the range of u, and must, for the guarantee
	First   float64 // Q before the first answer counted here
	Count   int     // answers judged
	Covered int     // of these, at or below what was issued
}

// NewTracker returns the tracker of level p in (0,1) of PITs, starting at p: the model is believed until it errs. Rate
// is positive; between 0.05 and 0.2 suits some hundred answers.
func NewTracker(p, rate float64) (Tracker, error) { return newTracker(p, p, rate) }

// NewOnlineConformal returns online conformal prediction (Gibbs and Candès 2021; Kim et al. 2025, eq. 17-18): a
// threshold λ for the set {nonconformity ≤ λ} with a share alpha in (0,1) of misses in the long run. It is the tracker of
// level 1 - alpha of the scores themselves, which may have any range; λ is Q.
func NewOnlineConformal(alpha, start, rate float64) (Tracker, error) {
	return newTracker(1-alpha, start, rate)
}

func newTracker(p, start, rate float64) (Tracker, error) {
	var l check.List
	l.Require(p > 0 && p < 1, "Tracker.P", p, "0 < P < 1")
	l.Finite("Tracker.Q", start)
	l.Positive("Tracker.Rate", rate)
	return Tracker{P: p, Rate: rate, Q: start, First: start}, l.Err()
}

// validate is for trackers that come from outside.
func (t Tracker) validate(l *check.List) {
	l.Finite("Tracker.Q", t.Q)
	l.Finite("Tracker.First", t.First)
	l.Require(t.Count >= 0, "Tracker.Count", t.Count, "Count ≥ 0")
	l.Require(t.Covered >= 0 && t.Covered <= t.Count, "Tracker.Covered", t.Covered, "0 ≤ Covered ≤ Count")
}

// Deployed returns Q clipped to [0,1]: the level of the model's cdf to use for level P. Below 0 the quantile is -Inf and
// above 1 it is +Inf, which no engine can use; Q itself is what is stored with a query and judged.
func (t Tracker) Deployed() float64 { return unit(t.Q) }

// Judge takes in one answer: the Q issued with its query, and u, its PIT or score under the forecast issued. It reports
// whether u ≤ issued. It panics on NaN.
func (t *Tracker) Judge(issued, u float64) (covered bool) {
	if math.IsNaN(issued) || math.IsNaN(u) {
		panic("calibration: Tracker: issued or judged number is NaN")
	}
	covered = u <= issued
	t.Count++
	if covered {
		t.Covered++
		t.Q += t.Rate * (t.P - 1)
	} else {
		t.Q += t.Rate * t.P
	}
	return covered
}

// LocalTracker is a tracker whose level also varies with the point, R_t(p, x) = c_t + g_t(x), with c and the kernel
// expansion g of Localized both moved by +η_t (p - o) (Kim et al. 2025, OCBO-L).
type LocalTracker struct{ local Localized }

// NewLocalTracker returns the tracker of level p = config.Alpha, starting at p everywhere.
func NewLocalTracker(config LocalizedConfig) (*LocalTracker, error) {
	l, err := NewLocalized(config)
	if err != nil {
		return nil, err
	}
	return &LocalTracker{*l}, nil
}

// RestoreLocalTracker returns the tracker that had the given state; Misses counts its covered answers.
func RestoreLocalTracker(config LocalizedConfig, state LocalizedState) (*LocalTracker, error) {
	l, err := RestoreLocalized(config, state)
	if err != nil {
		return nil, err
	}
	return &LocalTracker{*l}, nil
}

// State returns a copy of what was learned; Misses counts the covered answers. Cost O(n d).
func (t *LocalTracker) State() LocalizedState { return t.local.State() }

// Clone returns an independent tracker with the same past. Cost O(n).
func (t *LocalTracker) Clone() *LocalTracker { return &LocalTracker{*t.local.Clone()} }

// At returns R(p, x), which is stored with a query and may leave [0,1]. Cost O(n d), without allocation.
func (t *LocalTracker) At(x []float64) float64 { return t.local.At(x) }

// Deployed returns R(p, x) clipped to [0,1].
func (t *LocalTracker) Deployed(x []float64) float64 { return unit(t.local.At(x)) }

// Gradient returns R(p, x) and writes its derivative with respect to x to grad. It is the latent one: where R leaves
// [0,1] what is deployed does not move. Cost O(n d).
func (t *LocalTracker) Gradient(x, grad []float64) float64 { return t.local.Gradient(x, grad) }

// Offset returns the global part c.
func (t *LocalTracker) Offset() float64 { return t.local.Offset() }

// Count returns the number of answers judged.
func (t *LocalTracker) Count() int { return t.local.Count() }

// Covered returns the number of judged answers that were at or below what was issued.
func (t *LocalTracker) Covered() int { return t.local.Misses() }

// Judge takes in the answer of a query at x with the R issued for it and its PIT under the forecast issued, and reports
// whether pit ≤ issued. It panics on NaN, on a PIT outside [0,1], and where Localized.Judge panics on x.
func (t *LocalTracker) Judge(x []float64, issued, pit float64) (covered bool) {
	if math.IsNaN(issued) || !(pit >= 0 && pit <= 1) {
		panic("calibration: LocalTracker: issued level is NaN or PIT is not in [0,1]")
	}
	covered = pit <= issued
	t.local.update(x, covered)
	return covered
}

// unit clips q to [0,1].
func unit(q float64) float64 { return min(max(q, 0), 1) }
