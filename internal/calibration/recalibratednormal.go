package calibration

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

const (
	// leastLevel is how near to 0 and 1 a map may come between its ends: behind it a normal quantile says nothing.
	leastLevel = 1e-6
	// narrowPiece is the width, in standard deviations, below which the mean of a piece is not made of differences.
	narrowPiece = 0.1
)

// RecalibratedNormal is the distribution whose p-quantile is the Map(p)-quantile of N(Mean, Stddev²) (Deshpande et al. 2024).
// Where the map rises from q to q' over Δp, a share Δp of the mass lies between the q- and the q'-quantile of the normal
// distribution and has its shape there. Where the map is flat, that share lies on one point. Between its two ends the map
// counts as clipped to [1e-6, 1-1e-6], so the mass of ends that are flat at 0 or 1 lies in the tails beyond ∓4.75 standard
// deviations instead of at infinity, and there is some mass above every value.
//
// With the predictive standard deviation, noise included, it is the distribution of a noisy answer. Without Stddev all mass is
// at Mean. Every method costs O(M) for M points of the map and allocates nothing.
type RecalibratedNormal struct {
	Mean, Stddev float64 // of the normal distribution, Stddev ≥ 0
	Map          Map     // from (0,0) to (1,1)
}

// Quantile returns the p-quantile, the upper confidence bound at level p; in front of the first point of the map and
// behind the last the level is clipped to [1e-6, 1-1e-6]. It panics if p is not a probability.
func (r RecalibratedNormal) Quantile(p float64) float64 {
	value, _, _ := r.QuantileSlopes(p)
	return value
}

// QuantileSlopes returns the p-quantile and its derivatives in Mean, 1, and in Stddev, Φ⁻¹(R(p)).
func (r RecalibratedNormal) QuantileSlopes(p float64) (value, dmean, dstddev float64) {
	if !(p >= 0 && p <= 1) {
		panic("calibration: RecalibratedNormal.Quantile: p is not a probability")
	}
	r.last()
	i := max(sort.SearchFloat64s(r.Map.P, p), 1)
	share := (p - r.Map.P[i-1]) / (r.Map.P[i] - r.Map.P[i-1])
	q := (1-share)*r.level(i-1) + share*r.level(i)
	x := mathext.NormalQuantile(min(max(q, leastLevel), 1-leastLevel))
	return r.Mean + r.Stddev*x, 1, x
}

// last is the index of the last point of the map, of two at least.
func (r RecalibratedNormal) last() int {
	if len(r.Map.P) < 2 || len(r.Map.Q) != len(r.Map.P) {
		panic("calibration: RecalibratedNormal: the map needs two points at least, and a position for each level")
	}
	return len(r.Map.P) - 1
}

// level is the clipped position of a point of the map.
func (r RecalibratedNormal) level(i int) float64 {
	switch i {
	case 0:
		return 0
	case len(r.Map.Q) - 1:
		return 1
	}
	return min(max(r.Map.Q[i], leastLevel), 1-leastLevel)
}

// CalibratedMean returns the mean of the distribution.
func (r RecalibratedNormal) CalibratedMean() float64 {
	return r.Mean + r.Stddev*r.above(math.Inf(-1)).moment
}

// LogProbabilityOfImprovement returns log P(f > best), finite wherever the square of best in standard deviations is.
func (r RecalibratedNormal) LogProbabilityOfImprovement(best float64) float64 {
	value, _, _ := r.LogPISlopes(best)
	return value
}

// LogPISlopes returns log P(f > best) and its derivatives in Mean and Stddev. At the points that carry mass the value
// jumps; the derivatives leave that out. Without Stddev the value is 0 or -Inf and they are 0.
func (r RecalibratedNormal) LogPISlopes(best float64) (value, dmean, dstddev float64) {
	if r.Stddev <= 0 {
		if r.Mean > best {
			return 0, 0, 0
		}
		return math.Inf(-1), 0, 0
	}
	k := r.standard(best)
	a := r.above(k)
	slope := a.density / a.mass / r.Stddev
	return a.scale + math.Log(a.mass), slope, slope * k
}

