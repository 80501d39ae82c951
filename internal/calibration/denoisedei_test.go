package calibration

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Computed with 32 digits and more from the definition, the mean over y' of the improvement given y'; derivatives by
// differences there. Mean 0; value, mass above best and derivative in the variance as shares of the improvement.
func TestLogImprovementAndItsSlopesInHardPlaces(t *testing.T) {
	for _, c := range []struct{ variance, noise, alpha, threshold, best, value, mean, dvariance, dthreshold float64 }{
		{0.25, 0.09, 0.2, 0.35, 10, -208.17060147792047, 40.198525622202564, 805.97051244405132, -2.8571428571428573},
		{1, 0, 0.2, 0.35, 0.9345, -2.921549936325222, 1.8577144319267698, 1.3680170683177832, -2.8580454872374863},
		{1, 0, 0.2, 0.35, 1, -3.0447368136480639, 1.9042712333296918, 1.4521356166648459, -2.8571428571428573},
		{1, 1e-08, 0.3, 0.1, 1.6448, -2.7696024489012551, 2.3929968448253628, 2.4680006106125816, -9.9994594694238595},
		{1e-06, 10, 0.5, 0.05, 0.004, -18.756814579679861, 4432.4827571722941, 9364967.7911948334, -2.153441632190745e-5},
		{1, 1e-12, 0.1, LeastThreshold, 3.4, -4.3536167351401961, 3.8879579009469193, 7.1095284316107445, -1483.9903704595832},
		{2, 3, 0.4, 1, 5, -10.446933212096527, 2.8547359232237661, 3.7913929854752643, math.NaN()},
		{1, 0, 0.4, 0.999999, 0.3, -2.2376909767926985, 1.4323241816484151, 0.71484862724726226, -1.000001000001},
		{1, 0.01, 0.2, 0.2, 60, -1809.1084601822722, 60.03330560942051, 1801.499168282625, -5},
		{1, 0.5, 0.2, 0.5, 3000, -4500017.8479647337, 3000.0006666664444, 4500001.4999996667, -2},
		{100, 0.001, 0.01, 0.9, 12, -5.077800359945944, 0.2051063166595427, 0.017306378999572562, -1.1111111111111111},
		{0.5, 0.5, 0.2, 0.3, 0, -1.3168972959787203, 1.8659123243059257, 0.94582858136533003, -0.66810680194685037},
		{0.25, 0.09, 0.2, 0.35, 1.5716, -9.637262652244977, 7.3185751582208455, 25.001539842995214, -2.8577734503290051},
		{3, 0.2, 0.9, 0.6, 1e6, -166666666693.16324, 333333.33333533333, 55555555556.055813, -1.6666666666666667},
	} {
		d := Denoised{Variance: c.variance, Noise: c.noise, Alpha: c.alpha, Threshold: c.threshold}
		value, mean, variance, threshold := d.LogEISlopes(c.best)
		near(t, "log EI", value, c.value, 1e-12*max(1, math.Abs(c.value)))
		near(t, "in the mean", mean, c.mean, 2e-11*c.mean)
		near(t, "in the variance", variance, c.dvariance, 5e-11*c.dvariance)
		if !math.IsNaN(c.dthreshold) { // at 1 there is only a derivative from one side
			near(t, "in the threshold", threshold, c.dthreshold, 1e-10)
		}
		near(t, "log EI without slopes", d.LogExpectedImprovement(c.best), value, 0)
	}
}

func TestImprovementIsThatOfQuadrature(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDenoised(t)
		sd := math.Sqrt(d.Variance)
		best := d.Mean + sd*rapid.Float64Range(-6, 6).Draw(t, "best")
		if d.Noise == 0 && d.Threshold > .99 {
			d.Threshold = .99 // else the inner part is a point, or nearly
		}
		density := plainDensity(d)
		f := func(f float64) float64 { return (f - best) * density(f) }
		want := adaptive(f, 1e-13*sd, marks(d, best, max(best, d.Mean)+14*sd)...)
		got := d.ExpectedImprovement(best)
		near(t, "EI", got, want, 1e-8*sd)
		near(t, "log EI", d.LogExpectedImprovement(best), math.Log(got), 1e-12*max(1, math.Abs(math.Log(got))))
	})
}

