package calibration

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/rng"
)

// known has the numbers of a worked example: a = .7352941176, s = .2572478777, τ = .5830951895, z = .9345892911.
var known = Denoised{Mean: 0.3, Variance: 0.25, Noise: 0.09, Alpha: 0.2, Threshold: 0.35}

// near complains unless got is within tolerance of want.
func near(t rapid.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) && got != want {
		t.Errorf("%s = %.15g, want %.15g ± %.2g", what, got, want, tolerance)
	}
}

func TestTheDenoisedLawOfAWorkedExample(t *testing.T) {
	l := known.standard()
	for _, v := range []struct {
		what      string
		got, want float64
	}{
		{"a", l.r * l.r, .7352941176}, {"s", l.tau * l.r * l.q, .2572478777}, {"τ", l.tau, .5830951895}, {"z", l.z, .9345892911},
		{"L", 0.3 - l.z*l.tau, -.2449545198}, {"m", l.tau * l.r * l.r * l.z, .4007018528}, {"ρ", l.r, .8574929257},
		{"density(-.8)", known.Density(-.8), .0425134719}, {"density(-.1)", known.Density(-.1), .6036733687},
		{"density(.3)", known.Density(.3), .9107332190}, {"density(.75)", known.Density(.75), .5372200687},
		{"density(1.6)", known.Density(1.6), .0156673491},
		{"cdf(-.8)", known.CDF(-.8), .0080999373}, {"cdf(-.1)", known.CDF(-.1), .1788105925}, {"cdf(.3)", known.CDF(.3), .5},
		{"cdf(.75)", known.CDF(.75), .8497163501}, {"cdf(1.6)", known.CDF(1.6), .9973271142},
		{"variance", known.Var(), .196369890182},
		{"quantile(.9)", known.Quantile(.9), .8578989429}, {"quantile(.975)", known.Quantile(.975), 1.1736618802},
		{"EI(0)", known.ExpectedImprovement(0), .364949242365}, {"EI(.5)", known.ExpectedImprovement(.5), .0933183724622},
		{"EI(1.2)", known.ExpectedImprovement(1.2), .00421455543605},
	} {
		near(t, v.what, v.got, v.want, 6e-11)
	}
	clean := known
	clean.Noise = 0
	for best, want := range []float64{.9040787383, .3556286013, .0842288269, .0040787383} {
		best := []float64{-.6, 0, .5, 1.2}[best]
		near(t, "noise-free EI", clean.ExpectedImprovement(best), want, 6e-11)
	}
	near(t, "LeastThreshold", LeastThreshold, math.Erfc(3.4/math.Sqrt2), 1e-15)
}

// pairAbove is P(X > k, Y > z) for a standard normal pair of correlation rho.
func pairAbove(k, z, rho float64) float64 {
	q := math.Sqrt(1 - rho*rho)
	return adaptive(func(x float64) float64 { return normalPDF(x) * upperTail((z-rho*x)/q) }, 1e-15, k, k+1, k+4, k+12)
}

func TestTailsAreThoseOfACorrelatedPair(t *testing.T) {
	near(t, "P(X>.3, Y>-.7; .9)", pairAbove(.3, -.7, .9), .381302260881, 1e-12)
	near(t, "P(X>1.5, Y>1.2; .99)", pairAbove(1.5, 1.2, .99), .066669133362, 1e-12)
	near(t, "P(X>-2, Y>.4; -.95)", pairAbove(-2, .4, -.95), .321828128809, 1e-12)
	for _, rho := range []float64{.01, .4, .8, .99, .9999} {
		for _, z := range []float64{0, .3, 1.2, 3.4} {
			for _, k := range []float64{0, .2999, .5, 1.2001, 3, 4.4, 4.7, 6} {
				l := standardDenoised{lm: 2 * upperTail(z), z: z, r: rho, q: math.Sqrt(1 - rho*rho), alpha: 1}
				b := l.outside(rho * k)
				want := (pairAbove(k, z, rho) + pairAbove(k, z, -rho)) / l.lm
				near(t, "mass", math.Exp(b.scale)*b.mass, want, 1e-12*want+1e-14)
			}
		}
	}
}

