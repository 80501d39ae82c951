package calibration

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/rng"
	"pgregory.net/rapid"
)

func recalibrator(t *testing.T, c RecalibratorConfig) *Recalibrator {
	t.Helper()
	r, err := NewRecalibrator(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTrackersCrossAndBothRepairsUncrossThem(t *testing.T) {
	for repair, want := range map[Repair][2]float64{LazyIsotonic: {0.5275, 0.5275}, Sorted: {0.505, 0.55}} {
		r := recalibrator(t, RecalibratorConfig{Levels: []float64{0.5, 0.55}, Rate: 0.1, Repair: repair})
		r.Judge(r.Issue(), 0.52)
		latent := r.Trackers()
		agree(t, "latent position at 0.5", latent[0].Q, 0.55, 1e-15)
		agree(t, "latent position at 0.55", latent[1].Q, 0.505, 1e-15)
		m := r.Map()
		agree(t, "deployed at 0.5", m.At(0.5), want[0], 1e-15)
		agree(t, "deployed at 0.55", m.At(0.55), want[1], 1e-15)
		if repair == Sorted && !slices.Equal(r.Issue(), []float64{latent[0].Q, latent[1].Q}) {
			t.Error("independent trackers must be judged by their own positions")
		}
	}
	r, u, crossed := recalibrator(t, RecalibratorConfig{Levels: EvenLevels(19), Rate: 0.1, Repair: Sorted}), rng.New(1, rng.Test, 0), 0
	for range 300 {
		r.Judge(r.Issue(), u.Float64())
		if !slices.IsSorted(r.Issue()) {
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
		repair := Repair(rapid.IntRange(0, 1).Draw(t, "repair"))
		delay := rapid.IntRange(0, 6).Draw(t, "delay")
		stream := rng.New(rapid.Uint64().Draw(t, "seed"), rng.Test, 0)
		r, err := NewRecalibrator(RecalibratorConfig{Levels: EvenLevels(rapid.IntRange(1, 20).Draw(t, "levels")), Rate: rate, Repair: repair})
		if err != nil {
			t.Fatal(err)
		}
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
			for i, k := range r.Trackers() {
				if d := CoverageIdentity(k.P, k.First, k.Q, rate, k.Count) - shares[i]; math.Abs(d) > 1e-12 {
					t.Fatalf("identity of level %g is off by %g", k.P, d)
				}
			}
		})
	})
}

// judged runs a recalibrator against an adversary that watches one level, and calls after with every judged answer.
func judged(t *testing.T, c RecalibratorConfig, name string, watched, n, delay int, after func(r *Recalibrator)) {
	t.Helper()
	stream, r := rng.New(uint64(watched), rng.Test, uint64(delay)), recalibrator(t, c)
	deliver(stream, n, delay, 0.1*float64(min(delay, 1)), func() []float64 { return r.Issue() }, func(issued []float64) {
		r.Judge(issued, pitAdversaries[name](stream, issued[watched], r.Count()))
		after(r)
	})
}

func TestIndependentTrackersKeepTheirBoundsInARecalibrator(t *testing.T) {
	for name := range pitAdversaries {
		for _, rate := range []float64{0.05, 1} {
			for _, delay := range []int{0, 5} {
				c := RecalibratorConfig{Levels: EvenLevels(9), Rate: rate, Repair: Sorted}
				judged(t, c, name, 4, 300, delay, func(r *Recalibrator) {
					shares := r.Shares()
					for i, k := range r.Trackers() {
						if gap, bound := math.Abs(shares[i]-k.P), TrackerBound(k.P, k.P, delay, rate, k.Count); gap > bound+1e-12 {
							t.Fatalf("%s, p %g, η %g, delay %d: gap %g, bound %g", name, k.P, rate, delay, gap, bound)
						}
					}
				})
			}
		}
	}
}

