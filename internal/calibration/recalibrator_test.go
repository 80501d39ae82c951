package calibration

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"pgregory.net/rapid"
)

func recalibrator(t *testing.T, c RecalibratorConfig) *Recalibrator {
	t.Helper()
	return must.Get(NewRecalibrator(c))(t)
}

func TestTrackersCrossAndIsotonicRegressionUncrossesThem(t *testing.T) {
	r := recalibrator(t, RecalibratorConfig{Levels: []float64{0.5, 0.55}, Rate: 0.1})
	r.Judge(r.Issue(), 0.52)
	agree(t, "latent position at 0.5", r.trackers[0].Q, 0.55, 1e-15)
	agree(t, "latent position at 0.55", r.trackers[1].Q, 0.505, 1e-15)
	for _, p := range []float64{0.5, 0.55} {
		agree(t, "deployed", r.Map().At(p), 0.5275, 1e-15)
	}
	r, u, crossed := recalibrator(t, RecalibratorConfig{Levels: EvenLevels(19), Rate: 0.1}), rng.New(1, rng.Test, 0), 0
	for range 300 {
		pit := u.Float64()
		for i := range r.trackers { // each judged by its own position
			r.trackers[i].Judge(r.trackers[i].Q, pit)
		}
		if !slices.IsSortedFunc(r.trackers, func(a, b Tracker) int { return cmp.Compare(a.Q, b.Q) }) {
			crossed++
		}
	}
	t.Logf("crossed after %d of 300 answers", crossed)
	if crossed < 100 {
		t.Errorf("crossed after %d of 300 answers, want more than a third", crossed)
	}
}

func TestMapsOfRecalibratorsAreMonotoneWhateverComes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.SampledFrom([]float64{0.01, 0.1, 1, 20}).Draw(t, "rate")
		delay := rapid.IntRange(0, 6).Draw(t, "delay")
		stream := rng.New(rapid.Uint64().Draw(t, "seed"), rng.Test, 0)
		r := must.Get(NewRecalibrator(RecalibratorConfig{Levels: EvenLevels(rapid.IntRange(1, 20).Draw(t, "levels")), Rate: rate}))(t)
		pit := rapid.Custom(func(t *rapid.T) float64 {
			return rapid.SampledFrom([]float64{0, 1, 0.5, rapid.Float64Range(0, 1).Draw(t, "u")}).Draw(t, "pit")
		})
		deliver(stream, 30, delay, 0.2, func() []float64 { return r.Issue() }, func(issued []float64) {
			r.Judge(issued, pit.Draw(t, "pit"))
			m := r.Map()
			ends := m.P[0] == 0 && m.Q[0] == 0 && m.P[len(m.P)-1] == 1 && m.Q[len(m.Q)-1] == 1
			if !ends || !slices.IsSorted(m.Q) || !slices.IsSorted(m.P) || !within01(m.Q) {
				t.Fatalf("map %v", m)
			}
			shares := r.Shares()
			for i, k := range r.trackers {
				if d := CoverageIdentity(k.P, k.P, k.Q, rate, k.Count) - shares[i]; math.Abs(d) > 1e-12 {
					t.Fatalf("identity of level %g is off by %g", k.P, d)
				}
			}
		})
	})
}

