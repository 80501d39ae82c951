package calibration

import (
	"math"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"
)

var knownMap = Map{P: []float64{0, .1, .3, .5, .7, .9, 1}, Q: []float64{0, .02, .15, .55, .8, .97, 1}}

func TestTheRecalibratedNormalOfAWorkedExample(t *testing.T) {
	r, plain := RecalibratedNormal{.3, .5, knownMap}, RecalibratedNormal{.3, .5, IdentityMap()}
	near(t, "EI", r.ExpectedImprovement(.4), 0.234835143832, 1e-12)
	near(t, "plain EI", plain.ExpectedImprovement(.4), 0.153447317932, 1e-12)
	near(t, "PI", r.ProbabilityOfImprovement(.4), 0.476592232449, 1e-12)
	near(t, "plain PI", plain.ProbabilityOfImprovement(.4), 0.420740290561, 1e-12)
	near(t, "quantile", r.Quantile(.9), 1.24039680408, 1e-11)
	near(t, "plain quantile", plain.Quantile(.9), 0.940775782772, 1e-12)
	near(t, "mean", r.CalibratedMean(), 0.280584191238, 1e-12)
	near(t, "plain mean", plain.CalibratedMean(), .3, 1e-15)
}

// A map that is flat at the upper end puts the mass there behind 4.75 standard deviations, not at infinity.
func TestMassOfFlatPiecesLiesOnAPoint(t *testing.T) {
	r := RecalibratedNormal{0, 1, Map{P: []float64{0, .2, .6, 1}, Q: []float64{0, .5, .5, 1}}}
	tail := 2 * normalPDF(0) // mean of the upper half of the normal distribution
	near(t, "EI below the point", r.ExpectedImprovement(-1e3), 1e3+.2*tail, 1e-9)
	near(t, "PI at the point", r.ProbabilityOfImprovement(0), .4, 1e-15)
	near(t, "PI below the point", r.ProbabilityOfImprovement(-1e-12), .8, 1e-11)
	near(t, "EI at the point", r.ExpectedImprovement(0), .4*tail, 1e-15)
	near(t, "quantile in the flat piece", r.Quantile(.4), 0, 1e-15)

	ends := RecalibratedNormal{0, 1, Map{P: []float64{0, .1, .9, 1}, Q: []float64{0, 0, 1, 1}}}
	const out = 4.753424308822899
	near(t, "PI of the end", ends.ProbabilityOfImprovement(out), .1, 1e-9)
	near(t, "quantile of the end", ends.Quantile(.95), out, 1e-9)
	near(t, "quantile at 1", ends.Quantile(1), out, 1e-9)
	near(t, "quantile at 0", ends.Quantile(0), -out, 1e-9)
	near(t, "mean", ends.CalibratedMean(), 0, 1e-12)
	if v := ends.LogExpectedImprovement(50); math.IsInf(v, 0) || !(v < -1000) {
		t.Errorf("log EI of the end is %v", v)
	}
	mustPanic(t, "Quantile", func() { ends.Quantile(1.5) })
	mustPanic(t, "Quantile without a map", func() { RecalibratedNormal{Stddev: 1}.Quantile(.5) })
	mustPanic(t, "EI with an uneven map", func() {
		RecalibratedNormal{Stddev: 1, Map: Map{P: []float64{0, 1}, Q: []float64{0, .5, 1}}}.ExpectedImprovement(.5)
	})
}

// drawMap draws a map with flat, steep and nearly flat pieces, and often with flat ends.
func drawMap(t *rapid.T) Map {
	n := rapid.IntRange(0, 20).Draw(t, "points")
	m := Map{P: []float64{0, 1}, Q: []float64{0, 1}}
	for range n {
		p := rapid.Float64Range(.001, .999).Draw(t, "p")
		if i := sort.SearchFloat64s(m.P, p); m.P[i]-p > 1e-6 && p-m.P[i-1] > 1e-6 {
			m.P = slices.Insert(m.P, i, p)
			q := rapid.Float64Range(-.2, 1.2).Draw(t, "q")
			if rapid.IntRange(0, 3).Draw(t, "near") == 0 {
				q = m.Q[len(m.Q)/2] + math.Pow(10, rapid.Float64Range(-14, -2).Draw(t, "log step"))
			}
			m.Q = append(m.Q, unit(q))
		}
	}
	slices.Sort(m.Q)
	return m
}

