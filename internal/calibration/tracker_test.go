package calibration

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

func tracker(p, rate float64) Tracker { return Tracker{P: p, Rate: rate, Q: p} }

// Numbers worked out independently of this code.
func TestFiftyAnswersByHand(t *testing.T) {
	k := tracker(0.9, 0.1)
	for i := 1; i <= 50; i++ {
		u := float64((37*i)%100) / 100
		k.Judge(k.Q, u*u)
	}
	if k.Covered != 46 || k.Count != 50 {
		t.Errorf("covered %d of %d, want 46 of 50", k.Covered, k.Count)
	}
	agree(t, "q", k.Q, 0.8, 1e-14)
}

// pitAdversaries see what was issued and choose the PIT.
var pitAdversaries = map[string]func(r *rand.Rand, issued float64, t int) float64{
	"always covered when it can be": func(_ *rand.Rand, q float64, _ int) float64 { return max(0, min(q-1e-9, 1)) },
	"never covered when it can be":  func(_ *rand.Rand, q float64, _ int) float64 { return min(1, max(q+1e-9, 0)) },
	"ends in turn":                  func(_ *rand.Rand, _ float64, t int) float64 { return float64(t % 2) },
	"uniform":                       func(r *rand.Rand, _ float64, _ int) float64 { return r.Float64() },
	"blocks":                        func(_ *rand.Rand, _ float64, t int) float64 { return float64(t/17%3) / 2 },
	"just above, in bursts": func(r *rand.Rand, q float64, t int) float64 {
		if t%50 < 25 {
			return min(1, max(q+1e-9, 0))
		}
		return r.Float64()
	},
}

func TestTrackersKeepTheirBoundAtEveryTime(t *testing.T) {
	for name, adversary := range pitAdversaries {
		for _, p := range []float64{0.05, 0.5, 0.9} {
			for _, rate := range []float64{0.01, 0.1, 1, 50} {
				for _, first := range []float64{0, p} {
					for _, delay := range []int{0, 5} {
						r, k := rng.New(1, rng.Test, uint64(delay)), tracker(p, rate)
						k.Q = first
						deliver(r, 300, delay, 0.1*float64(min(delay, 1)), func() float64 { return k.Q }, func(issued float64) {
							k.Judge(issued, adversary(r, issued, k.Count))
							share := float64(k.Covered) / float64(k.Count)
							agree(t, name+": identity", CoverageIdentity(p, first, k.Q, rate, k.Count), share, 1e-12)
							if gap, bound := math.Abs(share-p), TrackerBound(p, first, delay, rate, k.Count); gap > bound+1e-12 {
								t.Errorf("%s, p %g, η %g, delay %d, n %d: gap %g, bound %g", name, p, rate, delay, k.Count, gap, bound)
							}
							if d := float64(delay + 1); k.Q < -d*rate*(1-p)-1e-12 || k.Q > 1+d*rate*p+1e-12 {
								t.Errorf("%s, p %g, η %g, delay %d: q %g is out of range", name, p, rate, delay, k.Q)
							}
						})
					}
				}
			}
		}
	}
}

// With the sign that is printed in both papers the shares would tend to 1 - p (Kim et al., eq. 21) or q would run away
// (Deshpande et al.).
func TestTrackersConvergeToTheirLevelAndNotToItsComplement(t *testing.T) {
	for _, p := range []float64{0.1, 0.8} {
		r, k := rng.New(2, rng.Test, 0), tracker(p, 0.05)
		for range 5000 {
			k.Judge(k.Q, math.Sqrt(r.Float64())) // the p-quantile is √p
		}
		agree(t, "share", float64(k.Covered)/5000, p, 0.005)
		agree(t, "q", k.Q, math.Sqrt(p), 0.2)
	}
}

func TestOnlineConformalPredictionIsATrackerOfScores(t *testing.T) {
	const alpha, rate, span = 0.1, 0.3, 4.0
	for name, score := range map[string]func(r *rand.Rand, lambda float64) float64{
		"misses when it can": func(_ *rand.Rand, lambda float64) float64 { return max(0, min(lambda+1e-9, span)) },
		"uniform":            func(r *rand.Rand, _ float64) float64 { return span * r.Float64() },
	} {
		for _, delay := range []int{0, 5} {
			r := rng.New(3, rng.Test, 0)
			k, lambda, missed := Tracker{P: 1 - alpha, Rate: rate, Q: 1}, 1.0, 0
			deliver(r, 400, delay, 0, func() float64 { return k.Q }, func(issued float64) {
				s, miss := score(r, issued), 0.0
				if s > issued {
					miss = 1
					missed++
				}
				lambda -= rate * (alpha - miss)
				if covered := k.Judge(issued, s); covered != (miss == 0) {
					t.Fatal("covered and missed at once")
				}
				agree(t, "λ", k.Q, lambda, 1e-12)
			})
			excess := float64(missed)/400 - alpha
			if bound := OnlineConformalBound(span, delay, rate, 400); excess > bound {
				t.Errorf("%s, delay %d: excess %g, bound %g", name, delay, excess, bound)
			}
			if name != "uniform" && excess < 0.5*OnlineConformalBound(span, delay, rate, 400) {
				t.Errorf("excess %g is far from the bound", excess)
			}
		}
	}
}

