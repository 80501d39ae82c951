package calibration

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
)

// adversary chooses where to ask and, knowing what was issued, how the answer conforms.
type adversary struct {
	name  string
	point func(l *Localized, r *rand.Rand) []float64
	score func(r *rand.Rand, issued float64, t int) float64
}

func anywhere(_ *Localized, r *rand.Rand) []float64 { return []float64{r.Float64(), r.Float64()} }

// missing misses whenever the issued set is not everything.
func missing(_ *rand.Rand, issued float64, _ int) float64 {
	if issued > 0 {
		return 0
	}
	return 1
}

// extreme returns a choice of the point, of five, where sign times the local part is greatest.
func extreme(sign float64) func(l *Localized, r *rand.Rand) []float64 {
	return func(l *Localized, r *rand.Rand) []float64 {
		best := anywhere(l, r)
		for range 4 {
			if x := anywhere(l, r); sign*l.At(x) > sign*l.At(best) {
				best = x
			}
		}
		return best
	}
}

func adversaries() []adversary {
	y, scale := 0.0, 1.0
	return []adversary{
		{"misses when it can", anywhere, missing},
		{"misses where the local part is greatest", extreme(1), missing},
		{"misses at one point", func(*Localized, *rand.Rand) []float64 { return []float64{0.3, 0.3} }, missing},
		{"never misses unless the set is empty", anywhere, func(*rand.Rand, float64, int) float64 { return 1 }},
		{"conforms where the local part is least", extreme(-1), func(*rand.Rand, float64, int) float64 { return 1 }},
		{"alternates", anywhere, func(_ *rand.Rand, _ float64, t int) float64 { return float64(t % 2) }},
		{"random walk with bursts, forecast by its last value", anywhere, func(r *rand.Rand, _ float64, t int) float64 {
			if scale = 1; t%100 > 80 {
				scale = 30
			}
			last := y
			y += scale * r.NormFloat64()
			return Score(y, last, 1)
		}},
	}
}

// settings have Decay, Kappa, Length.
var settings = [][3]float64{{0, 0, 1}, {0.5, 2, 0.1}, {4e-3, 5, 0.5}, {2, 1, 0.3}, {0, 0.5, 0.2}, {10, 0.3, 0.05}}

// course is what happened in one run.
type course struct {
	l            *Localized
	below, above float64 // largest -g and g that were issued
	least, most  float64 // extremes of the offset, the start included
	delay        int
}

func provoke(t *testing.T, c LocalizedConfig, a adversary, n, delay int, seed uint64) course {
	t.Helper()
	l, r, judged := localized(t, c), rng.New(seed, rng.Test, uint64(delay)), 0
	out := course{l: l, least: l.offset, most: l.offset}
	out.delay = deliver(r, n, delay, 0.1*float64(min(delay, 1)), func() forecast {
		x := a.point(l, r)
		return forecast{x: x, threshold: l.At(x), y: l.At(x) - l.offset} // y: the local part issued
	}, func(f forecast) {
		judged++
		// Only judged sets count: the others have no answer.
		out.below, out.above = max(out.below, -f.y), max(out.above, f.y)
		l.Judge(f.x, f.threshold, a.score(r, f.threshold, judged))
		out.least, out.most = min(out.least, l.offset), max(out.most, l.offset)
	})
	return out
}

func TestNoAdversaryBreaksTheBoundsOfAConstantRate(t *testing.T) {
	for s, setting := range settings {
		for k, a := range adversaries() {
			if raced && (s+k)%3 > 0 {
				continue
			}
			for _, delay := range []int{0, 5} {
				for _, rate := range []float64{0.005, 0.05} {
					c := LocalizedConfig{Alpha: 0.2, Decay: setting[0], Kappa: setting[1], Length: setting[2], Rate: rate}
					run := provoke(t, c, a, 250, delay, uint64(10*s+k))
					l, n := run.l, run.l.count
					share := float64(l.misses) / float64(n)
					agree(t, a.name+": identity", CoverageIdentity(c.Alpha, c.Alpha, l.offset, rate, n), share, 1e-12)
					upper := MissBound(c.Alpha, c.Alpha, run.above, run.delay, rate, n)
					lower := MissFloor(c.Alpha, c.Alpha, run.below, run.delay, rate, n)
					if share > upper+1e-12 || share < lower-1e-12 {
						t.Errorf("%s, %+v, delay %d: share %g outside [%g, %g]", a.name, c, run.delay, share, lower, upper)
					}
					if run.delay != delay {
						t.Errorf("delay %d, want %d", run.delay, delay)
					}
					if below, above := c.Reach(); run.below > below+1e-12 || run.above > above+1e-12 {
						t.Errorf("%s, %+v: local part in [-%g, %g], reach [-%g, %g]", a.name, c, run.below, run.above, below, above)
					}
				}
			}
		}
	}
}

