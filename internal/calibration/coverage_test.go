package calibration

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

func agree(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) && got != want {
		t.Errorf("%s = %.15g, want %.15g ± %g", what, got, want, tolerance)
	}
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s did not panic", what)
		}
	}()
	f()
}

// deliver issues n queries and judges their answers in random order, so that none waits for more than delay other
// judgments and a share loss of the answers never comes. It returns the longest wait that happened.
func deliver[T any](r *rand.Rand, n, delay int, loss float64, issue func() T, judge func(T)) (longest int) {
	type query struct {
		what T
		age  int
	}
	var waiting []query
	// feasible: with waiting[j] judged now, every other one can still be judged in time, the oldest first.
	feasible := func(j int) bool {
		place := 0
		for i, q := range waiting {
			if i != j {
				if q.age+1+place > delay {
					return false
				}
				place++
			}
		}
		return true
	}
	remove := func(j int) query {
		q := waiting[j]
		waiting = append(waiting[:j], waiting[j+1:]...)
		return q
	}
	for i := range n {
		waiting = append(waiting, query{what: issue()})
		if r.Float64() < loss {
			remove(r.IntN(len(waiting)))
		}
		for len(waiting) > 0 && (i == n-1 || len(waiting) > delay || !feasible(-1) || r.Float64() < 0.4) {
			j := r.IntN(len(waiting))
			if !feasible(j) {
				j = 0
			}
			q := remove(j)
			longest = max(longest, q.age)
			for i := range waiting {
				waiting[i].age++
			}
			judge(q.what)
		}
	}
	return longest
}

func TestDeliveryKeepsToItsDelayAndReachesIt(t *testing.T) {
	for _, delay := range []int{0, 1, 5, 12} {
		issued, judged, disorder := 0, []int{}, 0
		longest := deliver(rng.New(1, rng.Test, uint64(delay)), 400, delay, 0.1, func() int { issued++; return issued }, func(i int) {
			if len(judged) > 0 && i < judged[len(judged)-1] {
				disorder++
			}
			judged = append(judged, i)
		})
		if longest != delay {
			t.Errorf("longest wait %d, want %d", longest, delay)
		}
		if len(judged) < 330 || len(judged) > 385 {
			t.Errorf("%d of 400 judged with one in ten lost", len(judged))
		}
		if (disorder > 20) != (delay > 0) {
			t.Errorf("delay %d: %d answers out of order", delay, disorder)
		}
	}
}

// By hand: α = 0.2, c from 0.2 to 0.15 in 20 answers at η = 0.05 is one miss too many in 20: 0.25.
func TestBoundsAreTheirFormulas(t *testing.T) {
	agree(t, "identity", CoverageIdentity(0.2, 0.2, 0.15, 0.05, 20), 0.25, 1e-15)
	agree(t, "miss bound", MissBound(0.2, 0.2, 0.3, 2, 0.05, 100), 0.2+(0.2+0.3+3*0.05*0.8)/5, 1e-15)
	agree(t, "miss floor", MissFloor(0.2, 0.2, 0.3, 2, 0.05, 100), 0.2-(0.8+0.3+3*0.05*0.2)/5, 1e-15)
	agree(t, "tracker bound, p below half", TrackerBound(0.1, 0.1, 0, 0.2, 50), (0.9+0.2*0.1)/10, 1e-15)
	agree(t, "tracker bound, p above half", TrackerBound(0.9, 0.9, 0, 0.2, 50), (0.9+0.2*0.1)/10, 1e-15)
	agree(t, "tracker bound from 0", TrackerBound(0.9, 0, 3, 0.2, 50), (1+4*0.2*0.9)/10, 1e-15)
	agree(t, "average, starts low", AverageBound(0.3, 2, 0.2, 50), (0.7+3*0.2)/10, 1e-15)
	agree(t, "average, starts high", AverageBound(0.8, 0, 0.2, 50), (0.8+0.2)/10, 1e-15)
	agree(t, "varying", VaryingBound(-0.1, 0.4, 0.01, 200), 0.25, 1e-15)
	agree(t, "online conformal", OnlineConformalBound(3, 1, 0.5, 100), 4./50, 1e-15)
	for _, p := range []float64{0.05, 0.5, 0.9} {
		for _, first := range []float64{0, p, 1} {
			if b, loose := TrackerBound(p, first, 4, 0.3, 70), (1+5*0.3)/(0.3*70); b > loose {
				t.Errorf("p %g from %g: %g is above %g", p, first, b, loose)
			}
		}
	}
}