func TestTrackersRefuseWhatIsNoNumber(t *testing.T) {
	nan := math.NaN()
	k := tracker(0.5, 0.1)
	mustPanic(t, "NaN PIT", func() { k.Judge(0.5, nan) })
	mustPanic(t, "NaN level", func() { k.Judge(nan, 0.5) })
	if k != tracker(0.5, 0.1) {
		t.Error("a refused answer changed the state")
	}
}

func newLocalTracker(t *testing.T, c LocalizedConfig) *LocalTracker {
	t.Helper()
	return must.Get(NewLocalTracker(c))(t)
}

func TestLocalTrackersWithoutKernelAreTrackers(t *testing.T) {
	r, k := rng.New(4, rng.Test, 0), tracker(0.3, 0.2)
	local := newLocalTracker(t, LocalizedConfig{Alpha: 0.3, Length: 1, Rate: 0.2})
	for range 200 {
		u := r.Float64()
		if k.Judge(k.Q, u) != local.Judge(nil, local.At(nil), u) {
			t.Fatal("one covers, the other does not")
		}
		agree(t, "level", local.At(nil), k.Q, 1e-15)
	}
	if local.local.misses != k.Covered || local.local.count != k.Count {
		t.Errorf("%d of %d, want %d of %d", local.local.misses, local.local.count, k.Covered, k.Count)
	}
}

func TestLocalTrackersKeepIdentityAndBounds(t *testing.T) {
	for name, adversary := range pitAdversaries {
		for _, setting := range settings {
			for _, delay := range []int{0, 5} {
				c := LocalizedConfig{Alpha: 0.7, Decay: setting[0], Kappa: setting[1], Length: setting[2], Rate: 0.05}
				r, k, below, above := rng.New(5, rng.Test, 0), newLocalTracker(t, c), 0.0, 0.0
				worst := deliver(r, 300, delay, 0.1*float64(min(delay, 1)), func() forecast {
					x := []float64{r.Float64()}
					return forecast{x: x, threshold: k.At(x), y: k.At(x) - k.local.offset}
				}, func(f forecast) {
					below, above = max(below, -f.y), max(above, f.y)
					k.Judge(f.x, f.threshold, adversary(r, f.threshold, k.local.count))
				})
				n := k.local.count
				share := float64(k.local.misses) / float64(n)
				agree(t, name+": identity", CoverageIdentity(0.7, 0.7, k.local.offset, 0.05, n), share, 1e-12)
				lower, upper := MissFloor(0.7, 0.7, below, worst, 0.05, n), MissBound(0.7, 0.7, above, worst, 0.05, n)
				if share < lower-1e-12 || share > upper+1e-12 {
					t.Errorf("%s, %+v: share %g outside [%g, %g]", name, c, share, lower, upper)
				}
			}
		}
	}
}

func TestLocalTrackersRefuseWhatIsNoNumber(t *testing.T) {
	k := newLocalTracker(t, LocalizedConfig{Alpha: 0.7, Kappa: 1, Length: 0.2, Decay: 0.1, Rate: 0.05})
	mustPanic(t, "NaN PIT", func() { k.Judge([]float64{0.4}, 0.5, math.NaN()) })
	mustPanic(t, "NaN level", func() { k.Judge([]float64{0.4}, math.NaN(), 0.5) })
	if _, err := NewLocalTracker(LocalizedConfig{}); !errors.Is(err, check.ErrInvalidOption) {
		t.Errorf("error %v", err)
	}
}

// The PIT's distribution changes with x: u² on the left, √u on the right, whose medians are 0.25 and √½.
func TestALocalTrackerLearnsALevelForEachRegion(t *testing.T) {
	k := newLocalTracker(t, LocalizedConfig{Alpha: 0.5, Kappa: 2, Length: 0.2, Decay: 0.05, Rate: 0.02})
	r, left, right := rng.New(6, rng.Test, 0), 0.0, 0.0
	for i := range 4000 {
		x, u := r.Float64(), r.Float64()
		if x < 0.5 {
			u *= u
		} else {
			u = math.Sqrt(u)
		}
		k.Judge([]float64{x}, k.At([]float64{x}), u)
		if i >= 3000 {
			left += k.At([]float64{0.2}) / 1000
			right += k.At([]float64{0.8}) / 1000
		}
	}
	agree(t, "left", left, 0.25, 0.1)
	agree(t, "right", right, math.Sqrt(0.5), 0.1)
}