func TestDeployedPositionsAndMeanShareKeepTheirBoundsUnderLazyRepair(t *testing.T) {
	for name := range pitAdversaries {
		for _, rate := range []float64{0.05, 1, 50} {
			for _, delay := range []int{0, 5} {
				for _, watched := range []int{0, 9, 17} {
					c := RecalibratorConfig{Levels: EvenLevels(19), Rate: rate}
					reach := float64(delay+1) * rate
					judged(t, c, name, watched, 200, delay, func(r *Recalibrator) {
						if q := r.Issue(); q[0] < -reach-1e-9 || q[len(q)-1] > 1+reach+1e-9 {
							t.Fatalf("%s, η %g, delay %d: deployed %g … %g", name, rate, delay, q[0], q[len(q)-1])
						}
						mean, shares := 0.0, r.Shares()
						for i, k := range r.Trackers() {
							mean += (shares[i] - k.P) / 19
							// Found in searches with up to 99 levels, not proved.
							if k.Q < -2*reach || k.Q > 1+2*reach {
								t.Fatalf("%s, η %g, delay %d: latent position %g of level %g", name, rate, delay, k.Q, k.P)
							}
						}
						if bound := AverageBound(0.5, delay, rate, r.Count()); math.Abs(mean) > bound+1e-12 {
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
	for _, repair := range []Repair{LazyIsotonic, Sorted} {
		r, stream := recalibrator(t, RecalibratorConfig{Levels: levels, Rate: 0.05, Repair: repair}), rng.New(3, rng.Test, 0)
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
}

func TestWarmingUpLearnsAndCountsAnew(t *testing.T) {
	c := RecalibratorConfig{Levels: EvenLevels(3), Rate: 0.1}
	r, same := recalibrator(t, c), recalibrator(t, c)
	pits := []float64{0.9, 0.8, 0.95, 0.7, 0.99}
	for _, u := range pits {
		same.Judge(same.Issue(), u)
	}
	r.Warm(pits)
	if !slices.Equal(r.Issue(), same.Issue()) || r.Issue()[1] <= 0.5 {
		t.Errorf("issues %v, want %v", r.Issue(), same.Issue())
	}
	if r.Count() != 0 || same.Count() != 5 || !math.IsNaN(r.Shares()[0]) {
		t.Errorf("count %d, shares %v", r.Count(), r.Shares())
	}
	r.Judge(r.Issue(), 0.2)
	for _, k := range r.Trackers() {
		agree(t, "identity", CoverageIdentity(k.P, k.First, k.Q, 0.1, 1), float64(k.Covered), 1e-12)
	}
}

func TestStartsMayComeFromABatch(t *testing.T) {
	levels := EvenLevels(4)
	batch, err := Batch([]float64{0.1, 0.15, 0.2, 0.4, 0.6}, levels, 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, repair := range []Repair{LazyIsotonic, Sorted} {
		r := recalibrator(t, RecalibratorConfig{Levels: levels, Rate: 0.1, Repair: repair, Start: batch.Q[1:5]})
		if m := r.Map(); !reflect.DeepEqual(m, batch) {
			t.Errorf("map %v, want %v", m, batch)
		}
	}
	if m := recalibrator(t, RecalibratorConfig{Levels: levels, Rate: 0.1}).Map(); !slices.Equal(m.P, m.Q) {
		t.Errorf("without starts the map is %v", m)
	}
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

func TestRecalibratorsAreRestoredAndCloned(t *testing.T) {
	for _, repair := range []Repair{LazyIsotonic, Sorted} {
		c := RecalibratorConfig{Levels: EvenLevels(7), Rate: 0.1, Repair: repair}
		r, stream := recalibrator(t, c), rng.New(4, rng.Test, 0)
		for range 50 {
			r.Judge(r.Issue(), stream.Float64())
		}
		text, err := json.Marshal(r.Trackers())
		if err != nil {
			t.Fatal(err)
		}
		var trackers []Tracker
		if err := json.Unmarshal(text, &trackers); err != nil {
			t.Fatal(err)
		}
		restored, err := RestoreRecalibrator(c, trackers)
		if err != nil {
			t.Fatal(err)
		}
		clone := r.Clone()
		for range 50 {
			u := stream.Float64()
			clone.Judge(clone.Issue(), u)
			restored.Judge(restored.Issue(), u)
		}
		if !reflect.DeepEqual(clone, restored) || r.Count() != 50 {
			t.Errorf("%v and %v from %v", clone, restored, r)
		}
		for name, spoil := range map[string]func(k []Tracker) []Tracker{
			"few":     func(k []Tracker) []Tracker { return k[1:] },
			"level":   func(k []Tracker) []Tracker { k[2].P = 0.2; return k },
			"rate":    func(k []Tracker) []Tracker { k[2].Rate = 0.2; return k },
			"latent":  func(k []Tracker) []Tracker { k[2].Q = math.NaN(); return k },
			"first":   func(k []Tracker) []Tracker { k[2].First = math.Inf(1); return k },
			"count":   func(k []Tracker) []Tracker { k[2].Count, k[2].Covered = -1, -1; return k },
			"covered": func(k []Tracker) []Tracker { k[2].Covered = 51; return k },
		} {
			if _, err := RestoreRecalibrator(c, spoil(r.Trackers())); !errors.Is(err, check.ErrInvalidOption) {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
}

func TestRecalibratorsRefuseWhatIsOutOfRange(t *testing.T) {
	nan := math.NaN()
	half := []float64{0.5}
	for _, c := range []RecalibratorConfig{
		{Rate: 0.1}, {Levels: []float64{0}, Rate: 0.1}, {Levels: []float64{0.5, 0.4}, Rate: 0.1}, {Levels: []float64{nan}, Rate: 0.1},
		{Levels: half}, {Levels: half, Rate: nan}, {Levels: half, Rate: 0.1, Repair: 2}, {Levels: half, Rate: 0.1, Start: []float64{}},
		{Levels: half, Rate: 0.1, Start: []float64{1.1}}, {Levels: half, Rate: 0.1, Start: []float64{nan}},
		{Levels: []float64{0.2, 0.3}, Rate: 0.1, Start: []float64{0.3, 0.2}},
	} {
		if _, err := NewRecalibrator(c); !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
	r := recalibrator(t, RecalibratorConfig{Levels: half, Rate: 0.1})
	before := r.Clone()
	mustPanic(t, "NaN PIT", func() { r.Judge(half, nan) })
	mustPanic(t, "PIT above 1", func() { r.Judge(half, 1.5) })
	mustPanic(t, "PIT below 0", func() { r.Judge(half, -0.5) })
	mustPanic(t, "wrong length", func() { r.Judge(nil, 0.5) })
	mustPanic(t, "NaN position", func() { r.Judge([]float64{nan}, 0.5) })
	if !reflect.DeepEqual(r, before) {
		t.Error("a refused answer changed the state")
	}
}
