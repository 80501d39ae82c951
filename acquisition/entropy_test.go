package acquisition

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/tarry-bo/tarry/internal/must"
)

func TestTheGumbelLawHasTheQuartilesOfTheMaximum(t *testing.T) {
	means, sds := []float64{.2, .5, .1, .9, .4}, []float64{.3, .2, .5, .1, .4}
	variances := make([]float64, len(sds))
	for i, sd := range sds {
		variances[i] = sd * sd
	}
	g := MaximumOf(means, variances)
	must.Near(t, "location", g.Location, .8902872868, 1e-9)
	must.Near(t, "scale", g.Scale, .0928178574, 1e-9)
	for p, want := range map[float64]float64{.1: .8128741823, .5: .9243062308, .9: 1.0991615605} {
		must.Near(t, "sample", g.Quantile(p), want, 1e-9)
	}
	f := contest{}
	for i, m := range means {
		f = append(f, contestant{m, sds[i]})
	}
	for p, want := range map[float64]float64{.25: .8542898378, .5: .9243062308, .75: 1.0002490357} {
		for _, from := range []float64{-50, 0, 1, 1.3} {
			must.Near(t, "quantile", f.quantile(-math.Log(p), from), want, 1e-9)
		}
	}
}

func TestAMaximumThatIsKnownHasNoSpread(t *testing.T) {
	for name, c := range map[string]struct{ means, variances []float64 }{
		"one value":       {[]float64{.7}, []float64{0}},
		"several":         {[]float64{.1, .7, .3}, []float64{0, 0, 1e-30}},
		"far from others": {[]float64{.7, -9}, []float64{0, 1e-4}},
	} {
		g := MaximumOf(c.means, c.variances)
		for _, p := range []float64{.05, .5, .95} {
			must.Near(t, name, g.Quantile(p), .7, 1e-9)
		}
	}
	g := MaximumOf([]float64{.7, .7}, []float64{0, 1})
	if got := g.Quantile(.5); !(got >= .7) || !(g.Scale > 0) {
		t.Errorf("%+v has the median %v", g, got)
	}
}

// quadrature integrates over pieces of a line.
func quadrature(f func(x float64) float64, ends ...float64) float64 {
	slices.Sort(ends)
	sum := 0.0
	for i, low := range ends[:len(ends)-1] {
		for k := range 24 {
			width := (ends[i+1] - low) / 24
			sum += quad.Fixed(f, low+float64(k)*width, low+float64(k+1)*width, 12, quad.Legendre{}, 0)
		}
	}
	return sum
}

// lostEntropy is the entropy of a standard normal value less that of the one with the given log density.
func lostEntropy(logDensity func(y float64) float64, ends ...float64) float64 {
	left := quadrature(func(y float64) float64 {
		log := logDensity(y)
		if p := math.Exp(log); p > 0 {
			return p * log
		}
		return 0
	}, ends...)
	return .5*math.Log(2*math.Pi*math.E) + left
}

func TestTheGainWithoutNoiseIsTheEntropyThatIsLost(t *testing.T) {
	for _, gam := range []float64{-40, -20, -5, -2, -1, -.99, -.5, 0, .5, 1, 2, 4, 8} {
		norm := logNormalCDF(gam)
		want := lostEntropy(func(y float64) float64 { return logNormalPDF(y) - norm }, gam-12-3/math.Abs(min(gam, -1)), gam-min(1, 4/math.Abs(min(gam, -1))), gam)
		got, _ := EntropyGain(gam)
		must.Near(t, "gain", got, want, 1e-9)
	}
	for gam, want := range map[float64]float64{.5: .4962365237, -5: 2.098738476, -20: 3.419624686, -40: 4.10906507} {
		got, _ := EntropyGain(gam)
		must.Near(t, "gain", got, want, 1e-9)
	}
}