// Had the bounds a term too many, the worst adversaries would stay far below.
func TestTheWorstAdversariesNearlyReachTheBounds(t *testing.T) {
	all := adversaries()
	for _, delay := range []int{0, 5} {
		c := LocalizedConfig{Alpha: 0.2, Length: 1, Rate: 0.05}
		run := provoke(t, c, all[0], 500, delay, 3)
		n := run.l.count
		share, upper := float64(run.l.misses)/float64(n), MissBound(0.2, 0.2, 0, run.delay, 0.05, n)
		t.Logf("delay %d: share %.4f, bound %.4f", delay, share, upper)
		if share < 0.2+0.6*(upper-0.2) {
			t.Errorf("delay %d: share %g, bound %g", delay, share, upper)
		}
		run = provoke(t, c, all[3], 500, delay, 3)
		share, lower := float64(run.l.misses)/float64(run.l.count), MissFloor(0.2, 0.2, 0, run.delay, 0.05, run.l.count)
		t.Logf("delay %d: share %.4f, floor %.4f", delay, share, lower)
		if share > 0.2-0.8*(0.2-lower) {
			t.Errorf("delay %d: share %g, floor %g", delay, share, lower)
		}
	}
	c := LocalizedConfig{Alpha: 0.2, Kappa: 2, Length: 0.1, Decay: 0.5, Rate: 0.05}
	run := provoke(t, c, all[0], 1000, 0, 4)
	share, upper := float64(run.l.misses)/1000, MissBound(0.2, 0.2, run.above, 0, 0.05, 1000)
	t.Logf("localized: share %.4f, bound %.4f", share, upper)
	if upper > 0.21 || share < 0.2 || share > upper {
		t.Errorf("localized: share %g, bound %g, want both between 0.2 and 0.21", share, upper)
	}
}

func TestNoAdversaryBreaksTheBoundOfADecreasingRate(t *testing.T) {
	for s, setting := range settings {
		for k, a := range adversaries() {
			if raced && (s+k)%3 > 0 {
				continue
			}
			for _, delay := range []int{0, 5} {
				for _, power := range []float64{0.05, 0.5, 1} {
					c := LocalizedConfig{Alpha: 0.2, Decay: setting[0], Kappa: setting[1], Length: setting[2], Rate: 0.09, Power: power}
					run := provoke(t, c, a, 200, delay, uint64(100+10*s+k))
					l, n := run.l, run.l.count
					bound := VaryingBound(run.least, run.most, 0.09*math.Pow(float64(n), -power), n)
					if gap := math.Abs(float64(l.misses)/float64(n) - c.Alpha); gap > bound+1e-12 {
						t.Errorf("%s, %+v, delay %d: gap %g, bound %g", a.name, c, delay, gap, bound)
					}
				}
			}
		}
	}
}

// Where the spread of the answers changes with x and the forecasts do not know it, a global threshold misses too rarely
// on one side and too often on the other.
func TestALocalThresholdCoversEvenlyWhereTheSpreadVaries(t *testing.T) {
	gap := func(kappa float64) float64 {
		var missed, judged [2]int
		for k := range uint64(10) {
			r := rng.New(20, rng.Test, k)
			l := localized(t, LocalizedConfig{Alpha: 0.2, Kappa: kappa, Length: 0.2, Decay: 0.05, Rate: 0.05})
			for range 1000 {
				x, side := []float64{r.Float64()}, 0
				if x[0] > 0.5 {
					side = 1
				}
				y := (0.3 + 1.7*float64(side)) * r.NormFloat64()
				judged[side]++
				if l.Judge(x, l.At(x), Score(y, 0, 1)) {
					missed[side]++
				}
			}
		}
		return float64(missed[1])/float64(judged[1]) - float64(missed[0])/float64(judged[0])
	}
	global, local := gap(0), gap(2)
	t.Logf("difference of the shares missed: global %.3f, local %.3f", global, local)
	if global < 0.3 || local > global/3 {
		t.Errorf("difference of the shares missed: global %g, local %g", global, local)
	}
}