// given is the improvement by the mean over y', without any identity: log-concave pieces on both sides.
func given(d Denoised, best float64) float64 {
	l := d.standard()
	s, c := l.r*l.q, (best-d.Mean)/l.tau
	improvement := func(u float64) float64 { return s * risingAt((l.r*l.r*u-c)/s).h }
	inner := func(u float64) float64 { return (1 - l.alpha) / (2 * l.z) * improvement(u) }
	outer := func(u float64) float64 {
		return l.alpha / l.lm * normalPDF(u) * (improvement(u) + improvement(-u))
	}
	at, w := c/(l.r*l.r), l.q/l.r
	cuts := func(lo, hi float64) []float64 {
		out := []float64{lo}
		for _, x := range []float64{at - 6*w, at - 2*w, at, at + 2*w, at + 6*w, hi} {
			out = append(out, max(out[len(out)-1], min(x, hi)))
		}
		return out
	}
	return l.tau * (adaptive(inner, 1e-15*l.r, cuts(-l.z, l.z)...) + adaptive(outer, 1e-15*l.r, cuts(l.z, l.z+12)...))
}

func TestImprovementIsTheMeanOverCalibratedObservations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDenoised(t)
		d.Noise += 1e-4 * d.Variance
		d.Threshold = min(max(d.Threshold, -1), .999)
		best := d.Mean + math.Sqrt(d.Variance)*rapid.Float64Range(-6, 6).Draw(t, "best")
		near(t, "EI", d.ExpectedImprovement(best), given(d, best), 1e-11*math.Sqrt(d.Variance))
	})
}

// sixth is the derivative of f at x with an error of the sixth power of the step.
func sixth(f func(float64) float64, x, step float64) float64 {
	odd := func(n float64) float64 { return f(x+n*step) - f(x-n*step) }
	return (45*odd(1) - 9*odd(2) + odd(3)) / (60 * step)
}

func TestSlopesOfLogImprovementAreDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDenoised(t)
		d.Noise += 1e-3 * d.Variance // the distribution has kinks without
		if d.Threshold > .99 && d.Threshold < 1.01 || math.Abs(d.Threshold-LeastThreshold) < 2e-5 {
			d.Threshold = .5
		}
		sd := math.Sqrt(d.Variance)
		best := d.Mean + sd*rapid.Float64Range(-6, 6).Draw(t, "best")
		_, mean, variance, threshold := d.LogEISlopes(best)
		in := func(field *float64, step float64) float64 {
			defer func(v float64) { *field = v }(*field)
			return sixth(func(x float64) float64 { *field = x; return d.LogExpectedImprovement(best) }, *field, step)
		}
		l := d.standard()
		near(t, "in the mean", mean*sd, in(&d.Mean, .01*sd*l.q)*sd, 1e-8*mean*sd+1e-9/l.q)
		near(t, "in the variance", variance*d.Variance, in(&d.Variance, .01*l.q*d.Variance)*d.Variance, 1e-7*variance*d.Variance+1e-8/l.q)
		lm := min(max(math.Abs(d.Threshold), 1e-4), 1)
		near(t, "in the threshold", threshold*lm, in(&d.Threshold, .003*lm*l.q)*lm, 1e-8/l.q)
		if !(mean > 0) || !(variance > 0) || threshold > 1e-12 {
			t.Errorf("slopes %v, %v, %v point the wrong way", mean, variance, threshold)
		}
	})
}

func TestImprovementFallsWithoutEverRunningOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDenoised(t)
		sd := math.Sqrt(d.Variance)
		away := math.Pow(10, rapid.Float64Range(-2, 12).Draw(t, "away"))
		if rapid.Bool().Draw(t, "near") {
			away = rapid.Float64Range(-8, 8).Draw(t, "place")
		}
		best := d.Mean + sd*away
		value, mean, variance, _ := d.LogEISlopes(best)
		step := 1e-3 / max(1, math.Abs(away))
		further := d.LogExpectedImprovement(best + sd*step)
		if math.IsInf(value, 0) || !(further < value) && best+sd*step > best && away < 1e4 {
			t.Errorf("log EI %v of %+v at %v is followed by %v", value, d, away, further)
		}
		if away > 100 {
			near(t, "slope far out", mean*sd/away, 1, 3/away)
			near(t, "slope in the variance", 2*variance*d.Variance/(away*away), 1, 3/away)
		}
		if !(mean > 0) || math.IsInf(mean, 0) || !(variance > 0) {
			t.Errorf("slopes %v, %v of %+v at %v", mean, variance, d, away)
		}
	})
	for _, best := range []float64{1e20, 1e60, 1e100, 1e200, 1e300} {
		value, mean, variance, threshold := known.LogEISlopes(best)
		if math.IsInf(value, 0) || math.IsNaN(value) || !(mean > 0) || !(variance > 0) || math.IsNaN(threshold) {
			t.Errorf("log EI at %v is %v with slopes %v, %v, %v", best, value, mean, variance, threshold)
		}
	}
}

