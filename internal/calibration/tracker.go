package calibration

import (
	"math"

	"github.com/tarry-bo/tarry/space"
)

// Tracker follows the level P of a stream of numbers u: after each judged answer
//
//	q ← q - η (o - P),   o = 1 if u ≤ the q that was issued, else 0,
//
// so that in the long run a share P of the answers is at or below what was issued. With PITs it corrects one quantile of
// a forecast (Deshpande et al. 2024, with the sign that minimizes their eq. 9; Kim et al. 2025, OCBO, eq. 21, with the
// sign that their eq. 22 needs). It is a plain value: copy it to keep it.
type Tracker struct {
	P       float64 // level
	Rate    float64 // η
	Q       float64 // latent position; may leave the range of u, and must, for the guarantee
	Count   int     // answers judged
	Covered int     // of these, at or below what was issued
}

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

// At returns R(p, x), which is stored with a query and may leave [0,1]. Cost O(n d), without allocation.
func (t *LocalTracker) At(x space.Unit) float64 { return t.local.At(x) }

// Judge takes in the answer of a query at x with the R issued for it and its PIT under the forecast issued, and reports
// whether pit ≤ issued. It panics on NaN, on a PIT outside [0,1], and where Localized.Judge panics on x.
func (t *LocalTracker) Judge(x space.Unit, issued, pit float64) (covered bool) {
	if math.IsNaN(issued) || !(pit >= 0 && pit <= 1) {
		panic("calibration: LocalTracker: issued level is NaN or PIT is not in [0,1]")
	}
	covered = pit <= issued
	t.local.update(x, covered)
	return covered
}

// unit clips q to [0,1].
func unit(q float64) float64 { return min(max(q, 0), 1) }