// LogExpectedImprovement returns the logarithm of ExpectedImprovement, finite and falling with best however far that is
// above the mean (compare Ament et al. 2023). Without Stddev it may be -Inf.
func (r RecalibratedNormal) LogExpectedImprovement(best float64) float64 {
	value, _, _ := r.LogEISlopes(best)
	return value
}

// LogEISlopes returns log expected improvement and its derivatives in Mean and Stddev. Without Stddev that in Mean is
// 1/(Mean - best) if that is positive, and the others are 0.
func (r RecalibratedNormal) LogEISlopes(best float64) (value, dmean, dstddev float64) {
	if r.Stddev <= 0 {
		gain := max(r.Mean-best, 0)
		if gain > 0 {
			dmean = 1 / gain
		}
		return math.Log(gain), dmean, 0
	}
	a := r.above(r.standard(best))
	return math.Log(r.Stddev) + a.scale + math.Log(a.excess), a.mass / a.excess / r.Stddev, a.moment / a.excess / r.Stddev
}

// standard is best in standard deviations from the mean, bounded so that its square is finite.
func (r RecalibratedNormal) standard(best float64) float64 {
	return min(max((best-r.Mean)/r.Stddev, -mostAway), mostAway)
}

// beyondLevel is what the distribution, around 0 in standard deviations, has above k, everything times exp(-scale).
type beyondLevel struct {
	scale, density, mass, moment, excess float64 // density at k, P(f > k), E[f; f > k], E[(f - k)+]
}

// above sums up the pieces above k.
func (r RecalibratedNormal) above(k float64) beyondLevel {
	if math.IsNaN(k) {
		return beyondLevel{k, k, k, k, k}
	}
	last := r.last()
	a := piece{x: math.Inf(-1)}
	var sum beyondLevel
	for i := 1; i <= last; i++ {
		b := piece{x: math.Inf(1), q: 1}
		if i < last {
			q := r.level(i)
			x := mathext.NormalQuantile(q)
			b = piece{x, q, normalPDF(x)}
		}
		dp := r.Map.P[i] - r.Map.P[i-1]
		if i == last && k >= a.x {
			// What lies before has its mass at or below k: the tail alone is left.
			at, scale := risingScaled(-k)
			w := dp / (1 - a.q)
			return beyondLevel{scale, w * at.pdf, w * at.cdf, w * at.pdf, w * at.h}
		}
		if b.x > k {
			density, mass, moment := a.to(b, k)
			sum.density += dp * density
			sum.mass += dp * mass
			sum.moment += dp * moment
		}
		a = b
	}
	sum.excess = sum.moment - k*sum.mass
	return sum
}

// piece is an end of a piece of the map: quantile, level and density of the standard normal distribution.
type piece struct{ x, q, pdf float64 }

// to returns what the normal distribution between a and b, normalized to 1, has above k < b.x: density at k, mass and moment.
func (a piece) to(b piece, k float64) (density, mass, moment float64) {
	switch {
	case b.x <= a.x:
		return 0, 1, a.x
	case b.x-a.x < narrowPiece:
		return a.narrow(b, k)
	}
	w := 1 / (b.q - a.q)
	if k > a.x {
		a = piece{k, upperTail(-k), normalPDF(k)}
		density = w * a.pdf
	}
	return density, w * (b.q - a.q), w * (a.pdf - b.pdf)
}

// narrow is to by quadrature, for pieces whose ends hardly differ.
func (a piece) narrow(b piece, k float64) (density, mass, moment float64) {
	all, _ := normalPanel(a.x, b.x)
	mass, moment = normalPanel(max(a.x, k), b.x)
	if k > a.x {
		density = normalPDF(k) / all
	}
	return density, mass / all, moment / all
}

// normalPanel integrates φ(x) and xφ(x) from lo to hi.
func normalPanel(lo, hi float64) (mass, moment float64) {
	half, mid := (hi-lo)/2, (hi+lo)/2
	for i, x := range legendreX {
		x = mid + half*x
		w := half * legendreW[i] * normalPDF(x)
		mass += w
		moment += w * x
	}
	return mass, moment
}