// The value before it is known is standard normal, and after the maximum is told an extended skew normal one.
func TestTheGainUnderNoiseIsTheEntropyThatIsLost(t *testing.T) {
	for _, gam := range []float64{-12, -5, -2, -.5, 0, .5, 1, 2, 4} {
		for _, rho := range []float64{.01, .03, .05, .3, .5, .9, .95, .999, -.7} {
			left := math.Sqrt(1 - rho*rho)
			norm := logNormalCDF(gam)
			want := lostEntropy(func(y float64) float64 { return logNormalPDF(y) + logNormalCDF((gam-rho*y)/left) - norm }, -16, gam*rho-2, gam*rho-.5, gam*rho+.5, gam*rho+2, 16)
			got, _, _ := EntropyGainNoisy(gam, rho)
			must.Near(t, "gain", got, want, 1e-7)
			bound, _, _ := MatchedGain(gam, rho)
			if !(bound <= got+1e-9 && bound > 0) {
				t.Errorf("at γ = %v, ρ = %v the bound is %v, the gain %v", gam, rho, bound, got)
			}
		}
	}
}

func TestGainsHaveTheirNumbers(t *testing.T) {
	for _, c := range []struct{ gam, rho, exact, bound float64 }{
		{.5, .9, .28712565, .26909661}, {.5, .5, .06888914, .06874454}, {-.5, .9, .46556040, .44889505}, {2, .95, .06033010, .05405833},
		{.5, 1, .4962365237, .3605928707},
	} {
		exact, _, _ := EntropyGainNoisy(c.gam, c.rho)
		bound, _, _ := MatchedGain(c.gam, c.rho)
		must.Near(t, "exact", exact, c.exact, 2e-8)
		must.Near(t, "bound", bound, c.bound, 1e-8)
	}
	var exact, bound float64
	for _, greatest := range []float64{1, 1.2, .9} {
		gam := (greatest - .4) / .3
		e, _ := EntropyGain(gam)
		b, _, _ := MatchedGain(gam, 1)
		exact, bound = exact+e/3, bound+b/3
	}
	must.Near(t, "mean exact gain", exact, .0777932620651, 1e-12)
	must.Near(t, "mean matched gain", bound, .0593747964599, 1e-12)
	f := LogEntropyGain{Maxima: []float64{1, 1.2, .9}}
	must.Near(t, "exact", math.Exp(f.Of(.4, .09)), .0777932620651, 1e-7)
	f.Matched = true
	must.Near(t, "matched", math.Exp(f.Of(.4, .09)), .0593747964599, 1e-12)
}

// The matched gain is that of a normal value whose variance is what quadrature says of the value that is left.
func TestTheMatchedGainIsThatOfTheVariance(t *testing.T) {
	for _, gam := range []float64{-8, -3, -1, -.99, 0, .5, 2, 5} {
		for _, rho := range []float64{.1, .5, .9, .99} {
			left := math.Sqrt(1 - rho*rho)
			moment := func(k int) float64 {
				return quadrature(func(y float64) float64 {
					return math.Pow(y, float64(k)) * math.Exp(logNormalPDF(y)+logNormalCDF((gam-rho*y)/left)-logNormalCDF(gam))
				}, -16, gam*rho-2, gam*rho+2, 16)
			}
			mean := moment(1)
			want := -.5 * math.Log(moment(2)-mean*mean)
			got, _, _ := MatchedGain(gam, rho)
			must.Near(t, "matched gain", got, want, 1e-8)
		}
	}
}

// Slopes agree with differences.
func TestSlopesOfGainsAgreeWithDifferences(t *testing.T) {
	const step = 1e-4
	for _, gam := range []float64{-1e4, -41, -25, -19, -5, -1.1, -.9, -.3, 0, .5, .95, 1.1, 3, 6} {
		for _, rho := range []float64{-.6, .01, .05, .3, .8, .99} {
			for name, f := range map[string]func(gam, rho float64) (float64, float64, float64){"matched": MatchedGain, "exact": EntropyGainNoisy} {
				value, dgam, drho := f(gam, rho)
				above, _, _ := f(gam+step, rho)
				below, _, _ := f(gam-step, rho)
				near(t, name+" by γ", gam, rho, dgam, (above-below)/(2*step), 1e-5*value+1e-8)
				above, _, _ = f(gam, rho+step)
				below, _, _ = f(gam, rho-step)
				near(t, name+" by ρ", gam, rho, drho, (above-below)/(2*step), 3e-3*value+1e-7)
			}
		}
		_, dgam := EntropyGain(gam)
		above, _ := EntropyGain(gam + step)
		below, _ := EntropyGain(gam - step)
		near(t, "without noise", gam, 1, dgam, (above-below)/(2*step), 1e-8)
	}
}