// overQuantiles is the mean of g over the quantiles of the distribution, in standard deviations: over p in the middle, and
// over the base distribution at the ends, where quantiles go to infinity.
func (r RecalibratedNormal) overQuantiles(g func(x float64) float64, kink float64) float64 {
	last := len(r.Map.P) - 1
	end := func(mass, lo, hi float64) float64 {
		cut := min(max(lo, kink), hi)
		density := func(x float64) float64 { return g(x) * normalPDF(x) }
		return mass * adaptive(density, 1e-14, lo, cut, hi) / (upperTail(lo) - upperTail(hi))
	}
	base := func(q float64) float64 { return math.Sqrt2 * math.Erfinv(2*q-1) }
	if last == 1 {
		return end(1, -12, 12)
	}
	sum := end(r.Map.P[1], -12, base(r.level(1))) + end(1-r.Map.P[last-1], base(r.level(last-1)), 12)
	for i := 2; i < last; i++ {
		lo, hi := r.level(i-1), r.level(i)
		cut := min(max(lo, upperTail(-kink)), hi)
		if hi-lo < 1e-7 { // a mean over quantiles would lose its digits in q
			sum += (r.Map.P[i] - r.Map.P[i-1]) * overPiece(g, base(lo), base(hi), kink)
			continue
		}
		level := func(q float64) float64 { return g(base(q)) }
		marks := []float64{lo, cut, hi}
		for e := 1e-5; e < .4; e *= 4 {
			marks = append(marks, min(max(lo, e), hi), min(max(lo, 1-e), hi))
		}
		slices.Sort(marks)
		sum += (r.Map.P[i] - r.Map.P[i-1]) / (hi - lo) * adaptive(level, 1e-14*(hi-lo), marks...)
	}
	return sum
}

// overPiece is the mean of g under the normal distribution between two values.
func overPiece(g func(x float64) float64, lo, hi, kink float64) float64 {
	if hi <= lo {
		return g(lo)
	}
	cut := min(max(lo, kink), hi)
	density := func(x float64) float64 { return g(x) * normalPDF(x) }
	return adaptive(density, 0, lo, cut, hi) / adaptive(normalPDF, 0, lo, hi)
}

func TestRecalibratedImprovementIsTheMeanOverQuantiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := RecalibratedNormal{rapid.Float64Range(-2, 2).Draw(t, "mean"), math.Pow(10, rapid.Float64Range(-3, 2).Draw(t, "log sd")), drawMap(t)}
		k := rapid.Float64Range(-6, 6).Draw(t, "place")
		best := r.Mean + r.Stddev*k
		k = (best - r.Mean) / r.Stddev
		improvement := r.overQuantiles(func(x float64) float64 { return max(x-k, 0) }, k)
		near(t, "EI", r.ExpectedImprovement(best), r.Stddev*improvement, 1e-9*r.Stddev)
		near(t, "mean", r.CalibratedMean(), r.Mean+r.Stddev*r.overQuantiles(func(x float64) float64 { return x }, 0), 1e-9*r.Stddev)
	})
}

func TestRecalibratedQuantilesInvertTheProbabilityOfImprovement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := RecalibratedNormal{.2, 3, drawMap(t)}
		p := rapid.Float64Range(.0001, .9999).Draw(t, "p")
		// On a point of mass the level lies between the values at its two sides.
		q := r.Quantile(p)
		if q >= r.Mean+3*4.7534 || q <= r.Mean-3*4.7534 {
			t.Skip("the level is bounded there")
		}
		above, from := r.ProbabilityOfImprovement(q+1e-9), r.ProbabilityOfImprovement(q-1e-9)
		if above > 1-p+1e-12 || from < 1-p-1e-12 {
			t.Errorf("P(f > q) of the %v-quantile is between %v and %v", p, above, from)
		}
	})
}

func TestSlopesOfTheRecalibratedNormalAreDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := RecalibratedNormal{rapid.Float64Range(-2, 2).Draw(t, "mean"), math.Pow(10, rapid.Float64Range(-3, 2).Draw(t, "log sd")), drawMap(t)}
		k := rapid.Float64Range(-6, 40).Draw(t, "place")
		for i := range r.Map.Q {
			if x := r.level(i); math.Abs(math.Sqrt2*math.Erfinv(2*x-1)-k) < .03 {
				t.Skip("a kink")
			}
		}
		best, p := r.Mean+r.Stddev*k, rapid.Float64Range(0, 1).Draw(t, "p")
		for i, f := range []func(r RecalibratedNormal) (v, m, s float64){
			func(r RecalibratedNormal) (v, m, s float64) { return r.LogEISlopes(best) },
			func(r RecalibratedNormal) (v, m, s float64) { return r.LogPISlopes(best) },
			func(r RecalibratedNormal) (v, m, s float64) { return r.QuantileSlopes(p) },
		} {
			name := [...]string{"log EI", "log PI", "quantile"}[i]
			_, mean, stddev := f(r)
			step := 1e-3 * r.Stddev / max(1, math.Abs(k))
			inMean := sixth(func(x float64) float64 { v, _, _ := f(RecalibratedNormal{x, r.Stddev, r.Map}); return v }, r.Mean, step)
			inStddev := sixth(func(x float64) float64 { v, _, _ := f(RecalibratedNormal{r.Mean, x, r.Map}); return v }, r.Stddev, step)
			tolerance := 1e-5 * (1 + k*k) / min(r.Stddev, 1) // differences are no better close to a kink
			near(t, name+" in the mean", mean, inMean, tolerance)
			near(t, name+" in the standard deviation", stddev, inStddev, tolerance)
		}
	})
}

