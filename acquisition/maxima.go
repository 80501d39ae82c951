package acquisition

import "math"

// Gumbel is the law with the distribution function exp(−exp(−(y − Location)/Scale)), which that of a maximum of many values is like.
type Gumbel struct{ Location, Scale float64 }

// Quantile returns the p-quantile, 0 < p < 1.
func (g Gumbel) Quantile(p float64) float64 { return g.Location - g.Scale*math.Log(-math.Log(p)) }

// MaximumOf returns the Gumbel law that has the quartiles and the median of the greatest of independent normal values with these means
// and variances (Wang & Jegelka 2017, sec. 3.1). The values of a function are no such, so that the law is too high, the more the closer
// the points are. Where no variance is above 0 to speak of the scale is 0: the maximum is known. It wants at least one value. Cost some
// ten distribution functions for each value that may be the greatest.
func MaximumOf(means, variances []float64) Gumbel {
	top, widest := math.Inf(-1), 0.0
	for i, m := range means {
		top, widest = max(top, m), max(widest, spread(variances[i]))
	}
	f := contest{}
	for i, m := range means {
		if sd := spread(variances[i]); m+unlikely*sd >= top {
			f = append(f, contestant{m, sd})
		}
	}
	// With the greatest mean alone the median would be top, so that the others only lift it, and the quartile is not far below.
	median := f.quantile(math.Ln2, top)
	low, high := f.quantile(math.Log(4), top-widest), f.quantile(math.Log(4./3), median)
	scale := (high - low) / (math.Log(math.Log(4)) - math.Log(math.Log(4./3)))
	if !(scale > 0) || widest <= math.Sqrt(minVariance) {
		return Gumbel{Location: max(median, top)}
	}
	return Gumbel{Location: median + scale*math.Log(math.Ln2), Scale: scale}
}

// unlikely is how many standard deviations a mean is below the greatest where its value counts for nothing.
const unlikely = 8

// contest are normal values of which one is the greatest.
type contest []contestant

type contestant struct{ mean, sd float64 }

const (
	quantileSteps     = 200
	quantileTolerance = 1e-13 // of y, or of 1 where y is less
)

// quantile returns the y at which all are below with a probability of exp(−rare). The logarithm of that probability is concave in y, so
// that Newton's method is never above y after its first step, and rises from there.
func (f contest) quantile(rare, from float64) float64 {
	y := from
	for range quantileSteps {
		sum, slope := rare, 0.0
		for _, c := range f {
			z := (y - c.mean) / c.sd
			if z < unlikely {
				sum += logNormalCDF(z)
				slope += hazard(z) / c.sd
			}
		}
		step := -sum / slope
		y += step
		if !(math.Abs(step) > quantileTolerance*max(1, math.Abs(y))) {
			break
		}
	}
	return y
}