// drawDenoised draws a distribution over all regimes: no noise and much, clipped thresholds and inner ones.
func drawDenoised(t *rapid.T) Denoised {
	d := Denoised{
		Mean:      rapid.Float64Range(-3, 3).Draw(t, "mean"),
		Variance:  math.Pow(10, rapid.Float64Range(-6, 2).Draw(t, "log variance")),
		Noise:     max(0, math.Pow(10, rapid.Float64Range(-9, 1).Draw(t, "log noise"))-1e-8),
		Alpha:     rapid.Float64Range(.01, .9).Draw(t, "alpha"),
		Threshold: rapid.Float64Range(-1, 2).Draw(t, "threshold"),
	}
	if rapid.Bool().Draw(t, "inner") {
		d.Threshold = math.Pow(10, rapid.Float64Range(-3.2, 0).Draw(t, "log threshold"))
	}
	return d
}

// plainDensity is the density of f written down as it is derived, in plain numbers.
func plainDensity(d Denoised) func(f float64) float64 {
	lambda := min(max(d.Threshold, LeastThreshold), 1)
	z, tau := HalfWidth(lambda), math.Sqrt(d.Variance+d.Noise)
	sv, sn := math.Sqrt(d.Variance), math.Sqrt(d.Noise)
	m, s := d.Variance/tau*z, sv*sn/tau
	return func(f float64) float64 {
		u := f - d.Mean
		inner := (upperTail((u-m)/s) - upperTail((u+m)/s)) / (2 * m)
		switch {
		case s == 0 && math.Abs(u) < m:
			inner = 1 / (2 * m)
		case s == 0:
			inner = 0
		case m < 1e-5*s:
			inner = normalPDF(u/s) / s
		}
		outer := upperTail((z*tau-u)/sn) + upperTail((z*tau+u)/sn)
		if sn == 0 {
			outer = 0
			if math.Abs(u) > z*tau {
				outer = 1
			}
		}
		return (1-d.Alpha)*inner + d.Alpha/lambda*normalPDF(u/sv)/sv*outer
	}
}

// marks are places around which the distribution changes, from lo to hi.
func marks(d Denoised, lo, hi float64) []float64 {
	l := d.standard()
	out := []float64{lo, hi}
	for _, at := range []float64{-l.z * l.r * l.r, -l.z, 0, l.z * l.r * l.r, l.z} {
		for _, wide := range []float64{-12, -6, -2, 0, 2, 6, 12} {
			for _, sd := range []float64{l.r * l.q, l.q, l.r} {
				if x := d.Mean + l.tau*(at+wide*sd); x > lo && x < hi {
					out = append(out, x)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

func TestDensityMassAndVarianceAreThoseOfQuadrature(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDenoised(t)
		if d.Noise == 0 && d.Threshold > .99 {
			d.Threshold = .5 // the inner part is a point, or nearly
		}
		sd := math.Sqrt(d.Variance)
		plain := plainDensity(d)
		f := d.Mean + sd*rapid.Float64Range(-5, 5).Draw(t, "f")
		near(t, "density", d.Density(f), plain(f), 1e-8/sd) // the plain form cancels where the inner part is narrow
		if b := d.standard().above(math.Abs(f-d.Mean) / d.standard().tau); d.Noise > 0 {
			near(t, "density beside the mass", math.Exp(b.scale)*b.density/d.standard().tau, d.Density(f), 1e-11/sd)
		}
		all := marks(d, d.Mean-14*sd, d.Mean+14*sd)
		near(t, "total mass", adaptive(d.Density, 1e-13, all...), 1, 1e-10)
		near(t, "cdf", d.CDF(f), adaptive(d.Density, 1e-13, marks(d, d.Mean-14*sd, f)...), 1e-10)
		spread := func(f float64) float64 { return (f - d.Mean) * (f - d.Mean) * d.Density(f) }
		near(t, "variance", d.Var(), adaptive(spread, 1e-13*d.Variance, all...), 1e-9*d.Variance)
		near(t, "cdf of the mirror image", d.CDF(2*d.Mean-f), 1-d.CDF(f), 1e-11)
	})
}

func TestTheDensityIsTheDerivativeOfTheCDF(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDenoised(t)
		l := d.standard()
		if l.q < 1e-3 {
			t.Skip("the density jumps")
		}
		step := 1e-3 * l.tau * l.r * l.q
		f := d.Mean + l.tau*l.r*rapid.Float64Range(-5, 5).Draw(t, "f")
		// Differences over two steps, combined so that only their fourth powers are left.
		slope := (8*(d.CDF(f+step)-d.CDF(f-step)) - d.CDF(f+2*step) + d.CDF(f-2*step)) / (12 * step)
		near(t, "density", d.Density(f), slope, 4e-9/(l.tau*l.r*l.q))
	})
}

func TestTheCalibratedLikelihoodHasItsMassWhereItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDenoised(t)
		l := d.standard()
		if l.z < 1e-3 {
			t.Skip("the set is a point, or nearly")
		}
		low, high := d.Mean-l.z*l.tau, d.Mean+l.z*l.tau
		mass := func(marks ...float64) float64 { return adaptive(d.LikelihoodDensity, 1e-13, marks...) }
		near(t, "mass below", mass(low-12*l.tau, low-l.tau, math.Nextafter(low, -1e9)), d.Alpha/2, 1e-7)
		near(t, "mass inside", mass(low, d.Mean, high), 1-d.Alpha, 1e-7)
		near(t, "mass", mass(low-12*l.tau, low-l.tau, low, high, high+l.tau, high+12*l.tau), 1, 1e-10+1e-15*math.Abs(d.Mean)/(l.z*l.tau))
	})
	point := Denoised{Mean: 1, Variance: 1, Noise: 3, Alpha: .5, Threshold: 1}
	if !math.IsInf(point.LikelihoodDensity(1), 1) {
		t.Error("a set of one point has a finite density")
	}
	near(t, "density beside the point", point.LikelihoodDensity(3), .5*normalPDF(1)/2, 1e-16)
}