func TestRecalibratedImprovementFallsWithoutEverRunningOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := RecalibratedNormal{0, 1, drawMap(t)}
		k := math.Pow(10, rapid.Float64Range(-1, 6).Draw(t, "log place"))
		value, mean, stddev := r.LogEISlopes(k)
		further := r.LogExpectedImprovement(k + 1e-3)
		if math.IsInf(value, 0) || !(further < value) || !(mean > 0) || !(stddev > 0) {
			t.Errorf("log EI %v at %v with slopes %v, %v is followed by %v", value, k, mean, stddev, further)
		}
		probability, pm, ps := r.LogPISlopes(k)
		if math.IsInf(probability, 0) || k > 5 && (!(pm > 0) || !(ps > 0)) {
			t.Errorf("log PI %v at %v with slopes %v, %v", probability, k, pm, ps)
		}
		if k > 100 {
			near(t, "slope far out", mean/k, 1, 1e-3)
			near(t, "log PI far out", pm/k, 1, 1e-3)
		}
	})
}

func TestTheRecalibratedNormalWithoutSpreadOrNumbers(t *testing.T) {
	r := RecalibratedNormal{2, 0, knownMap}
	for _, v := range [][2]float64{
		{r.ExpectedImprovement(1.5), .5}, {r.ExpectedImprovement(3), 0}, {r.LogExpectedImprovement(3), math.Inf(-1)}, {r.Quantile(.9), 2},
		{r.ProbabilityOfImprovement(1), 1}, {r.ProbabilityOfImprovement(2), 0}, {r.CalibratedMean(), 2},
	} {
		if v[0] != v[1] {
			t.Errorf("got %v, want %v", v[0], v[1])
		}
	}
	if _, mean, stddev := r.LogEISlopes(1.5); mean != 2 || stddev != 0 {
		t.Errorf("slopes %v and %v", mean, stddev)
	}
	for _, r := range []RecalibratedNormal{{math.NaN(), 1, knownMap}, {1, math.NaN(), knownMap}} {
		for i, v := range []float64{r.ExpectedImprovement(1.5), r.ProbabilityOfImprovement(1.5), r.LogExpectedImprovement(1.5), r.Quantile(.8), r.CalibratedMean()} {
			if !math.IsNaN(v) {
				t.Errorf("result %d is %v", i, v)
			}
		}
	}
	for _, c := range []float64{1e-150, 1e150} {
		got := RecalibratedNormal{.3 * c, .5 * c, knownMap}
		near(t, "EI at another scale", got.ExpectedImprovement(.4*c)/c, 0.234835143832, 1e-12)
		near(t, "mean at another scale", got.CalibratedMean()/c, 0.280584191238, 1e-12)
	}
}

func BenchmarkRecalibrated(b *testing.B) {
	levels := EvenLevels(19)
	m := Map{P: slices.Concat([]float64{0}, levels, []float64{1}), Q: slices.Concat([]float64{0}, levels, []float64{1})}
	r := RecalibratedNormal{0, 1, m}
	for b.Loop() {
		r.LogEISlopes(.5)
	}
}

// ProbabilityOfImprovement returns P(f > best).
func (r RecalibratedNormal) ProbabilityOfImprovement(best float64) float64 {
	return math.Exp(r.LogProbabilityOfImprovement(best))
}

// ExpectedImprovement returns E[max(f - best, 0)].
func (r RecalibratedNormal) ExpectedImprovement(best float64) float64 {
	if r.Stddev <= 0 {
		return max(r.Mean-best, 0)
	}
	a := r.above(r.standard(best))
	return r.Stddev * (math.Exp(a.scale) * a.excess)
}
