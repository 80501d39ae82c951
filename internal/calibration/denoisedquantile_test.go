package calibration

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestQuantilesInvertTheCDF(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDenoised(t)
		if d.Noise == 0 && d.Threshold >= 1 {
			d.Threshold = .9 // without a mass point
		}
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		if rapid.Bool().Draw(t, "tail") {
			p = math.Pow(10, rapid.Float64Range(-300, 0).Draw(t, "log p"))
		}
		q := d.Quantile(p)
		near(t, "cdf of the quantile", d.CDF(q), p, 1e-8*min(p, 1-p)*max(1, -math.Log(p))+1e-15+3e-16*math.Abs(q)*d.Density(q))
		near(t, "mirror image", d.Quantile(1-p)-d.Mean, d.Mean-d.Quantile(1-(1-p)), 1e-9*math.Sqrt(d.Variance))
	})
}

// Distributions with corners, at which Newton's method by itself goes back and forth for ever, or stops.
func TestQuantilesOfDistributionsWithCorners(t *testing.T) {
	for _, c := range []struct{ noise, alpha, threshold, p, want float64 }{
		{0, .01, .32395347362674548, .99, .9764},
		{.001, .25, .68323134259541085, .8, .32633},
		{.01, .01, .024884591041375338, .975, 2.1534},
	} {
		d := Denoised{Variance: 1, Noise: c.noise, Alpha: c.alpha, Threshold: c.threshold}
		q := d.Quantile(c.p)
		near(t, "quantile", q, c.want, 1e-4)
		near(t, "cdf of it", d.CDF(q), c.p, 1e-12)
	}
	stream := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		d := Denoised{
			Variance: 1, Noise: math.Pow(10, -2-4*stream.Float64()), Alpha: math.Pow(10, -2*stream.Float64()) * .5,
			Threshold: stream.Float64(),
		}
		p := 1 - math.Pow(10, -3*stream.Float64())/2
		near(t, "cdf", d.CDF(d.Quantile(p)), p, 1e-9)
	}
}

func TestQuantilesAtTheEndsAndWithinAMassPoint(t *testing.T) {
	for _, v := range [][2]float64{
		{known.Quantile(0), math.Inf(-1)}, {known.Quantile(1), math.Inf(1)}, {known.Quantile(.5), .3},
		// Without noise at threshold 1 the mean has mass 1-α; the rest is N(Mean, Variance).
		{Denoised{1, 4, 0, .2, 1}.Quantile(.1), 1}, {Denoised{1, 4, 0, .2, 1}.Quantile(.85), 1},
		{Denoised{1, 4, 0, .2, 1}.CDF(1), .9}, {Denoised{1, 4, 0, .2, 1}.CDF(math.Nextafter(1, 0)), .1},
	} {
		near(t, "quantile", v[0], v[1], 1e-15)
	}
	near(t, "beside the mass", Denoised{1, 4, 0, .2, 1}.Quantile(.95), 1+2*0.67448975019608174, 1e-12)
	for _, p := range []float64{-.1, 1.1, math.NaN()} {
		mustPanic(t, "Quantile", func() { known.Quantile(p) })
	}
	mustPanic(t, "QuantileSlopes", func() { known.QuantileSlopes(1) })
}

func TestSlopesOfQuantilesAreDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDenoised(t)
		d.Noise += 1e-2 * d.Variance // the distribution has kinks without
		if d.Threshold > .99 && d.Threshold < 1.01 || math.Abs(d.Threshold-LeastThreshold) < 2e-5 {
			d.Threshold = .5
		}
		p := rapid.Float64Range(.01, .99).Draw(t, "p")
		value, mean, variance, threshold := d.QuantileSlopes(p)
		near(t, "value", value, d.Quantile(p), 0)
		near(t, "in the mean", mean, 1, 0)
		in := func(field *float64, step float64) float64 {
			defer func(v float64) { *field = v }(*field)
			return sixth(func(x float64) float64 { *field = x; return d.Quantile(p) - d.Mean }, *field, step)
		}
		sd, lm := math.Sqrt(d.Variance), min(max(math.Abs(d.Threshold), 1e-4), 1)
		near(t, "in the variance", variance*sd, in(&d.Variance, .003*d.Variance)*sd, 1e-6)
		near(t, "in the threshold", threshold*lm/sd, in(&d.Threshold, .001*lm)*lm/sd, 1e-6)
	})
}