func near(t *testing.T, what string, gam, rho, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s at γ = %v, ρ = %v: %.12g, differences give %.12g", what, gam, rho, got, want)
	}
}

func TestGainsAreSmoothWhereTheirFormulasMeet(t *testing.T) {
	const least = 1e-9
	for _, gam := range []float64{farBelow, -1, 1} {
		for _, rho := range []float64{.2, .9, 1} {
			for name, f := range map[string]func(gam, rho float64) (float64, float64, float64){"matched": MatchedGain, "exact": EntropyGainNoisy} {
				a, da, _ := f(gam-least, rho)
				b, db, _ := f(gam+least, rho)
				near(t, name, gam, rho, a, b, 1e-8)
				near(t, name+" slope", gam, rho, da, db, 1e-7)
			}
		}
	}
	for _, gam := range []float64{-30, -1, 0, 2} { // exact and matched meet where a value is nearly noise
		rho := math.Sqrt(nearlyNoise)
		a, _, _ := EntropyGainNoisy(gam, rho*(1-1e-9))
		b, _, _ := EntropyGainNoisy(gam, rho*(1+1e-9))
		must.Near(t, "ratio", a/b, 1, 1e-6)
	}
}

func TestTheTableHasTheDigitsOfItsFunction(t *testing.T) {
	for u := -13.0; u < 13; u += .00371 {
		value, slope := tabledLog(u)
		wantValue, wantSlope := weighedLog(u)
		must.Near(t, "value", value, wantValue, 2e-10)
		must.Near(t, "slope", slope, wantSlope, 2e-8)
	}
	for _, u := range []float64{-1, 1} { // where its formulas meet
		a, da := weighedLog(u - 1e-9)
		b, db := weighedLog(u + 1e-9)
		must.Near(t, "value", a, b, 1e-9)
		must.Near(t, "slope", da, db, 1e-9)
	}
}

// Fourteen digits, computed with 50 decimal digits.
func TestALawThatIsCutOffHasItsDigits(t *testing.T) {
	for _, c := range []struct{ gam, hazard, gap, variance, bend float64 }{
		{-1000, 1000.000999998, 0.00099999800001, 9.9999400005e-7, -1.99997400033e-12},
		{-40, 40.024968847207, 0.024968847207264, 0.00062266837859139, -7.7495226829266e-7},
		{-20.1, 20.149507950078, 0.049507950077544, 0.0024391663204943, -1.1870800386236e-5},
		{-19.9, 19.950000614302, 0.05000061430202, 0.002487713959226, -1.2347471353392e-5},
		{-5, 5.1865039671258, 0.18650396712584, 0.032696434617112, -0.002087295136565},
		{-1.01, 1.5331501328895, 0.52315013288953, 0.19793230423923, -0.075753757303106},
		{-0.99, 1.5171321125926, 0.52713211259262, 0.20027094440695, -0.077597319719403},
		{0, 0.79788456080287, 0.79788456080287, 0.36338022763242, -0.27323954473516},
		{2, 0.05524786267899, 2.055247862679, 0.88645194831142, -3.3375918287351},
		{9, 1.0279773571669e-18, 9.0, 1.0, -80.0},
	} {
		got := cutOffAt(c.gam)
		for _, v := range []struct {
			what              string
			got, want, within float64
		}{{"hazard", got.hazard, c.hazard, 1e-12}, {"gap", got.gap, c.gap, 1e-11}, {"variance", got.variance, c.variance, 1e-10}, {"bend", got.bend, c.bend, 3e-8}} {
			if !(math.Abs(v.got-v.want) <= v.within*math.Abs(v.want)) {
				t.Errorf("%s at %v = %.15g, want %.15g", v.what, c.gam, v.got, v.want)
			}
		}
	}
}