func TestDeployedPositionsAndMeanShareKeepTheirBoundsUnderLazyRepair(t *testing.T) {
	for name := range pitAdversaries {
		for _, rate := range []float64{0.05, 1, 50} {
			for _, delay := range []int{0, 5} {
				for _, watched := range []int{0, 9, 17} {
					r := recalibrator(t, RecalibratorConfig{Levels: EvenLevels(19), Rate: rate})
					stream, reach := rng.New(uint64(watched), rng.Test, uint64(delay)), float64(delay+1)*rate
					deliver(stream, 200, delay, 0.1*float64(min(delay, 1)), r.Issue, func(issued []float64) {
						r.Judge(issued, pitAdversaries[name](stream, issued[watched], r.trackers[0].Count))
						if q := r.Issue(); q[0] < -reach-1e-9 || q[len(q)-1] > 1+reach+1e-9 {
							t.Fatalf("%s, η %g, delay %d: deployed %g … %g", name, rate, delay, q[0], q[len(q)-1])
						}
						mean, shares := 0.0, r.Shares()
						for i, k := range r.trackers {
							mean += (shares[i] - k.P) / 19
							// Found in searches with up to 99 levels, not proved.
							if k.Q < -2*reach || k.Q > 1+2*reach {
								t.Fatalf("%s, η %g, delay %d: latent position %g of level %g", name, rate, delay, k.Q, k.P)
							}
						}
						if bound := AverageBound(0.5, delay, rate, r.trackers[0].Count); math.Abs(mean) > bound+1e-12 {
							t.Fatalf("%s, η %g, delay %d: mean gap %g, bound %g", name, rate, delay, mean, bound)
						}
					})
				}
			}
		}
	}
}

// With answers drawn from Φ(y/2) forecast as Φ(y), R learns that quantiles lie twice as far out.
func TestRecalibrationImprovesTheCalibrationScore(t *testing.T) {
	levels := EvenLevels(9)
	r, stream := recalibrator(t, RecalibratorConfig{Levels: levels, Rate: 0.05}), rng.New(3, rng.Test, 0)
	var raw, corrected []float64
	for i := range 1500 {
		u, m := PIT(2*stream.NormFloat64(), 0, 1), r.Map()
		if i >= 500 {
			raw, corrected = append(raw, u), append(corrected, m.Inverse(u))
		}
		r.Judge(r.Issue(), u)
	}
	before, after := CalibrationScore(raw, levels), CalibrationScore(corrected, levels)
	t.Logf("calibration score %.5f becomes %.5f", before, after)
	if before < 0.05 || after > 0.005 {
		t.Errorf("calibration score %g becomes %g", before, after)
	}
	agree(t, "R(0.9)", r.Map().At(0.9), PIT(2*1.2815515655446004, 0, 1), 0.05)
}

func TestMapsDoNotChangeLater(t *testing.T) {
	r := recalibrator(t, RecalibratorConfig{Levels: EvenLevels(5), Rate: 0.3})
	m, issued := r.Map(), r.Issue()
	before := slices.Clone(m.Q)
	r.Judge(issued, 0.9)
	if !slices.Equal(m.Q, before) || slices.Equal(r.Map().Q, before) {
		t.Errorf("map %v was %v, now deployed %v", m.Q, before, r.Map().Q)
	}
}

func TestRecalibratorsRefuseWhatIsOutOfRange(t *testing.T) {
	nan := math.NaN()
	half := []float64{0.5}
	for _, c := range []RecalibratorConfig{
		{Rate: 0.1}, {Levels: []float64{0}, Rate: 0.1}, {Levels: []float64{0.5, 0.4}, Rate: 0.1}, {Levels: []float64{nan}, Rate: 0.1},
		{Levels: half}, {Levels: half, Rate: nan},
	} {
		if _, err := NewRecalibrator(c); !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
	r := recalibrator(t, RecalibratorConfig{Levels: half, Rate: 0.1})
	before := fmt.Sprint(r)
	mustPanic(t, "NaN PIT", func() { r.Judge(half, nan) })
	mustPanic(t, "PIT above 1", func() { r.Judge(half, 1.5) })
	mustPanic(t, "PIT below 0", func() { r.Judge(half, -0.5) })
	mustPanic(t, "wrong length", func() { r.Judge(nil, 0.5) })
	mustPanic(t, "NaN position", func() { r.Judge([]float64{nan}, 0.5) })
	if fmt.Sprint(r) != before {
		t.Error("a refused answer changed the state")
	}
}

// Shares returns for each level the share of judged answers that were at or below what was issued; NaN before any.
func (r *Recalibrator) Shares() []float64 {
	shares := make([]float64, len(r.trackers))
	for i, t := range r.trackers {
		shares[i] = float64(t.Covered) / float64(t.Count)
	}
	return shares
}
