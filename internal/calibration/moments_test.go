package calibration

import (
	"math"
	"testing"
)

func TestMomentsOfMaps(t *testing.T) {
	worked := Map{P: []float64{0, .1, .3, .5, .7, .9, 1}, Q: []float64{0, .02, .15, .55, .8, .97, 1}}
	for name, c := range map[string]struct {
		m              Map
		mean, variance float64
	}{
		"identity":   {IdentityMap(), 0, 1},
		"in pieces":  {Map{P: []float64{0, .2, .5, .52, 1}, Q: []float64{0, .2, .5, .52, 1}}, 0, 1},
		"worked":     {worked, (0.280584191238 - 0.3) / 0.5, byQuantiles(worked)},
		"at a point": {Map{P: []float64{0, 1e-9, 1 - 1e-9, 1}, Q: []float64{0, .5, .5, 1}}, 0, 2e-9 * 1}, // half normals outside
		"flat":       {Map{P: []float64{0, .25, .5, .75, 1}, Q: []float64{0, .2, .2, .8, 1}}, 0, math.NaN()},
	} {
		mean, variance := c.m.Moments()
		if math.IsNaN(c.variance) {
			c.mean, c.variance = mean, byQuantiles(c.m)
		}
		if math.Abs(mean-c.mean) > 1e-9 || math.Abs(variance-c.variance) > 1e-5*c.variance+1e-12 {
			t.Errorf("%s: mean %v, variance %v, want %v, %v", name, mean, variance, c.mean, c.variance)
		}
	}
}

// byQuantiles is the variance over many even levels.
func byQuantiles(m Map) float64 {
	const n = 2_000_000
	d := RecalibratedNormal{Stddev: 1, Map: m}
	var mean, square float64
	for i := range n {
		q := d.Quantile((float64(i) + 0.5) / n)
		mean += q / n
		square += q * q / n
	}
	return square - mean*mean
}