func TestDrawsFollowTheCDF(t *testing.T) {
	for i, d := range []Denoised{known, {0, 1, 0, .5, .05}, {2, 1e-4, 1, .1, .7}, {-1, 4, 1, .9, -1}, {0, 1, .2, .3, 2}} {
		const n = 100000
		stream := rng.New(7, rng.Test, uint64(i))
		values := make([]float64, n)
		for j := range values {
			values[j] = d.Draw(stream)
		}
		slices.Sort(values)
		worst := 0.0
		for j := 0; j < n; j += 20 {
			cdf := d.CDF(values[j])
			worst = max(worst, cdf-float64(j)/n, float64(j+1)/n-cdf)
		}
		if worst > 1.7/math.Sqrt(n) { // exceeded with probability 0.006
			t.Errorf("%+v: Kolmogorov distance %v", d, worst)
		}
	}
}

func TestWithoutVarianceAllMassIsAtTheMean(t *testing.T) {
	for _, noise := range []float64{0, 1, -1} {
		d := Denoised{Mean: 2, Variance: -1e-20, Noise: noise, Alpha: .2, Threshold: .3}
		for _, v := range [][2]float64{
			{d.CDF(1.9), 0}, {d.CDF(2), 1}, {d.CDF(2.1), 1}, {d.Quantile(.1), 2}, {d.Quantile(.9), 2}, {d.Var(), 0}, {d.Density(1), 0},
			{d.Density(2), math.Inf(1)}, {d.ExpectedImprovement(1.5), .5}, {d.ExpectedImprovement(2.5), 0},
			{d.LogExpectedImprovement(1.5), math.Log(.5)}, {d.LogExpectedImprovement(2.5), math.Inf(-1)}, {d.Draw(rng.New(1, rng.Test, 0)), 2},
		} {
			if v[0] != v[1] {
				t.Errorf("noise %v: got %v, want %v", noise, v[0], v[1])
			}
		}
		if _, mean, variance, threshold := d.LogEISlopes(1.5); mean != 2 || variance != 0 || threshold != 0 {
			t.Errorf("slopes of a point are %v, %v, %v", mean, variance, threshold)
		}
		if v, mean, variance, threshold := d.QuantileSlopes(.9); v != 2 || mean != 1 || variance != 0 || threshold != 0 {
			t.Errorf("quantile of a point is %v with slopes %v, %v, %v", v, mean, variance, threshold)
		}
	}
}

func TestWhatIsNotANumberStaysThat(t *testing.T) {
	nan := math.NaN()
	for i := range 5 {
		d := known
		*[]*float64{&d.Mean, &d.Variance, &d.Noise, &d.Alpha, &d.Threshold}[i] = nan
		for j, v := range []float64{d.Density(.4), d.CDF(.4), d.Var(), d.Quantile(.7), d.ExpectedImprovement(.4), d.LogExpectedImprovement(.4)} {
			if !math.IsNaN(v) && !(i == 0 && j == 2) {
				t.Errorf("field %d, result %d is %v", i, j, v)
			}
		}
	}
	if v := known.CDF(nan); !math.IsNaN(v) {
		t.Errorf("the cdf at NaN is %v", v)
	}
}