// A start far outside cannot make a bound cross the target.
func TestBoundsNeverCrossTheTarget(t *testing.T) {
	if b := MissBound(0.2, -10, 0, 0, 0.1, 10); b != 0.2 {
		t.Errorf("bound %g from a start of -10, want 0.2", b)
	}
	if b := MissFloor(0.2, 10, 0, 0, 0.1, 10); b != 0.2 {
		t.Errorf("floor %g from a start of 10, want 0.2", b)
	}
}

// forecast is what a model said at issue and what then came.
type forecast struct {
	x           space.Unit
	y, mean, sd float64
	threshold   float64
	issued      []float64
}

// worlds are streams of independent answers with forecasts N(0, sd²) that are right or wrong in a constant way.
var worlds = []struct {
	name string
	draw func(r *rand.Rand) forecast
}{
	{"well specified", func(r *rand.Rand) forecast { return forecast{y: r.NormFloat64(), sd: 1} }},
	{"sd too small", func(r *rand.Rand) forecast { return forecast{y: r.NormFloat64(), sd: 0.4} }},
	{"heavy tails", func(r *rand.Rand) forecast { // Student's t with 2 degrees of freedom
		return forecast{y: r.NormFloat64() / math.Sqrt(r.ExpFloat64()), sd: 1}
	}},
	{"heteroscedastic", func(r *rand.Rand) forecast {
		x := r.Float64()
		return forecast{x: []float64{x}, y: (0.2 + 2*x*x) * r.NormFloat64(), sd: 0.7}
	}},
}

func drawn(r *rand.Rand, draw func(*rand.Rand) forecast) forecast {
	f := draw(r)
	if f.x == nil {
		f.x = []float64{r.Float64()}
	}
	return f
}

func TestCoverageOnStationaryStreamsIsTheTarget(t *testing.T) {
	for w, world := range worlds {
		for _, alpha := range []float64{0.1, 0.2} {
			for i, c := range []LocalizedConfig{
				{Kappa: 0, Length: 0.2, Decay: 0.5, Rate: 0.05},
				{Kappa: 0.5, Length: 0.2, Decay: 0.5, Rate: 0.05},
				{Kappa: 2, Length: 0.25, Decay: 4e-3, Rate: 0.05, Power: 0.05}, // the defaults of LOCBO
			} {
				if raced && (w+i)%2 == 1 {
					continue
				}
				c.Alpha = alpha
				missed, judged := 0, 0
				for k := range uint64(20) {
					r := rng.New(uint64(w), rng.Test, k)
					l := must.Get(NewLocalized(c))(t)
					deliver(r, 500, 8, 0.05, func() forecast {
						f := drawn(r, world.draw)
						f.threshold = l.At(f.x)
						return f
					}, func(f forecast) { l.Judge(f.x, f.threshold, Score(f.y, f.mean, f.sd)) })
					missed, judged = missed+l.misses, judged+l.count
				}
				share := float64(missed) / float64(judged)
				t.Logf("%s, %+v: missed %.4f", world.name, c, share)
				agree(t, world.name, share, alpha, 0.02)
			}
		}
	}
}

func TestRecalibratedLevelsOnStationaryStreamsAreMet(t *testing.T) {
	levels := EvenLevels(9)
	for w, world := range worlds {
		covered, judged := make([]int, len(levels)), 0
		for k := range uint64(20) {
			r, c := rng.New(uint64(10+w), rng.Test, k), recalibrator(t, RecalibratorConfig{Levels: levels, Rate: 0.05})
			deliver(r, 500, 8, 0.05, func() forecast {
				f := drawn(r, world.draw)
				f.issued = c.Issue()
				return f
			}, func(f forecast) { c.Judge(f.issued, PIT(f.y, f.mean, f.sd)) })
			judged += c.trackers[0].Count
			for i, tracker := range c.trackers {
				covered[i] += tracker.Covered
			}
		}
		for i, p := range levels {
			agree(t, world.name, float64(covered[i])/float64(judged), p, 0.02)
		}
	}
}