func TestImprovementHasNoStepsWhereFormulasChange(t *testing.T) {
	gap := func(what string, f func(x float64) float64, at float64) {
		t.Helper()
		const e = 1e-12
		near(t, what, f(at*(1+e)), f(at*(1-e)), 1e-10*max(1, math.Abs(f(at))))
	}
	for _, noise := range []float64{0, 1e-9, .01, 1, 100} {
		for _, threshold := range []float64{LeastThreshold, .01, .3, .9, .9999999, 1} {
			d := Denoised{Variance: 1, Noise: noise, Alpha: .3, Threshold: threshold}
			l := d.standard()
			all := func(best float64) float64 { return d.LogExpectedImprovement(best) }
			gap("near and far tails", all, math.Sqrt(l.z*l.z+lowTail*lowTail))
			if l.q > 0 {
				gap("differences and continued fractions", all, l.tau*(l.z*l.r*l.r-lowTail*l.r*l.q))
				if c := l.r * l.q * (.5/(l.z*l.r/l.q) - 1) * l.tau; c > 0 && !math.IsInf(c, 1) {
					gap("narrow and wide bands", all, c)
				}
			}
			sum := func(best float64) float64 { return d.ExpectedImprovement(best) }
			near(t, "both sides of the mean", sum(1e-13), sum(-1e-13), 2e-13)
			near(t, "thresholds", Denoised{0, 1, noise, .3, threshold * (1 - 1e-12)}.ExpectedImprovement(.7), sum(.7), 1e-11)
			near(t, "noise", Denoised{0, 1, noise + 1e-30, .3, threshold}.ExpectedImprovement(.7), sum(.7), 1e-14)
		}
	}
	quiet := Denoised{Variance: 1e-40, Noise: 1, Alpha: .2, Threshold: .3}
	near(t, "hardly any variance", quiet.ExpectedImprovement(-2), 2, 1e-15)
	near(t, "threshold behind 1", Denoised{0, 1, 2, .4, 7}.ExpectedImprovement(.5), .6*math.Sqrt(2./3)*risingAt(-.5/math.Sqrt(2./3)).h+.4*risingAt(-.5).h, 1e-15)
	near(t, "threshold behind 1 without noise", Denoised{0, 1, 0, .4, 7}.ExpectedImprovement(.5), .4*risingAt(-.5).h, 1e-15)
}

func TestTheScaleOfAProblemDoesNotMatter(t *testing.T) {
	value, mean, variance, threshold := known.LogEISlopes(.5)
	q, _, qv, qt := known.QuantileSlopes(.9)
	for _, c := range []float64{1e-150, 1e-20, 3, 1e75, 1e150} {
		d := Denoised{.3 * c, .25 * c * c, .09 * c * c, .2, .35}
		v, m, vv, tt := d.LogEISlopes(.5 * c)
		w, _, wv, wt := d.QuantileSlopes(.9)
		for _, pair := range [][2]float64{
			{v - math.Log(c), value}, {m * c, mean}, {vv * c * c, variance}, {tt, threshold}, {w / c, q}, {wv * c, qv}, {wt / c, qt},
			{d.ExpectedImprovement(.5*c) / c, known.ExpectedImprovement(.5)}, {d.Density(.4*c) * c, known.Density(.4)},
			{d.CDF(.4 * c), known.CDF(.4)}, {d.Var() / c / c, known.Var()}, {d.LikelihoodDensity(2*c) * c, known.LikelihoodDensity(2)},
		} {
			near(t, "scaled", pair[0], pair[1], 1e-12*(1+math.Log(math.Abs(c))*math.Log(c)))
		}
	}
}

func TestCalibratedDistributionsAllocateNothing(t *testing.T) {
	r := RecalibratedNormal{0, 1, knownMap}
	if n := testing.AllocsPerRun(10, func() {
		known.LogEISlopes(.5)
		known.ExpectedImprovement(5)
		known.QuantileSlopes(.9)
		known.Density(1)
		r.LogEISlopes(.5)
		r.LogPISlopes(9)
		r.Quantile(.9)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkDenoised(b *testing.B) {
	hard := Denoised{Variance: 1, Alpha: .2, Threshold: .35}
	for _, c := range []struct {
		name string
		d    Denoised
		best float64
	}{{"usual", known, .5}, {"noise-free", hard, .93459}, {"far", known, 4}} {
		b.Run(c.name+"/EI", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.d.ExpectedImprovement(c.best)
			}
		})
		b.Run(c.name+"/LogEISlopes", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.d.LogEISlopes(c.best)
			}
		})
		b.Run(c.name+"/QuantileSlopes", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.d.QuantileSlopes(.975)
			}
		})
	}
}
